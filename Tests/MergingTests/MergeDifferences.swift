/// Where the automatic merge answers otherwise than `git merge-file` on a corpus, and why that is better.
///
/// A test compares the list with what happens: neither may it be short of a difference nor name one that is gone.
struct MergeDifference {
  let id: String
  let git: Answer
  let ours: Answer
  let reason: String

  enum Answer: Hashable { case conflict, clean, refused }

  private init(_ id: String, git: Answer, _ ours: Answer, _ reason: String) {
    self.id = id
    self.git = git
    self.ours = ours
    self.reason = reason
  }

  /// Of the real merges.
  static let real = [
    MergeDifference(
      "0167", git: .conflict, .clean,
      """
      JSON: ours changed the last member, theirs put one in behind it. The members are edits of different names; the result
      has both. People committed something else, with a third text in the edited member.
      """),
    MergeDifference(
      "0169", git: .conflict, .clean,
      """
      JSON: both put members of different names into one list of texts, at neighbouring lines. The result has all edits of
      both, in the order of the names as before. People committed that with further edits.
      """),
    MergeDifference(
      "0173", git: .conflict, .clean,
      "JSON: members of different names at neighbouring lines. The result is what people committed."),
    MergeDifference(
      "0192", git: .conflict, .clean,
      "JSON: the whole document is one line, edited in different members. The result is what people committed."),
    MergeDifference(
      "0342", git: .conflict, .clean,
      """
      Ours converted all line ends to CR LF, theirs edited one line. The result has the edit and the line ends, as it would
      had the two come one after the other. People took theirs whole: the edit, and took the conversion back.
      """),
    MergeDifference(
      "0348", git: .conflict, .clean,
      """
      Ours converted all line ends to CR LF, theirs took two elements out. The result has both, as it would had the two come
      one after the other. People took theirs whole and took the conversion back.
      """),
  ]

  /// Of the handmade ones.
  static let handmade = [
    MergeDifference(
      "h003", git: .conflict, .clean,
      "Ours converted the line ends, theirs edited: the result has the edit with the converted ends, as the corpus allows."
    ),
    MergeDifference(
      "h005", git: .conflict, .clean,
      "Both converted the line ends and each edited another line: the result has both edits, as the corpus allows."),
    MergeDifference(
      "h062", git: .clean, .refused,
      "A zero byte behind the first 8,000 bytes, where git stops looking: the content is no text and isn't cut at line ends."
    ),
    MergeDifference(
      "h064", git: .refused, .clean, "Both sides are equal: nothing needs to be merged, whatever the content."),
    MergeDifference(
      "h065", git: .refused, .clean, "Only one side changed: nothing needs to be merged, whatever the content."),
    MergeDifference(
      "h067", git: .refused, .clean, "UTF-16 with a byte-order mark is text: merged by lines of its code units."),
    MergeDifference(
      "h068", git: .refused, .conflict, "UTF-16: one line changed on both sides, a conflict as in any text."),
    MergeDifference(
      "h069", git: .refused, .clean,
      "UTF-16: letters that contain the byte of a line feed don't end lines, the result has both edits."),
  ]
}
