/// Puts together the preset dictionary of a delta's inserted bytes: what surrounds the edits in the base.
///
/// It follows from the edits and the base alone, so that nothing is stored for it.
///
/// Source: docs/format.md, "Encodings".
struct DeltaDictionary {
  /// Matches reach back 32,768 - 262 bytes, less what is already written.
  static let byteCountLimit = 32_000
  private static let editCountLimit = 500
  private static let leastShare = 64
  private static let deletedByteCountLimit = 8192

  private let base: UnsafeRawBufferPointer
  private let output: UnsafeMutableRawBufferPointer
  private let share: Int
  private var editsLeft = Self.editCountLimit
  private var byteCount = 0

  /// Begins a dictionary for so many edits that insert bytes, in a buffer of ``byteCountLimit`` bytes.
  init(base: UnsafeRawBufferPointer, editCount: Int, output: UnsafeMutableRawBufferPointer) {
    precondition(output.count >= Self.byteCountLimit, "the buffer takes any dictionary")
    self.base = base
    self.output = output
    share = max(Self.byteCountLimit / max(editCount, 1), Self.leastShare)
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: output[..<byteCount]) }

  /// Adds what surrounds the next edit that inserts bytes; the edits come in their order.
  mutating func add(_ edit: DeltaEdit) {
    guard editsLeft > 0 else { return }
    editsLeft -= 1
    let from = edit.copyEnd
    let to = max(from, min(edit.next, from + Self.deletedByteCountLimit))
    // The likeliest text comes last, as the nearest matches are the shortest to write.
    append(from: to, to: to + share / 4)
    append(from: from - share / 2, to: from)
    append(from: from, to: min(to, from + share / 4))
  }

  private mutating func append(from start: Int, to end: Int) {
    let start = max(start, 0)
    let end = min(end, base.count)
    guard start < end, let source = base.baseAddress else { return }
    // 500 edits with a share of 64 bytes, and fewer with a greater one, fill the buffer at most.
    precondition(byteCount + end - start <= output.count, "the shares sum up to the limit")
    output.baseAddress?.advanced(by: byteCount).copyMemory(from: source + start, byteCount: end - start)
    byteCount += end - start
  }
}
