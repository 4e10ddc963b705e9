import Merging
import Testing

@Suite("Three-way merge of one value") struct FieldMergeTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let base: String?
    let ours: String?
    let theirs: String?
    let expected: FieldMerge<String?>
  }

  static let rows = [
    Row(testDescription: "nothing changed", base: "a", ours: "a", theirs: "a", expected: .clean("a")),
    Row(testDescription: "only ours changed", base: "a", ours: "b", theirs: "a", expected: .clean("b")),
    Row(testDescription: "only theirs changed", base: "a", ours: "a", theirs: "b", expected: .clean("b")),
    Row(testDescription: "same change", base: "a", ours: "b", theirs: "b", expected: .clean("b")),
    Row(testDescription: "both changed", base: "a", ours: "b", theirs: "c", expected: .conflict),
    Row(testDescription: "deleted against nothing", base: "a", ours: nil, theirs: "a", expected: .clean(nil)),
    Row(testDescription: "deleted against edit", base: "a", ours: nil, theirs: "b", expected: .conflict),
    Row(testDescription: "deleted by both", base: "a", ours: nil, theirs: nil, expected: .clean(nil)),
    Row(testDescription: "created alike", base: nil, ours: "b", theirs: "b", expected: .clean("b")),
    Row(testDescription: "created differently", base: nil, ours: "b", theirs: "c", expected: .conflict),
  ]

  @Test("follows the rule, from either side", arguments: rows)
  func followsRule(_ row: Row) {
    #expect(FieldMerge(base: row.base, ours: row.ours, theirs: row.theirs) == row.expected)
    #expect(FieldMerge(base: row.base, ours: row.theirs, theirs: row.ours) == row.expected)
  }
}
