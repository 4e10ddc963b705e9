import Hashing
import Testing
import VersionStore
import Versioning

/// Literal bytes that were put together by another program from docs/format.md.
@Suite("The bytes of a log entry") struct GoldenLogEntryTests {
  private static let device = DeviceID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
  private static let other = DeviceID(high: 0xFFEE_DDCC_BBAA_9988, low: 0x7766_5544_3322_1100)

  private static func id(_ text: String) -> ObjectID { SHA256.hash(Array(text.utf8)) }

  static let first = LogEntry(
    device: device, number: 1, previous: nil, wallTime: 1_764_460_800_000,
    packs: [.init(id: id("pack one"), byteCount: 300)], heads: [])

  static let checkpoint = LogEntry(
    device: device, number: 256, previous: id("entry 255"), wallTime: -1,
    packs: [
      .init(id: id("pack one"), byteCount: 300), .init(id: id("pack two"), byteCount: 33_554_432),
    ],
    heads: [
      .init(device: other, number: 12, entry: id("other 12")),
      .init(device: DeviceID(high: 0, low: 7), number: 1, entry: id("seven 1")),
    ])

  static let firstBytes = """
    647665726c6f67000100000000112233445566778899aabbccddeeff0100000000000000000000000000000000000000\
    0000000000000000000000000080a0f9a0da66016ad8444b1c80c41fce0713b82fc989cf872043f9f501d8b6ff24c25a\
    bf4f1102ac02007ebc9538
    """

  static let checkpointBytes = """
    647665726c6f67000100010000112233445566778899aabbccddeeff800248014e520018c699d314845dc810a137421e\
    23c047b4156b89c0e229b418413d01026ad8444b1c80c41fce0713b82fc989cf872043f9f501d8b6ff24c25abf4f1102\
    ac02ccd6b0bf5ef1cdc8d4adc9f3e8c6accebc45b3d5b32ed4f565ba5b21ae0f25aa8080801002000000000000000000\
    0000000000000701c1fb242f34799c4edea6ab168a471e60e0b64e32ea5dc1dac466a1dab60581b2ffeeddccbbaa9988\
    77665544332211000c035ad4e78e4b6930366a9a7af2d9d646423a866a4caece4aa5c05623dbfccc0be918057a
    """

  @Test("are these", arguments: [(first, firstBytes), (checkpoint, checkpointBytes)])
  func encoding(_ entry: LogEntry, _ hexadecimal: String) throws {
    #expect(Hexadecimal.encode(entry.encoded()) == hexadecimal)
    let bytes = try #require(Hexadecimal.decode(Array(hexadecimal.utf8)))
    #expect(try LogEntry(decoding: bytes) == entry)
  }

  @Test("are refused when a bit is flipped or the end is missing", arguments: [first, checkpoint])
  func damage(_ entry: LogEntry) {
    let bytes = entry.encoded()
    for place in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[place] ^= 1 << UInt8(bit)
        #expect(throws: DecodingFailure.self) { try LogEntry(decoding: flipped) }
      }
      #expect(throws: DecodingFailure.self) { try LogEntry(decoding: Array(bytes[..<place])) }
    }
    #expect(throws: DecodingFailure.self) { try LogEntry(decoding: bytes + [0]) }
  }

  /// Changes bytes and puts the check right, so that only the fields are wrong.
  private func resealed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var body = Array(bytes.dropLast(4))
    change(&body)
    return body + SHA256.hash(body).digest.prefix(4)
  }

  @Test("are refused where a field is not possible")
  func impossibleFields() {
    let bytes = Self.first.encoded()
    let wrong: [[UInt8]] = [
      resealed(bytes) { $0[0] = 0 },
      resealed(bytes) { $0[10] = 1 },  // a checkpoint that isn't one
      resealed(bytes) { $0[28] = 0 },  // number 0
      resealed(bytes) { $0[28] = 2 },  // a second one without a predecessor
      resealed(bytes) { $0[67] = 200 },  // more packs than there are bytes
      resealed(bytes) { $0.append(0) },
      resealed(bytes) { $0.removeLast() },
    ]
    for bytes in wrong { #expect(throws: DecodingFailure.self) { try LogEntry(decoding: bytes) } }
    #expect(throws: DecodingFailure.unsupportedFormat(2)) {
      try LogEntry(decoding: resealed(bytes) { $0[8] = 2 })
    }
  }

  @Test("claim no memory that they don't fill")
  func hostileCounts() {
    var writer = ByteWriter()
    writer.raw(Self.first.encoded().prefix(67))
    writer.varint(.max)
    let bytes = writer.bytes + SHA256.hash(writer.bytes).digest.prefix(4)
    #expect(throws: DecodingFailure.self) { try LogEntry(decoding: bytes) }
  }
}
