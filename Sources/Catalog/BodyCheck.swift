internal import Hashing

/// The last four bytes of each body and of each value of bytes: a check over what leads to it and its bytes, so that
/// neither a flipped bit nor a key that leads to another row's body gives a wrong answer.
///
/// Source: FNV-1a with 32 bits, http://www.isthe.com/chongo/tech/comp/fnv/.
enum BodyCheck {
  static let byteCount = 4

  /// The bytes with their check behind them.
  static func sealing(_ body: [UInt8], for owner: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: body.count + byteCount)
    writer.raw(body)
    writer.u32(sum(owner, body[...]))
    return writer.bytes
  }

  /// A reader of the bytes before the check.
  static func opening(_ sealed: [UInt8], for owner: [UInt8]) throws(DecodingFailure) -> ByteReader {
    let end = sealed.count - byteCount
    guard end >= 0 else { throw .truncated }
    var check = ByteReader(sealed, in: end..<sealed.count)
    guard try check.u32() == sum(owner, sealed[..<end]) else { throw .invalidValue }
    return ByteReader(sealed, in: 0..<end)
  }

  private static func sum(_ owner: [UInt8], _ body: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 2_166_136_261
    for byte in owner { sum = (sum ^ UInt32(byte)) &* 16_777_619 }
    for byte in body { sum = (sum ^ UInt32(byte)) &* 16_777_619 }
    return sum
  }
}
