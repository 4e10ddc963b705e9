import Diffing
import TestSupport
import Testing

@Suite("A unified diff") struct UnifiedDiffTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    var context = 3
    let body: String
  }

  @Test(
    "has the form that git and patch know",
    arguments: [
      Row(
        testDescription: "a change", old: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        new: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        body: "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"),
      Row(testDescription: "from empty", old: "", new: "a\nb\n", body: "@@ -0,0 +1,2 @@\n+a\n+b\n"),
      Row(testDescription: "to empty", old: "a\n", new: "", body: "@@ -1 +0,0 @@\n-a\n"),
      Row(
        testDescription: "last line feed added", old: "a", new: "a\n",
        body: "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
      Row(
        testDescription: "last line feed dropped", old: "a\nb\n", new: "a\nb",
        body: "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"),
      Row(
        testDescription: "no last line feed on either side", old: "a\nb", new: "x\nb",
        body: "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"),
      Row(
        testDescription: "both last lines changed", old: "a", new: "b",
        body: "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"),
      Row(
        testDescription: "no context", old: "a\nb\nc\n", new: "a\nc\nd\n", context: 0,
        body: "@@ -2 +1,0 @@\n-b\n@@ -3,0 +3 @@\n+d\n"),
      Row(
        testDescription: "contexts that touch", old: "a\n1\n2\nb\n", new: "A\n1\n2\nB\n", context: 1,
        body: "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n-b\n+B\n"),
      Row(
        testDescription: "contexts that do not touch", old: "a\n1\n2\n3\nb\n", new: "A\n1\n2\n3\nB\n", context: 1,
        body: "@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -4,2 +4,2 @@\n 3\n-b\n+B\n"),
      Row(
        testDescription: "boundless context", old: "a\n1\n", new: "b\n1\n", context: .max,
        body: "@@ -1,2 +1,2 @@\n-a\n+b\n 1\n"),
      Row(
        testDescription: "CR LF is content", old: "a\r\n", new: "a\n", body: "@@ -1 +1 @@\n-a\r\n+a\n"),
    ])
  func form(_ row: Row) {
    let output = UnifiedDiff.render(
      old: bytes(row.old), new: bytes(row.new), oldLabel: bytes("a/x"), newLabel: bytes("b/x"),
      context: row.context)
    #expect(text(output) == "--- a/x\n+++ b/x\n" + row.body)
  }

  @Test("of equal texts is empty")
  func equal() {
    #expect(UnifiedDiff.render(old: bytes("a"), new: bytes("a"), oldLabel: [], newLabel: []) == [])
  }

  @Test(
    "quotes names that would be misread",
    arguments: [
      ("a/letter.txt", "a/letter.txt"), ("a/my letter", "a/my letter\t"), ("a/\u{E9}", "a/\u{E9}"),
      ("a/\"b\"\\", "\"a/\\\"b\\\"\\\\\""), ("a/\n\t\r\u{1}\u{7F}", "\"a/\\n\\t\\r\\001\\177\""),
    ])
  func labels(label: String, written: String) {
    let output = UnifiedDiff.render(old: [], new: bytes("x\n"), oldLabel: bytes(label), newLabel: bytes("b"))
    #expect(text(output).hasPrefix("--- \(written)\n+++ b\n"))
  }

  @Test("is applied by patch(1)")
  func patchApplies() throws {
    guard let patch = PatchProgram() else {
      print("skipped: patch is not installed")
      return
    }
    for seed in 0..<60 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let pair = SamplePair(using: &generator)
      let diff = UnifiedDiff.render(
        old: pair.old, new: pair.new, oldLabel: bytes("a/text"), newLabel: bytes("b/text"),
        context: Int.random(in: 1...4, using: &generator))
      guard !diff.isEmpty else { continue }
      #expect(patch.applying(diff, to: pair.old) == pair.new, "seed \(seed)")
    }
  }
}
