/// Sizes for people.
enum ByteCount {
  /// The first letters of the units, `kB` to `EB`.
  private static let units = Array("kMGTPE".utf8)

  /// `999 B`, `1.2 kB`, `34.5 MB`: powers of 1000, one digit behind the point, rounded to the nearest.
  static func text(_ count: UInt64) -> String {
    var bytes: [UInt8] = []
    append(count, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as ASCII codes, behind spaces where it is narrower than `width`.
  static func append(_ count: UInt64, width: Int = 0, to bytes: inout [UInt8]) {
    var place = 0
    var unit: UInt64 = 1000
    // In tenths, rounded; dividing first keeps a count near 2^64 from overflowing.
    func tenths() -> UInt64 { count / unit * 10 + (count % unit / (unit / 100) + 5) / 10 }
    guard count >= unit else {
      append(decimal: count, width: width - 2, to: &bytes)
      bytes.append(UInt8(ascii: " "))
      return bytes.append(UInt8(ascii: "B"))
    }
    while tenths() >= 10_000, place < units.count - 1 {
      unit *= 1000
      place += 1
    }
    let number = tenths()
    append(decimal: number / 10, width: width - 5, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    bytes.append(UInt8(ascii: " "))
    bytes.append(units[place])
    bytes.append(UInt8(ascii: "B"))
  }

  private static func append(decimal number: UInt64, width: Int, to bytes: inout [UInt8]) {
    var unit: UInt64 = 1
    var digitCount = 1
    while number / unit >= 10 {
      unit *= 10
      digitCount += 1
    }
    while digitCount < width {
      bytes.append(UInt8(ascii: " "))
      digitCount += 1
    }
    while unit > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
  }
}
