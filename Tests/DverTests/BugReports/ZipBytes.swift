/// Archives byte by byte, whatever a writer would refuse to make.
struct ZipBytes {
  struct Member {
    var name: String
    var content: [UInt8]
    /// Whether checksum and lengths follow the content, with or without the signature that most writers put before them.
    var descriptor: Descriptor = .none
    /// Stored bytes of a deflated member; `nil` for a stored one.
    var deflated: [UInt8]?
  }

  enum Descriptor { case none, signed, unsigned }

  private(set) var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  init(_ members: [Member]) {
    for member in members { append(member) }
    finish()
  }

  /// One member that the directory names many times.
  init(repeating member: Member, count: Int) {
    append(member)
    let entry = directory
    let length = 46 + member.name.utf8.count
    directory = []
    self.count = count
    for number in 0..<count {
      let digits = String(number)
      let name = "m" + String(repeating: "0", count: member.name.utf8.count - 1 - digits.utf8.count) + digits
      directory += entry[..<(length - member.name.utf8.count)] + Array(name.utf8)
    }
    finish()
  }

  private mutating func append(_ member: Member) {
    let offset = bytes.count
    let body = member.deflated ?? member.content
    let sums =
      Self.little(Self.checksum(member.content), 4) + Self.little(body.count, 4)
      + Self.little(member.content.count, 4)
    let flags = member.descriptor == .none ? 0 : 8
    let head =
      Self.little(20, 2) + Self.little(flags, 2) + Self.little(member.deflated == nil ? 0 : 8, 2)
      + Self.little(0, 2) + Self.little(0x21, 2)
    let name = Array(member.name.utf8)
    bytes += Self.little(0x0403_4B50, 4) + head + (member.descriptor == .none ? sums : [UInt8](repeating: 0, count: 12))
    bytes += Self.little(name.count, 2) + [0, 0] + name + body
    switch member.descriptor {
    case .none: break
    case .signed: bytes += Self.little(0x0807_4B50, 4) + sums
    case .unsigned: bytes += sums
    }
    directory += Self.little(0x0201_4B50, 4) + Self.little(20, 2) + head + sums + Self.little(name.count, 2)
    directory += [UInt8](repeating: 0, count: 12) + Self.little(offset, 4) + name
    count += 1
  }

  private mutating func finish() {
    let start = bytes.count
    bytes += directory
    bytes += Self.little(0x0605_4B50, 4) + [0, 0, 0, 0] + Self.little(count, 2) + Self.little(count, 2)
    bytes += Self.little(directory.count, 4) + Self.little(start, 4) + [0, 0]
  }

  static func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// CRC-32, bit by bit.
  static func checksum(_ content: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in content {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  /// `1 + 258 * runs` zero bytes as deflated: a block of fixed codes with one literal and runs of it.
  static func deflatedZeros(runs: Int) -> [UInt8] {
    var bits: [Bool] = [true, true, false]
    func append(_ code: Int, _ length: Int) {
      for place in (0..<length).reversed() { bits.append(code >> place & 1 == 1) }
    }
    append(0x30, 8)
    for _ in 0..<runs {
      append(0xC5, 8)
      append(0, 5)
    }
    append(0, 7)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | (start + $1 < bits.count && bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
  }
}
