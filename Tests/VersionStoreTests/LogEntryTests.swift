import Hashing
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("Log entries") struct LogEntryTests {
  static func id(_ byte: UInt8) -> ObjectID {
    ObjectID(digest: [UInt8](repeating: byte, count: 32)) ?? SHA256.hash([])
  }
  static func device(_ byte: UInt8) -> DeviceID {
    DeviceID(bytes: [UInt8](repeating: byte, count: 16)) ?? DeviceID(high: 0, low: 0)
  }

  static let first = LogEntry(
    device: device(0xD1), number: 1, previous: nil, wallTime: 1_764_460_800_000,
    packs: [.init(id: id(0xB1), byteCount: 300)], heads: [])
  static let later = LogEntry(
    device: device(0xD1), number: 256, previous: id(0xE1), wallTime: -1,
    packs: [.init(id: id(0xB2), byteCount: 1), .init(id: id(0xB1), byteCount: 1 << 32 - 1)],
    heads: [
      .init(device: device(0xD3), number: 7, entry: id(0xE3)),
      .init(device: device(0xD2), number: 300, entry: id(0xE2)),
    ])

  @Test("have the bytes of the format") func golden() {
    func repeated(_ byte: String, _ count: Int) -> String { String(repeating: byte, count: count) }
    let one =
      "6476" + "65726c6f6700" + "0100" + "0000" + repeated("d1", 16) + "01" + repeated("00", 32) + "80a0f9a0da66"
    check(Self.first, one + "01" + repeated("b1", 32) + "ac02" + "00")
    let two = "647665726c6f6700" + "0100" + "0100" + repeated("d1", 16) + "8002" + repeated("e1", 32) + "01"
    check(
      Self.later,
      two + "02" + repeated("b2", 32) + "01" + repeated("b1", 32) + "ffffffff0f" + "02" + repeated("d2", 16) + "ac02"
        + repeated("e2", 32) + repeated("d3", 16) + "07" + repeated("e3", 32))
  }

  private func check(_ entry: LogEntry, _ body: String) {
    let bytes = Hexadecimal.decode(Array(body.utf8)) ?? []
    #expect(Hexadecimal.encode(entry.encoded()) == body + Hexadecimal.encode(SHA256.hash(bytes).digest.prefix(4)))
  }

  @Test("come back as they were written", arguments: [first, later]) func roundTrip(_ entry: LogEntry) throws {
    #expect(try LogEntry(decoding: entry.encoded()) == entry)
  }

  @Test("that are cut, followed by something or flipped are refused", arguments: [first, later])
  func damage(_ entry: LogEntry) {
    let bytes = entry.encoded()
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try LogEntry(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: DecodingFailure.self) { try LogEntry(decoding: bytes + [0]) }
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      #expect(throws: DecodingFailure.self) { try LogEntry(decoding: damaged) }
    }
  }

  /// Bytes with a check that holds: what a hostile writer can make.
  private func sealed(_ text: String) -> [UInt8] {
    let bytes = Hexadecimal.decode(Array(text.utf8)) ?? []
    return bytes + SHA256.hash(bytes).digest.prefix(4)
  }

  @Test("whose check holds but whose fields are impossible are refused") func hostile() {
    let magic = "647665726c6f6700"
    let device = String(repeating: "d1", count: 16)
    let none = String(repeating: "00", count: 32)
    let some = String(repeating: "e1", count: 32)
    let head = String(repeating: "d2", count: 16) + "01" + some
    let rows: [(String, DecodingFailure?)] = [
      (magic + "01000000" + device + "01" + none + "00" + "00" + "00", nil),
      ("647665726c6f6701" + "01000000" + device + "01" + none + "000000", .invalidValue),
      (magic + "02000000" + device + "01" + none + "000000", .unsupportedFormat(2)),
      (magic + "01000100" + device + "01" + none + "000000", .invalidValue),
      (magic + "01000200" + device + "01" + none + "000000", .invalidValue),
      (magic + "01000000" + device + "00" + none + "000000", .invalidValue),
      (magic + "01000000" + device + "02" + none + "000000", .invalidValue),
      (magic + "01000000" + device + "01" + some + "000000", .invalidValue),
      (magic + "01000000" + device + "8002" + some + "000000", .invalidValue),
      (magic + "01000000" + device + "8100" + some + "000000", .malformedNumber),
      (magic + "01000000" + device + "01" + none + "00" + "ffffffffffffffffff01" + "00", .limitExceeded),
      (magic + "01000000" + device + "01" + none + "00" + "00" + "ffffffffffffffffff01", .limitExceeded),
      (magic + "01000000" + device + "01" + none + "00" + "00" + "02" + head + head, .invalidValue),
      (magic + "01000000" + device + "01" + none + "00" + "00" + "00" + "00", .trailingBytes),
    ]
    for (text, failure) in rows {
      do {
        _ = try LogEntry(decoding: sealed(text))
        #expect(failure == nil, "\(text)")
      } catch { #expect(error == failure, "\(text)") }
    }
  }
}
