import TestSupport

/// Content of many kinds to compress.
enum DeflateSample: String, CaseIterable {
  case text, markup, random, zeros, runs, periodic, far, mixed, few

  func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &+ UInt64(count))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 1000)
    while bytes.count < count { append(to: &bytes, using: &generator) }
    return Array(bytes.prefix(count))
  }

  private static let words = Array(
    """
    the of and a to in he have it that for they with as not on she at by this we you do but from or which one would all \
    will there say who make when can more if no man out other so what time up go about than into could state only new \
    year some take come these know see use get like then first any work now may such give over think most even find day
    """.utf8
  ).split(separator: 0x20)

  private func append(to bytes: inout [UInt8], using generator: inout SeededGenerator) {
    func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    switch self {
    case .text:
      // The lower of two numbers makes some words frequent.
      bytes += Self.words[min(random(0...(Self.words.count - 1)), random(0...(Self.words.count - 1)))]
      bytes.append(random(0...11) == 0 ? 0x0A : 0x20)
    case .markup:
      bytes += Array("<w:r><w:rPr><w:sz w:val=\"\(random(18...24))\"/></w:rPr><w:t>".utf8)
      bytes += Self.words[random(0...(Self.words.count - 1))]
      bytes += Array("</w:t></w:r>".utf8)
    case .random: for _ in 0..<64 { bytes.append(UInt8(random(0...255))) }
    case .zeros: bytes += [UInt8](repeating: 0, count: 4096)
    case .runs: bytes += [UInt8](repeating: UInt8(random(0...255)), count: random(1...700))
    case .periodic:
      let period = (0..<random(2...300)).map { _ in UInt8(random(0...255)) }
      for _ in 0..<random(2...20) { bytes += period }
    case .far:
      // Random bytes with copies from close to the greatest distance and just past it.
      for _ in 0..<random(100...4000) { bytes.append(UInt8(random(0...255))) }
      let distance = random(32_000...33_000)
      if bytes.count > distance { bytes += bytes[(bytes.count - distance)...].prefix(random(3...300)) }
    case .mixed:
      let kinds: [DeflateSample] = [.text, .markup, .random, .runs, .periodic, .far, .few]
      let kind = kinds[random(0...(kinds.count - 1))]
      for _ in 0..<random(1...200) { kind.append(to: &bytes, using: &generator) }
    case .few: for _ in 0..<64 { bytes.append(UInt8(0x61 + random(0...2) * random(0...1))) }
    }
  }
}
