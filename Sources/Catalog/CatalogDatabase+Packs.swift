internal import Hashing
public import Versioning

extension CatalogDatabase {
  /// All packs, in the order in which they were inserted.
  public func packs() throws(CatalogError) -> [PackRow] {
    var packs: [PackRow] = []
    try entries(in: Keyspace.pack.range) { (key, row) throws(CatalogError) in
      packs.append(try Self.pack(key, row))
    }
    return packs
  }

  public func pack(named name: CatalogPackName) throws(CatalogError) -> PackRow? {
    guard let number = try number(at: Self.key(of: name), of: .packName) else { return nil }
    guard let pack = try pack(number), pack.name == name else { throw Keyspace.pack.damage }
    return pack
  }

  /// Adds a pack and gives its number.
  ///
  /// - Precondition: there is none of this name.
  @discardableResult
  public func insertPack(
    _ name: CatalogPackName, author: DeviceID, absorbedByteCount: UInt64
  ) throws(CatalogError) -> Int64 {
    try transaction { () throws(CatalogError) in
      let number = try nextNumber(.packs)
      try put(PackRow(number: number, name: name, absorbedByteCount: absorbedByteCount, author: author))
      try put(Self.key(of: name), number: number)
      return number
    }
  }

  /// Notes how much of a pack is in the catalog. A pack that isn't there stays so.
  public func setAbsorbed(pack number: Int64, byteCount: UInt64) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      guard var pack = try pack(number) else { return }
      pack.absorbedByteCount = byteCount
      try put(pack)
    }
  }

  /// Removes a pack and the locations in it. Families and documents stay as they are.
  ///
  /// - Complexity: reads the locations of all packs.
  public func removePack(_ number: Int64) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      guard let pack = try pack(number) else { return }
      try removeLocations(inPack: number)
      try remove(Self.key(of: pack.name))
      try remove(Self.key(ofPack: number))
    }
  }

  private func pack(_ number: Int64) throws(CatalogError) -> PackRow? {
    var pack: PackRow?
    try entries(in: KeyRange(of: Self.key(ofPack: number))) { (key, row) throws(CatalogError) in
      pack = try Self.pack(key, row)
    }
    return pack
  }

  private func put(_ pack: PackRow) throws(CatalogError) {
    try put(Self.key(ofPack: pack.number), value: pack.encoded)
  }

  private static func pack(_ key: [UInt8], _ row: SQLiteRow) throws(CatalogError) -> PackRow {
    var value = try value(row, at: key, of: .pack)
    var reader = try Keyspace.pack.reader(of: key)
    return try Keyspace.pack.decode { () throws(DecodingFailure) in
      let number = try reader.orderedRow()
      try reader.finish()
      return try PackRow(number: number, from: &value)
    }
  }

  private static func key(of name: CatalogPackName) -> [UInt8] { Keyspace.packName.key { $0.raw(name.encoded) } }

  private static func key(ofPack number: Int64) -> [UInt8] { Keyspace.pack.key { $0.orderedRow(number) } }
}
