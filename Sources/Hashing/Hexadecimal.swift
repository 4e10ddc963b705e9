/// Bytes as hexadecimal digits, two a byte.
public enum Hexadecimal {
  /// The bytes as lower-case digits.
  @inlinable
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: encodeBytes(bytes), as: UTF8.self)
  }

  /// The bytes as the ASCII codes of lower-case digits.
  @inlinable
  public static func encodeBytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
    encode(bytes: Array(bytes))
  }

  @usableFromInline
  static func encode(bytes: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  /// The bytes that an even number of digits of either case stand for, or `nil`.
  @inlinable
  public static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    decode(digitBytes: Array(digits))
  }

  // Not generic: in another module that would be compiled for no type, and slow.
  @usableFromInline
  static func decode(digitBytes digits: [UInt8]) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for code in digits {
      guard let value = value(of: code) else { return nil }
      if let known = high {
        bytes.append(known << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// The value of one digit of either case, 0 to 15, or `nil`.
  public static func value(of code: UInt8) -> UInt8? {
    switch code {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): code - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): code - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): code - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
