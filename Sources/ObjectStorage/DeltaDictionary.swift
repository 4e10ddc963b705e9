/// Puts together the preset dictionary of a delta's inserted bytes: what surrounds the edits in the base.
///
/// It follows from the edits and the base alone, so that nothing is stored for it.
///
/// Source: docs/format.md, "Encodings".
struct DeltaDictionary<Base: DeltaBase> {
  private var base: Base
  private let output: UnsafeMutableRawBufferPointer
  private let share: Int
  private var editsLeft = DictionaryLimits.editCount
  private var byteCount = 0

  /// Begins a dictionary for so many edits that insert bytes, in a buffer of ``DictionaryLimits/byteCount`` bytes.
  init(base: Base, editCount: Int, output: UnsafeMutableRawBufferPointer) {
    precondition(output.count >= DictionaryLimits.byteCount, "the buffer takes any dictionary")
    self.base = base
    self.output = output
    share = max(DictionaryLimits.byteCount / max(editCount, 1), DictionaryLimits.leastShare)
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: output[..<byteCount]) }

  /// Adds what surrounds the next edit that inserts bytes; the edits come in their order.
  mutating func add(_ edit: DeltaEdit) {
    guard editsLeft > 0 else { return }
    editsLeft -= 1
    let from = edit.copyEnd
    let to = max(from, min(edit.next, from + DictionaryLimits.deletedByteCount))
    // The likeliest text comes last, as the nearest matches are the shortest to write.
    append(from: to, to: to + share / 4)
    append(from: from - share / 2, to: from)
    append(from: from, to: min(to, from + share / 4))
  }

  private mutating func append(from start: Int, to end: Int) {
    let start = max(start, 0)
    let end = min(end, base.count)
    guard start < end, let target = output.baseAddress else { return }
    // 500 edits with a share of 64 bytes, and fewer with a greater one, fill the buffer at most.
    precondition(byteCount + end - start <= output.count, "the shares sum up to the limit")
    base.copy(start..<end, to: target + byteCount)
    byteCount += end - start
  }
}

/// The bounds of a dictionary.
enum DictionaryLimits {
  /// Matches reach back 32,768 - 262 bytes, less what is already written.
  static let byteCount = 32_000
  static let editCount = 500
  static let leastShare = 64
  static let deletedByteCount = 8192
}

/// What a delta is against: bytes that can be looked up.
protocol DeltaBase {
  var count: Int { get }

  /// Copies bytes that are there.
  mutating func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer)
}

extension UnsafeRawBufferPointer: DeltaBase {
  func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
    guard let baseAddress else { return }
    target.copyMemory(from: baseAddress + range.lowerBound, byteCount: range.count)
  }
}
