import Diffing
import Merging
import Testing

@Suite("Merges of real and handmade documents") struct MergeCorpusTests {
  /// What holds for every case: swapped sides agree, and an unchanged side gives the other.
  private static func checkSymmetry(_ row: MergeCase) {
    guard let ours = row.ours, let theirs = row.theirs else { return }
    let base = row.base ?? []
    let there = TextMerge.merge(base: base, ours: ours, theirs: theirs)
    let back = TextMerge.merge(base: base, ours: theirs, theirs: ours)
    #expect(there.isClean == back.isClean, "\(row.id)")
    #expect(there.merged == back.merged, "\(row.id)")
    #expect(TextMerge.merge(base: base, ours: base, theirs: theirs) == .clean(theirs), "\(row.id)")
    #expect(TextMerge.merge(base: base, ours: ours, theirs: base) == .clean(ours), "\(row.id)")
    #expect(TextMerge.merge(base: base, ours: ours, theirs: ours) == .clean(ours), "\(row.id)")
  }

  /// Both sides of every conflict can be read from the marked text.
  private static func checkMarkers(_ row: MergeCase) {
    guard let ours = row.ours, let theirs = row.theirs else { return }
    let base = row.base ?? []
    guard
      let marked = ConflictMarkers.render(base: base, ours: ours, theirs: theirs, labels: ConflictLabels())
    else { return }
    let merge = TextMerge(base: base, ours: ours, theirs: theirs)
    let conflicts = merge.regions(in: .merge).filter { $0.origin == .conflict }
    let read = MarkedConflict.all(in: marked)
    #expect(
      read.map(\.ours) == conflicts.map { MarkedConflict.completed(merge.ours.bytes(ofLines: $0.ours)) },
      "\(row.id)")
    #expect(
      read.map(\.theirs)
        == conflicts.map { MarkedConflict.completed(merge.theirs.bytes(ofLines: $0.theirs)) }, "\(row.id)")
  }

  private static func check(_ row: MergeCase) {
    // A document that does not exist in a version is settled as a value, before its content.
    let field = FieldMerge(base: row.base, ours: row.ours, theirs: row.theirs)
    guard let ours = row.ours, let theirs = row.theirs else {
      #expect(field == (row.verdict == "deleted" ? .clean(nil) : .conflict), "\(row.id)")
      return
    }
    let outcome = TextMerge.merge(base: row.base ?? [], ours: ours, theirs: theirs)
    switch row.verdict {
    case "clean": #expect(outcome.merged == row.expected, "\(row.id)")
    case "conflict": #expect(!outcome.isClean, "\(row.id)")
    case "either": #expect(!outcome.isClean || outcome.merged == row.alternative, "\(row.id)")
    default: Issue.record("\(row.id): verdict \(row.verdict)")
    }
    if let count = row.conflictCount { #expect(outcome.conflictCount == count, "\(row.id)") }
  }

  @Test("The small handmade cases have their verdicts, bytes and numbers of conflicts")
  func handmade() {
    let cases = TestData.handmade
    #expect(cases.count == 91)
    for row in cases {
      Self.check(row)
      Self.checkSymmetry(row)
      Self.checkMarkers(row)
    }
  }

  @Test("The large handmade cases too")
  func largeHandmade() {
    guard let cases = TestData.corpus("merge-handmade", variable: "DVER_MERGE_HANDMADE") else {
      print("skipped: large handmade merges not present")
      return
    }
    let large: Set = ["h053", "h056", "h057", "h058"]
    for row in cases where large.contains(row.id) { Self.check(row) }
  }

  @Test("Real merges have git's verdicts, bytes and numbers of conflicts")
  func real() {
    guard let cases = TestData.corpus("merge", variable: "DVER_MERGE_CORPUS") else {
      print("skipped: merge corpus not present")
      return
    }
    #expect(cases.count == 398)
    for row in cases {
      Self.check(row)
      Self.checkSymmetry(row)
      Self.checkMarkers(row)
    }
  }

  // MARK: The automatic merge

  /// What git says of a case; `nil` where it has no say.
  private static func gitAnswer(_ row: MergeCase) -> MergeDifference.Answer? {
    switch row.row["git"] ?? row.verdict {
    case "clean": .clean
    case "binary": .refused
    case "-": nil
    default: .conflict
    }
  }

  /// How the automatic merge differs from git, which has its own word for where it is clean: the expected bytes.
  private static func difference(_ row: MergeCase) -> MergeDifference.Answer? {
    guard let ours = row.ours, let theirs = row.theirs, let git = gitAnswer(row) else { return nil }
    let path = bytes(row.row["path"] ?? "document.txt")
    let base = row.base ?? []
    let outcome = MergeDriver.mergeContents(path: path, base: base, ours: ours, theirs: theirs)
    let back = MergeDriver.mergeContents(path: path, base: base, ours: theirs, theirs: ours)
    #expect(outcome.content == back.content, "\(row.id)")
    if let known = row.conflictCount, git == .conflict, outcome.conflictCount > 0 {
      #expect(outcome.conflictCount == known && back.conflictCount == known, "\(row.id)")
    }
    switch outcome {
    case .clean(let content):
      if git == .clean { return content == row.expected ? nil : .clean }
      if let allowed = row.expected ?? row.alternative { #expect(content == allowed, "\(row.id)") }
      return .clean
    case .conflict: return git == .conflict ? nil : .conflict
    case .refused: return git == .refused ? nil : .refused
    }
  }

  private static func check(_ cases: [MergeCase], differAs known: [MergeDifference]) {
    var differences: [String: MergeDifference.Answer] = [:]
    for row in cases {
      guard let answer = difference(row) else { continue }
      differences[row.id] = answer
      #expect(known.first { $0.id == row.id }.map { $0.git } == gitAnswer(row), "\(row.id)")
    }
    let names = Set(cases.map(\.id))
    let expected = known.filter { names.contains($0.id) }.map { ($0.id, $0.ours) }
    #expect(differences == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("The automatic merge differs from git in the handmade cases that are listed, in no other")
  func handmadeDifferences() {
    Self.check(TestData.handmade, differAs: MergeDifference.handmade)
    #expect(MergeDifference.handmade.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("The automatic merge differs from git in the real cases that are listed, in no other")
  func realDifferences() {
    guard let cases = TestData.corpus("merge", variable: "DVER_MERGE_CORPUS") else {
      print("skipped: merge corpus not present")
      return
    }
    Self.check(cases, differAs: MergeDifference.real)
    #expect(MergeDifference.real.allSatisfy { !$0.reason.isEmpty })
  }
}
