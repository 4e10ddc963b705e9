/// A difference by words: what went stands in `[-` and `-]`, what came in `{+` and `+}`, inside the lines.
///
/// A word is a run of letters, digits, underscores and bytes beyond ASCII; a run of blanks is one piece, every other
/// character is one by itself. Changes with nothing but blanks between them are shown as one. A mark never spans a line
/// end: it is closed before and opened again behind it.
public enum WordDiff {
  /// Compares two texts; empty if they are equal. Headers and context are those of ``UnifiedDiff``, but the lines have no
  /// sign before them.
  public static func render(
    old: [UInt8], new: [UInt8], oldLabel: [UInt8], newLabel: [UInt8], context: Int = 3
  ) -> [UInt8] {
    render(LineDiff(old: old, new: new), oldLabel: oldLabel, newLabel: newLabel, context: context)
  }

  /// Writes a difference that is known already; empty if there is none.
  public static func render(
    _ diff: LineDiff, oldLabel: [UInt8], newLabel: [UInt8], context: Int = 3
  ) -> [UInt8] {
    guard !diff.hunks.isEmpty else { return [] }
    var output = DiffLabel.header(old: oldLabel, new: newLabel)
    for group in HunkGroup.groups(of: diff, context: context) {
      output += group.header
      var line = group.old.lowerBound
      for hunk in group.hunks {
        output += diff.old.bytes(ofLines: line..<hunk.old.lowerBound)
        output += render(
          old: Array(diff.old.bytes(ofLines: hunk.old)), new: Array(diff.new.bytes(ofLines: hunk.new)))
        line = hunk.old.upperBound
      }
      output += diff.old.bytes(ofLines: line..<group.old.upperBound)
      if output.last != 0x0A { output.append(0x0A) }
    }
    return output
  }

  /// Compares two passages whole, without headers. Without its insertions the result is the old passage, without its
  /// deletions the new one, save for line ends.
  public static func render(old: [UInt8], new: [UInt8]) -> [UInt8] {
    let words = WordTable.tables(old: old, new: new)
    let hunks = joined(SequenceDiff(old: words.old.ids, new: words.new.ids).hunks, words.old)
    var output: [UInt8] = []
    var word = 0
    for hunk in hunks {
      output += words.old.bytes(ofWords: word..<hunk.old.lowerBound)
      append(words.old.bytes(ofWords: hunk.old), open: "[-", close: "-]", to: &output)
      append(words.new.bytes(ofWords: hunk.new), open: "{+", close: "+}", to: &output)
      word = hunk.old.upperBound
    }
    output += words.old.bytes(ofWords: word..<words.old.ids.count)
    return output
  }

  private static func joined(_ hunks: [Hunk], _ words: WordTable) -> [Hunk] {
    var joined: [Hunk] = []
    for hunk in hunks {
      if let last = joined.last,
        words.bytes(ofWords: last.old.upperBound..<hunk.old.lowerBound).allSatisfy({ $0 == 0x20 || $0 == 0x09 })
      {
        joined[joined.count - 1] = Hunk(
          old: last.old.lowerBound..<hunk.old.upperBound, new: last.new.lowerBound..<hunk.new.upperBound)
      } else {
        joined.append(hunk)
      }
    }
    return joined
  }

  private static func append(
    _ passage: ArraySlice<UInt8>, open: String, close: String, to output: inout [UInt8]
  ) {
    var rest = passage
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      // The carriage return belongs to the line end.
      let textEnd = end < rest.endIndex && end > rest.startIndex && rest[end - 1] == 0x0D ? end - 1 : end
      if textEnd > rest.startIndex {
        output += Array(open.utf8) + rest[..<textEnd] + Array(close.utf8)
      }
      let next = min(end + 1, rest.endIndex)
      output += rest[textEnd..<next]
      rest = rest[next...]
    }
  }
}
