import Diffing

/// The bytes of a string.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A string for a failure's message.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// A pair of small texts that share lines; ties are frequent, and so are missing last line feeds and CR LF.
struct SamplePair {
  let old: [UInt8]
  let new: [UInt8]

  init(using generator: inout some RandomNumberGenerator) {
    let alphabet = Int.random(in: 1...8, using: &generator)
    let lines = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
      Self.line(alphabet, &generator)
    }
    var changed = lines
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      let place = Int.random(in: 0...changed.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: changed.insert(Self.line(alphabet, &generator), at: place)
      case 1 where place < changed.count: changed.remove(at: place)
      case 2 where place < changed.count: changed[place] = Self.line(alphabet, &generator)
      default: break
      }
    }
    old = Self.joined(lines, &generator)
    new = Self.joined(changed, &generator)
  }

  private static func line(_ alphabet: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    let number = Int.random(in: 0..<alphabet, using: &generator)
    return bytes(["", "a", "b line\r", "c ccccccc", "--- d", "+e", "\\ f", " g"][number])
  }

  private static func joined(_ lines: [[UInt8]], _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    var joined = Array(lines.map { $0 + [0x0A] }.joined())
    if Int.random(in: 0..<4, using: &generator) == 0, !joined.isEmpty { joined.removeLast() }
    return joined
  }
}

/// What the hunks of a difference make of the old text.
func applying(_ hunks: [Hunk], of diff: LineDiff) -> [UInt8] {
  var output: [UInt8] = []
  var line = 0
  for hunk in hunks {
    output += diff.old.bytes(ofLines: line..<hunk.old.lowerBound)
    output += diff.new.bytes(ofLines: hunk.new)
    line = hunk.old.upperBound
  }
  return output + diff.old.bytes(ofLines: line..<diff.old.count)
}
