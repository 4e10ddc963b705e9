public import Hashing
public import Versioning

/// One push of a device: the commit that makes its packs part of what everybody holds.
///
/// Source: docs/format.md, "Log entry".
public struct LogEntry: Equatable, Sendable {
  /// A pack that the entry brings.
  public struct Pack: Equatable, Sendable {
    public let id: ObjectID
    public let byteCount: UInt64

    public init(id: ObjectID, byteCount: UInt64) {
      self.id = id
      self.byteCount = byteCount
    }
  }

  /// The newest entry of another device on which this one relies.
  public struct Head: Equatable, Sendable {
    public let device: DeviceID
    public let number: UInt64
    public let entry: ObjectID

    public init(device: DeviceID, number: UInt64, entry: ObjectID) {
      self.device = device
      self.number = number
      self.entry = entry
    }
  }

  /// The longest entry that is read, in bytes: a checkpoint of a million packs.
  public static let maximumByteCount = 64 << 20
  /// Every entry whose number is a multiple of this names all packs and heads of its device.
  public static let checkpointInterval: UInt64 = 256

  private static let magic = Array("dverlog\0".utf8)

  public var device: DeviceID
  /// From 1.
  public var number: UInt64
  /// The identity of the entry before; `nil` for number 1.
  public var previous: ObjectID?
  public var wallTime: Int64
  public var packs: [Pack]
  /// Ascending by device.
  public var heads: [Head]

  public init(
    device: DeviceID, number: UInt64, previous: ObjectID?, wallTime: Int64, packs: [Pack], heads: [Head]
  ) {
    self.device = device
    self.number = number
    self.previous = previous
    self.wallTime = wallTime
    self.packs = packs
    self.heads = heads.sorted { $0.device < $1.device }
  }

  public var isCheckpoint: Bool { number.isMultiple(of: Self.checkpointInterval) }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 128 + 40 * packs.count + 56 * heads.count)
    writer.raw(Self.magic)
    writer.u16(1)
    writer.u16(isCheckpoint ? 1 : 0)
    writer.raw(device.bytes)
    writer.varint(number)
    if let previous { writer.id(previous) } else { writer.raw([UInt8](repeating: 0, count: ObjectID.byteCount)) }
    writer.zigzag(wallTime)
    writer.varint(UInt64(packs.count))
    for pack in packs {
      writer.id(pack.id)
      writer.varint(pack.byteCount)
    }
    writer.varint(UInt64(heads.count))
    for head in heads {
      writer.raw(head.device.bytes)
      writer.varint(head.number)
      writer.id(head.entry)
    }
    let digest = SHA256.hash(writer.bytes)
    writer.raw(digest.digest.prefix(4))
    return writer.bytes
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    guard bytes.count > 4 else { throw .truncated }
    let checked = bytes.count - 4
    guard SHA256.hash(Array(bytes[..<checked])).digest.prefix(4).elementsEqual(bytes[checked...]) else {
      throw .invalidValue
    }
    var reader = ByteReader(bytes, in: 0..<checked)
    guard try reader.raw(Self.magic.count) == Self.magic else { throw .invalidValue }
    let format = try reader.u16()
    guard format == 1 else { throw .unsupportedFormat(UInt64(format)) }
    let flags = try reader.u16()
    device = try reader.device()
    number = try reader.varint()
    let previous = try reader.id()
    let isFirst = previous.digest.allSatisfy { $0 == 0 }
    guard number >= 1, (number == 1) == isFirst else { throw .invalidValue }
    self.previous = isFirst ? nil : previous
    wallTime = try reader.zigzag()
    packs = []
    for _ in 0..<(try reader.varint(limit: UInt64(reader.remaining / 33))) {
      packs.append(Pack(id: try reader.id(), byteCount: try reader.varint()))
    }
    heads = []
    for _ in 0..<(try reader.varint(limit: UInt64(reader.remaining / 49))) {
      let head = Head(device: try reader.device(), number: try reader.varint(), entry: try reader.id())
      guard heads.last.map({ $0.device < head.device }) ?? true else { throw .invalidValue }
      heads.append(head)
    }
    try reader.finish()
    guard flags == (isCheckpoint ? 1 : 0) else { throw .invalidValue }
  }
}

extension ByteReader {
  fileprivate mutating func device() throws(DecodingFailure) -> DeviceID {
    guard let device = DeviceID(bytes: try raw(16)) else { throw .invalidValue }
    return device
  }
}
