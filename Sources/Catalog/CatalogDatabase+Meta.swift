internal import Hashing

extension CatalogDatabase {
  /// A value of the caller's own.
  public func meta(_ key: String) throws(CatalogError) -> [UInt8]? {
    guard var value = try value(at: Self.metaKey(key), of: .meta) else { return nil }
    return try Keyspace.meta.decode { () throws(DecodingFailure) in try value.rest() }
  }

  /// Keeps a value of the caller's own; `nil` removes it.
  public func setMeta(_ key: String, _ value: [UInt8]?) throws(CatalogError) {
    guard let value else { return try remove(Self.metaKey(key)) }
    try put(Self.metaKey(key), value: value)
  }

  private static func metaKey(_ key: String) -> [UInt8] { Keyspace.meta.key { $0.raw(key.utf8) } }
}
