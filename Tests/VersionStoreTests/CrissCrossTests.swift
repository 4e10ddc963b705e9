import Merging
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

/// Two versions with two nearest common ones:
///
///     one    two        two devices changed the same line differently
///      | \  / |
///      |  \/  |
///      |  /\  |
///     left  right       each device settled the conflict: left chose one, right chose two, or both went on
@Suite("Criss-cross histories (R9)") struct CrissCrossTests {
  private static func text(_ choice: String, _ end: String = "end") -> String {
    "top\n\(choice)\nmiddle\n4\n5\n6\n\(end)\n"
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// `left` and `right` on top of both of two conflicting versions of one document.
  private func crissCross(
    _ left: String, _ right: String
  ) throws -> (here: TestRepository, left: Version, right: Version) {
    let here = try TestRepository()
    let root = try here.receive(Self.text("as it was"), at: "a.txt", on: [])
    let one = try here.receive(Self.text("one"), at: "a.txt", on: [root])
    let two = try here.receive(Self.text("two"), at: "a.txt", on: [root])
    let first = try here.receive(left, at: "a.txt", on: [one, two])
    return (here, first, try here.receive(right, at: "a.txt", on: [two, one]))
  }

  @Test("A merged virtual base reverts both sides of two opposite choices; dver makes a conflict")
  func oppositeChoices() throws {
    let one = Self.text("one"), two = Self.text("two")
    // As git's merge does it: the two bases are merged first, conflict markers included, and what came out is the base.
    // Where it takes a side of that conflict, or the older text, as the virtual base, the choice of one side is no change.
    for virtual in [one, two] {
      let reverted = TextMerge.merge(base: Self.bytes(virtual), ours: Self.bytes(one), theirs: Self.bytes(two))
      guard case .clean(let merged) = reverted else {
        Issue.record("no merge")
        continue
      }
      // One was chosen knowingly on one device, two on the other: one of the two choices is gone without a word.
      #expect(merged == Self.bytes(virtual == one ? two : one))
    }
    let (here, left, right) = try crissCross(one, two)
    #expect(try here.repository.mergeAutomatically(near: [left, right], combinesContents: true).isEmpty)
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [left.id, right.id])
    #expect(try here.repository.conflicts(nil).map(\.version.id) == [left.id])
    // Nor is one of the two bases taken for what somebody is shown: that would hide one of the two choices.
    let merge = try here.repository.proposedMerge(at: DocumentPath("a.txt"))
    #expect(merge.base == nil && merge.commonVersionCount == 2)
    #expect(merge.conflicts.map(\.reason) == [.bothAdded])
  }

  @Test("git, with its virtual base, takes back both of two opposite corrections that were made apart")
  func git() throws {
    // Both bases changed the line in the same way, each in a place of its own too; then each side takes back the other's.
    let (base, left) = ("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n")
    let right = "a\nb\nc\nd\nE\n"
    // one = left's change, two = right's; the merged virtual base has both; each side chose one of the two whole.
    let virtual = TextMerge.merge(base: Self.bytes(base), ours: Self.bytes(left), theirs: Self.bytes(right))
    guard case .clean(let both) = virtual else {
      Issue.record("no virtual base")
      return
    }
    #expect(both == Self.bytes("A\nb\nc\nd\nE\n"))
    guard case .clean(let result) = TextMerge.merge(base: both, ours: Self.bytes(left), theirs: Self.bytes(right))
    else {
      Issue.record("no merge over the virtual base")
      return
    }
    // Neither choice is left: what both sides held on to is gone, and what neither of them wanted has come back.
    #expect(result == Self.bytes(base))
    #expect(try reference(base, left, right) ?? base == base)

    let here = try TestRepository()
    let root = try here.receive(base, at: "a.txt", on: [])
    let one = try here.receive(left, at: "a.txt", on: [root])
    let two = try here.receive(right, at: "a.txt", on: [root])
    let first = try here.receive(left, at: "a.txt", on: [one, two])
    let second = try here.receive(right, at: "a.txt", on: [two, one])
    #expect(try here.repository.mergeAutomatically(near: [first, second], combinesContents: true).isEmpty)
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [first.id, second.id])
  }

  /// What git makes of the same history; `nil` without git.
  private func reference(_ base: String, _ left: String, _ right: String) throws -> String? {
    let directory = try TemporaryDirectory()
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a
      export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
      git init -q -b main .
      commit() { printf '%s' "$1" > a.txt; git add a.txt; git commit -qm x; }
      commit "$1"; git branch two; commit "$2"; git branch one; git checkout -q two; commit "$3"; git branch second
      git checkout -q -b left one; git merge -q --no-commit -s ours two; printf '%s' "$2" > a.txt; git commit -qm l
      git checkout -q -b right two; git merge -q --no-commit -s ours one; printf '%s' "$3" > a.txt; git commit -qm r
      git checkout -q left; git merge -q right -m m >/dev/null; cat a.txt
      """
    let result = try? ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: ["-c", script, "sh", base, left, right].map { Array($0.utf8) },
      folder: directory.path, timeoutMilliseconds: 60_000)
    guard let result, result.status == 0 else {
      print("git isn't installed, or failed: no comparison")
      return nil
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  @Test("Where each base gives the same, the merge is made") func agreed() throws {
    // Both devices settled in the same way, and one wrote on.
    let (here, left, right) = try crissCross(Self.text("settled"), Self.text("settled", "the end"))
    let made = try here.repository.mergeAutomatically(near: [left, right], combinesContents: true)
    #expect(try made.map { try here.content(of: $0) } == [Self.text("settled", "the end")])
  }

  @Test("The same with packages: two opposite choices about an entry are a conflict of the document")
  func packages() throws {
    let here = try TestRepository()
    let root = try here.receive(files: ["a": "1", "b": "1"], at: "p", on: [])
    let one = try here.receive(files: ["a": "2", "b": "1"], at: "p", on: [root])
    let two = try here.receive(files: ["a": "1", "b": "2"], at: "p", on: [root])
    let first = try here.receive(files: ["a": "2", "b": "1"], at: "p", on: [one, two])
    let second = try here.receive(files: ["a": "1", "b": "2"], at: "p", on: [one, two])
    #expect(try here.repository.mergeAutomatically(near: [first, second], combinesContents: true).isEmpty)
    #expect(Set(try here.view("p").rivals.map(\.id)) == [first.id, second.id])
  }
}
