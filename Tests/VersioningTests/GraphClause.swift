/// A clause of the rules and the named history that notices where it is broken.
struct GraphClause: Sendable {
  let rule: String
  let text: String
  let history: String

  init(_ rule: String, _ text: String, _ history: String) {
    self.rule = rule
    self.text = text
    self.history = history
  }

  static let all = [
    GraphClause("R8", "a retraction takes a version out of the heads", "undo-of-a-resolution"),
    GraphClause(
      "R8", "a retraction does not count where a parent is removed", "undo-of-a-resolution-whose-parents-were-removed"),
    GraphClause(
      "R8", "a removed version further back does not stop a retraction", "undo-of-a-resolution-above-a-removed-version"),
    GraphClause("R8", "what an unretracted version descends from stays superseded", "a-save-on-what-was-retracted"),
    GraphClause("R8", "a removal never changes which versions are heads", "a-removal-leaves-heads-alone"),
    GraphClause("R8", "a retracted removal gives up nothing", "undo-of-a-removal"),
    GraphClause("R8", "one rule removes all ancestors", "remove-other-of-a-single-head"),
    GraphClause("R8", "removed versions stay known as ancestors", "an-old-device-brings-nothing-back"),
    GraphClause("R8", "opposite removals leave both kept versions", "opposite-remove-others"),
    GraphClause("R8", "sides of a retracted automatic merge are kept apart", "undo-of-an-automatic-merge"),
    GraphClause("R8", "only a retraction that counts keeps apart", "a-retraction-that-does-not-count-is-no-bar"),
    GraphClause("R8", "a head with both sides is not kept apart", "after-an-undone-merge-a-head-with-both-sides"),
    GraphClause("R8", "a retracted resolution keeps nothing apart", "an-undone-resolution-is-no-bar"),
    GraphClause("R8", "the bar goes by parents, whatever the rules", "an-undone-merge-under-other-rules"),
    GraphClause("R9", "a merge is a pure function of its parents, greater first", "a-clean-merge"),
    GraphClause("R9", "pairs are tried in the order of ids", "pairs-are-tried-in-the-order-of-ids"),
    GraphClause("R9", "merged again until no pair is clean", "merged-again-until-no-pair-is-clean"),
    GraphClause(
      "R9", "of merges with the same sources the greater id stays", "two-orders-of-merging-and-the-greater-id-earlier"),
    GraphClause("R9", "the higher number of rules stays", "two-numbers-of-rules"),
    GraphClause("R9", "a resolution beats a concurrent merge", "a-resolution-beats-a-concurrent-merge"),
    GraphClause("R9", "sources are looked for through merges of merges", "a-resolution-beats-a-merge-of-merges"),
    GraphClause("R9", "every source has to be behind the other head", "a-merge-with-a-source-of-its-own-stays"),
    GraphClause("R9", "one other head has to have all sources", "sources-behind-two-heads"),
    GraphClause("R9", "bases that disagree are a conflict", "opposite-choices"),
    GraphClause("R9", "bases that agree are merged over", "several-bases-that-agree"),
    GraphClause("R9", "a base without a merge prevents it", "several-bases-of-which-one-has-no-merge"),
    GraphClause("R9", "only the nearest common version is a base", "the-nearest-common-version-is-the-base"),
    GraphClause("R9", "a removed base prevents a merge", "a-removed-base-and-fields"),
    GraphClause("R9", "a deletion is no base", "both-recreate-a-deleted-document"),
    GraphClause("R9", "deletions take no part", "delete-against-a-version-as-before"),
    GraphClause("R9", "no common version, no merge", "heads-without-a-common-version"),
    GraphClause("R9", "equal heads are shown as the greatest", "equal-saves-are-one"),
    GraphClause("R9", "equal but for the mode is not equal", "equal-but-for-the-mode"),
    GraphClause("R9", "deletions are equal whatever their path", "deletions-are-one"),
    GraphClause("R9", "each of equal heads is merged with others", "equal-heads-and-a-third"),
    GraphClause("R9", "without combining, contents are left alone", "no-merge-leaves-contents-alone"),
    GraphClause("R9", "without combining, an unchanged side stays", "no-merge-and-a-side-that-changed-nothing"),
    GraphClause(
      "R9", "the document of a merge is the smaller of its parents'", "a-merge-is-named-by-its-parents-alone"),
    GraphClause("R9", "the modification time goes with the content", "rename-here-edit-there"),
    GraphClause("R10", "ties of time fall by id", "equal-times-fall-by-id"),
    GraphClause("R10", "a time is later than the parents'", "a-clock-a-month-ahead"),
    GraphClause("R10", "time stops at its end", "the-end-of-the-range"),
    GraphClause("R10", "after the last count the next millisecond", "a-full-counter"),
    GraphClause("R11", "an edit is current beside a later deletion", "edit-against-delete"),
    GraphClause("R14", "only current versions claim a path", "only-current-versions-claim-a-path"),
    GraphClause("R14", "the smaller id names joined documents", "two-documents-at-one-path"),
    GraphClause("R14", "two renames are a conflict", "two-renames"),
    GraphClause("R14", "the mode is a field of its own", "mode-here-edit-there"),
    GraphClause("R14", "only files are merged inside", "symbolic-links-are-not-merged-inside"),
    GraphClause("R6", "joining is union", "records-in-parts-and-again"),
  ]
}
