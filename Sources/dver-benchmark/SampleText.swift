/// A text like prose, in lines, that is the same for the same seed.
struct SampleText: RandomNumberGenerator {
  private static let words = """
    the of and to in document version device edit line save store folder remote conflict garden spring summer autumn
    winter cherry water letter paper chapter note plan draft revision copy change small large old new early late
    between without during before after under over against toward beside kept written moved read sent found
    """.split { $0.isWhitespace }

  private var state: UInt64
  private var lines: [String] = []

  /// Makes a text of about so many bytes.
  init(byteCount: Int, seed: UInt64) {
    state = seed
    var length = 0
    while length < byteCount {
      let line = makeLine()
      length += line.utf8.count + 1
      lines.append(line)
    }
  }

  var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }

  /// Rewrites one line.
  mutating func edit() {
    let place = Int.random(in: lines.indices, using: &self)
    lines[place] = makeLine()
  }

  /// SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// Bytes without any pattern.
  mutating func noise(byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    while bytes.count < byteCount {
      withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0.prefix(byteCount - bytes.count)) }
    }
    return bytes
  }

  private mutating func makeLine() -> String {
    let count = Int.random(in: 4...14, using: &self)
    var chosen: [Substring] = []
    for _ in 0..<count { chosen.append(Self.words.randomElement(using: &self) ?? "") }
    return chosen.joined(separator: " ")
  }
}
