import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Decisions about entries of a package") struct PackageDecisionTests {
  /// What two packages come to, the second of which is current.
  private func proposal(
    _ base: [String: String], other: [String: String], current: [String: String],
    modes: [UInt16] = [0o644, 0o644, 0o644]
  ) throws -> (here: TestRepository, merge: ProposedMerge) {
    let here = try TestRepository()
    let first = try here.receive(files: base, at: "p", on: [], entryMode: modes[0])
    let one = try here.receive(files: other, at: "p", on: [first], entryMode: modes[1])
    let two = try here.receive(files: current, at: "p", on: [first], entryMode: modes[2])
    let merge = try here.repository.proposedMerge(at: DocumentPath("p"), with: one)
    #expect(merge.current.id == two.id)
    return (here, merge)
  }

  private func paths(_ merge: ProposedMerge, _ decision: ConflictDecision) throws -> [String] {
    let manifest = try #require(try merge.merged([decision]).manifest)
    return manifest.entries.map { String(decoding: $0.path.bytes, as: UTF8.self) }
  }

  @Test("A content that somebody wrote has the permissions that both sides' changes come to")
  func permissions() throws {
    let (here, merge) = try proposal(
      ["a": "1"], other: ["a": "2"], current: ["a": "3"], modes: [0o644, 0o600, 0o755])
    #expect(merge.conflicts.map(\.reason) == [.bothChanged])
    let manifest = try #require(try merge.merged([.content(Array("4".utf8))]).manifest)
    #expect(manifest.entries.map(\.mode) == [0o711])
    _ = here
  }

  @Test("What both moved is where the side that is taken has it")
  func movedApart() throws {
    let (here, merge) = try proposal(
      ["a": "one", "k": "k"], other: ["c": "one", "k": "k"], current: ["b": "one", "k": "k"])
    #expect(merge.conflicts.map(\.reason) == [.movedApart])
    #expect(try paths(merge, .current) == ["b", "k"])
    #expect(try paths(merge, .other) == ["c", "k"])
    #expect(try paths(merge, .base) == ["a", "k"])
    _ = here
  }

  @Test("A file that is taken leaves nothing of the folder in its place")
  func fileAgainstFolder() throws {
    let (here, merge) = try proposal(
      ["k": "k"], other: ["d/x": "1", "k": "k"], current: ["d": "2", "k": "k"])
    #expect(merge.conflicts.map(\.reason) == [.fileAgainstFolder])
    #expect(try paths(merge, .current) == ["d", "k"])
    #expect(try paths(merge, .other) == ["d/x", "k"])
    _ = here
  }
}
