/// Sizes for people.
enum ByteCount {
  private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// `999 B`, `1.2 kB`, `34.5 MB`: powers of 1000, one digit behind the point, rounded to the nearest.
  static func text(_ count: UInt64) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var unit: UInt64 = 1000
    for name in units {
      let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
      // Tenths, rounded; dividing first keeps a count near 2^64 from overflowing.
      let tenths = whole * 10 + (rest / (unit / 100) + 5) / 10
      if tenths < 10_000 || name == units.last { return "\(tenths / 10).\(tenths % 10) \(name)" }
      unit *= 1000
    }
    return "\(count) B"
  }
}
