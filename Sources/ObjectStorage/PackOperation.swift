/// What a group of entries was written for.
///
/// Source: docs/format.md, "Entries".
public enum PackOperation: UInt8, Sendable, CaseIterable {
  case none = 0
  case save = 1
  case restore = 2
  case move = 3
  case delete = 4
  case resolve = 5
  case remove = 6
  case removeOther = 7
  case sync = 8
  case undo = 9
  case merge = 10
  case settings = 11
}
