/// How many lines a change put in and took out.
public struct DiffStatistics: Hashable, Sendable {
  public let insertions: Int
  public let deletions: Int

  public init(insertions: Int, deletions: Int) {
    self.insertions = insertions
    self.deletions = deletions
  }

  /// Counts what the hunks put in and take out.
  public init(_ hunks: [Hunk]) {
    insertions = hunks.reduce(0) { $0 + $1.new.count }
    deletions = hunks.reduce(0) { $0 + $1.old.count }
  }

  /// Compares two texts by lines.
  public init(old: [UInt8], new: [UInt8]) {
    self.init(LineDiff.hunks(old: old, new: new))
  }
}
