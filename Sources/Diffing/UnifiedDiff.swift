/// A difference in the unified format, as `diff -u` and git write it and `patch` applies it.
///
/// Source: GNU diffutils manual, "Detailed Description of Unified Format".
public enum UnifiedDiff {
  /// Compares two texts; empty if they are equal.
  ///
  /// - Parameters:
  ///   - oldLabel: the name behind `---`, for instance `a/letter.txt`; quoted where it has to be.
  ///   - newLabel: the name behind `+++`.
  ///   - context: how many unchanged lines to show around a change.
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
        append(line..<hunk.old.lowerBound, of: diff.old, sign: 0x20, to: &output)
        append(hunk.old, of: diff.old, sign: 0x2D, to: &output)
        append(hunk.new, of: diff.new, sign: 0x2B, to: &output)
        line = hunk.old.upperBound
      }
      append(line..<group.old.upperBound, of: diff.old, sign: 0x20, to: &output)
    }
    return output
  }

  private static func append(
    _ lines: Range<Int>, of table: LineTable, sign: UInt8, to output: inout [UInt8]
  ) {
    for line in lines {
      output.append(sign)
      output += table[line]
    }
    if lines.upperBound == table.count && !lines.isEmpty && !table.endsWithLineFeed {
      output += Array("\n\\ No newline at end of file\n".utf8)
    }
  }
}
