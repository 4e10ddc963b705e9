/// The difference of two texts by lines.
public struct LineDiff: Sendable {
  public let old: LineTable
  public let new: LineTable
  /// Where they differ, in order; empty exactly if the texts are equal. Positions are lines, from 0.
  public let hunks: [Hunk]

  public init(old: [UInt8], new: [UInt8]) {
    let tables = LineTable.tables(of: [old, new])
    self.init(old: tables[0], new: tables[1])
  }

  /// Compares two tables that were made together.
  public init(old: LineTable, new: LineTable) {
    self.old = old
    self.new = new
    hunks = SequenceDiff(old: old.ids, new: new.ids).hunks
  }

  /// Where two texts differ, in order. Positions are lines, from 0.
  public static func hunks(old: [UInt8], new: [UInt8]) -> [Hunk] {
    LineDiff(old: old, new: new).hunks
  }
}
