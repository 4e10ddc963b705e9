public import Hashing
public import Versioning

/// What a pack is found by.
public enum CatalogPackName: Hashable, Sendable {
  /// A sealed pack: the SHA-256 of its file.
  case sealed(ObjectID)
  /// An active pack of a device, and its number.
  case active(DeviceID, UInt64)
}

/// A pack that the catalog knows.
public struct PackRow: Hashable, Sendable {
  /// What locations call the pack; never used twice in one catalog.
  public let number: Int64
  public let name: CatalogPackName
  /// How many of the file's bytes, from its beginning, are in the catalog.
  public var absorbedByteCount: UInt64
  /// The device that writes or wrote it.
  public let author: DeviceID

  public init(number: Int64, name: CatalogPackName, absorbedByteCount: UInt64, author: DeviceID) {
    self.number = number
    self.name = name
    self.absorbedByteCount = absorbedByteCount
    self.author = author
  }
}

extension CatalogPackName {
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 33)
    switch self {
    case .sealed(let id):
      writer.u8(0)
      writer.id(id)
    case .active(let device, let number):
      writer.u8(1)
      writer.raw(device.bytes)
      writer.varint(number)
    }
    return writer.bytes
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    switch try reader.u8() {
    case 0: self = .sealed(try reader.id())
    case 1: self = .active(try reader.identifier(), try reader.varint())
    default: throw .invalidValue
    }
  }
}

extension PackRow {
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.raw(name.encoded)
    writer.raw(author.bytes)
    writer.varint(absorbedByteCount)
    return writer.bytes
  }

  init(number: Int64, from reader: inout ByteReader) throws(DecodingFailure) {
    let name = try CatalogPackName(from: &reader)
    let author: DeviceID = try reader.identifier()
    let absorbed = try reader.varint()
    try reader.finish()
    self.init(number: number, name: name, absorbedByteCount: absorbed, author: author)
  }
}
