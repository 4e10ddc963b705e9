public import Hashing

/// What a package consists of: its entries, each path once, none below another's.
///
/// Equal packages have equal encodings.
///
/// Source: docs/format.md, "Objects", manifest.
public struct PackageManifest: Hashable, Sendable {
  /// The format that is written, the only one that is read.
  public static let format: UInt8 = 1

  /// Ascending by path.
  public let entries: [PackageEntry]
  /// The bytes of all files together, at most ``VersionRecord/maximumContentByteCount``: the size of the version.
  public let fileByteCount: UInt64

  /// Creates a manifest from entries in any order.
  ///
  /// - Throws: where a path is there twice or below another's path, in the store's own folder, or beyond a limit.
  public init(_ entries: [PackageEntry]) throws(DecodingFailure) {
    try self.init(ascending: entries.sorted { $0.path < $1.path })
  }

  private init(ascending entries: [PackageEntry]) throws(DecodingFailure) {
    var total: UInt64 = 0
    for entry in entries {
      guard entry.size <= VersionRecord.maximumContentByteCount, entry.mode <= VersionRecord.maximumMode else {
        throw .limitExceeded
      }
      let isFolder = entry.kind == .folder
      guard (entry.content == nil) == isFolder, !isFolder || entry.size == 0, !entry.path.isReserved else {
        throw .invalidValue
      }
      if entry.kind == .file { total += entry.size }
      guard total <= VersionRecord.maximumContentByteCount else { throw .limitExceeded }
    }
    let paths = entries.map(\.path)
    guard paths.isStrictlyAscending, !Self.hasNestedPath(paths) else { throw .invalidValue }
    self.entries = entries
    fileByteCount = total
  }

  /// Whether one path lies below another.
  ///
  /// With the separator below every other byte, what lies below a path follows it without a gap.
  private static func hasNestedPath(_ paths: [DocumentPath]) -> Bool {
    let slash = UInt8(ascii: "/")
    let ordered = paths.sorted { left, right in
      left.bytes.lexicographicallyPrecedes(right.bytes) { ($0 == slash ? 0 : $0) < ($1 == slash ? 0 : $1) }
    }
    return zip(ordered, ordered.dropFirst()).contains { $0.isAncestor(of: $1) }
  }

  /// The canonical encoding.
  public func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 96 * entries.count + 16)
    writer.u8(Self.format)
    writer.varint(UInt64(entries.count))
    for entry in entries {
      writer.bytes(entry.path.bytes)
      writer.u8(entry.kind.rawValue)
      writer.varint(UInt64(entry.mode))
      writer.fileTime(entry.modificationTime)
      guard let content = entry.content else { continue }
      writer.id(content)
      writer.varint(entry.size)
    }
    return writer.bytes
  }

  /// Decodes a canonical encoding; encoding the manifest again gives the same bytes.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    let format = try reader.u8()
    guard format == Self.format else { throw .unsupportedFormat(UInt64(format)) }
    let count = try reader.varint()
    let shortestEntryByteCount = 6
    guard count <= UInt64(reader.remaining / shortestEntryByteCount) else { throw .truncated }
    var entries: [PackageEntry] = []
    entries.reserveCapacity(min(Int(count), 4096))
    for _ in 0..<count { entries.append(try PackageEntry(from: &reader)) }
    try reader.finish()
    try self.init(ascending: entries)
  }
}

extension PackageEntry {
  fileprivate init(from reader: inout ByteReader) throws(DecodingFailure) {
    path = try reader.path()
    guard let kind = PackageEntryKind(rawValue: try reader.u8()) else { throw .invalidValue }
    self.kind = kind
    mode = try reader.mode()
    modificationTime = try reader.fileTime()
    content = kind == .folder ? nil : try reader.id()
    size = kind == .folder ? 0 : try reader.varint(limit: VersionRecord.maximumContentByteCount)
  }
}
