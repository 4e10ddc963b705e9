import Merging

/// The bytes of a string.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A string for a failure's message.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// What a document without a format of its own merges to; `nil` where it doesn't.
func driverMerge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
  MergeDriver.mergeContents(path: bytes("a.txt"), base: base, ours: ours, theirs: theirs).content
}

/// A base and two sides made from it by a few edits.
struct MergeSample {
  let base: [UInt8]
  let ours: [UInt8]
  let theirs: [UInt8]

  /// - Parameter repeats: whether equal lines may occur; without, each line's text is its own.
  init(repeats: Bool, using generator: inout some RandomNumberGenerator) {
    let alphabet = repeats ? Int.random(in: 1...8, using: &generator) : 1_000_000
    let lines = (0..<Int.random(in: 0...24, using: &generator)).map { index in
      repeats ? Int.random(in: 0..<alphabet, using: &generator) : index
    }
    base = Self.joined(lines, &generator)
    ours = Self.joined(Self.edited(lines, alphabet, &generator), &generator)
    theirs = Self.joined(Self.edited(lines, alphabet, &generator), &generator)
  }

  private static func edited(
    _ lines: [Int], _ alphabet: Int, _ generator: inout some RandomNumberGenerator
  ) -> [Int] {
    var lines = lines
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...lines.count, using: &generator)
      let line = Int.random(in: alphabet / 2..<alphabet, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: lines.insert(line, at: place)
      case 1 where place < lines.count: lines.remove(at: place)
      case 2 where place < lines.count: lines[place] = line
      default: break
      }
    }
    return lines
  }

  private static func joined(_ lines: [Int], _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    var joined = Array(lines.map { bytes("line \($0)\($0 % 5 == 3 ? "\r" : "")\n") }.joined())
    if Int.random(in: 0..<8, using: &generator) == 0, !joined.isEmpty { joined.removeLast() }
    return joined
  }
}

extension MergeOutcome {
  var isClean: Bool {
    if case .clean = self { true } else { false }
  }

  var merged: [UInt8]? {
    if case .clean(let content) = self { content } else { nil }
  }

  /// The number of conflicts; 0 for a clean merge.
  var conflictCount: Int {
    if case .conflict(let count, _) = self { count } else { 0 }
  }
}
