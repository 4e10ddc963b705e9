import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Merging all fields (R14)") struct FieldMergeTests {
  /// What one side did to a document at `a.txt` with nine lines, mode 644.
  private struct Side {
    var text: String? = Self.text()
    var path = "a.txt"
    var mode: UInt16 = 0o644
    var kind = VersionKind.file

    static func text(_ changes: [Int: String] = [:]) -> String {
      (1...9).map { (changes[$0] ?? "\($0)") + "\n" }.joined()
    }

    static let untouched = Side()
    static func edited(_ line: Int, _ text: String) -> Side { Side(text: Self.text([line: text])) }
    static func moved(to path: String) -> Side { Side(path: path) }
    static func changed(mode: UInt16) -> Side { Side(mode: mode) }
    static let deleted = Side(text: nil)
    static func link(to target: String) -> Side { Side(text: target, mode: 0o777, kind: .symbolicLink) }
  }

  private enum Outcome {
    /// One version: its text, path, mode and kind.
    case merged(String, String = "a.txt", UInt16 = 0o644, VersionKind = .file)
    /// Two heads, the current one and the other; both ways round the side saved last is current.
    case conflict
    /// The edit is current, the deletion stays a conflict (R11).
    case editBesideDeletion
  }

  private static let rows: [(String, Side, Side, Outcome)] = [
    ("rename here, edit there", .moved(to: "b.txt"), .edited(1, "one"), .merged(Side.text([1: "one"]), "b.txt")),
    (
      "rename into a folder here, edit there", .moved(to: "d/a.txt"), .edited(1, "x"),
      .merged(Side.text([1: "x"]), "d/a.txt")
    ),
    ("mode here, edit there", .changed(mode: 0o755), .edited(1, "one"), .merged(Side.text([1: "one"]), "a.txt", 0o755)),
    ("rename here, mode there", .moved(to: "b.txt"), .changed(mode: 0o600), .merged(Side.text(), "b.txt", 0o600)),
    ("edits in different lines", .edited(1, "one"), .edited(9, "nine"), .merged(Side.text([1: "one", 9: "nine"]))),
    (
      "rename and edit here, mode and edit there",
      Side(text: Side.text([1: "one"]), path: "b.txt"), Side(text: Side.text([9: "nine"]), mode: 0o755),
      .merged(Side.text([1: "one", 9: "nine"]), "b.txt", 0o755)
    ),
    ("edits in one line", .edited(1, "one"), .edited(1, "ONE"), .conflict),
    ("two different renames", .moved(to: "b.txt"), .moved(to: "c.txt"), .conflict),
    (
      "the same rename, edits in different lines",
      Side(text: Side.text([1: "one"]), path: "b.txt"), Side(text: Side.text([9: "nine"]), path: "b.txt"),
      .merged(Side.text([1: "one", 9: "nine"]), "b.txt")
    ),
    (
      "a mode for the group here, one for others there", .changed(mode: 0o664), .changed(mode: 0o640),
      .merged(Side.text(), "a.txt", 0o660)
    ),
    (
      "private here, executable there", .changed(mode: 0o600), .changed(mode: 0o755),
      .merged(Side.text(), "a.txt", 0o711)
    ),
    ("a link instead here, edit there", .link(to: "x"), .edited(1, "one"), .conflict),
    (
      "a link instead here, rename there", .link(to: "x"), .moved(to: "b.txt"),
      .merged("x", "b.txt", 0o777, .symbolicLink)
    ),
    ("a link instead here, mode there", .link(to: "x"), .changed(mode: 0o600), .conflict),
    ("edit here, delete there", .edited(1, "one"), .deleted, .editBesideDeletion),
    ("rename here, delete there", .moved(to: "b.txt"), .deleted, .editBesideDeletion),
    ("mode here, delete there", .changed(mode: 0o600), .deleted, .editBesideDeletion),
  ]

  @Test("takes each from the side that changed it, or leaves a conflict", arguments: rows.indices, [false, true])
  private func row(number: Int, isSwapped: Bool) throws {
    let (name, first, second, outcome) = Self.rows[number]
    let here = try TestRepository()
    let base = try here.receive(Side.text(), at: "a.txt", on: [])
    let sides = isSwapped ? [second, first] : [first, second]
    let heads = try sides.map { side in
      try here.receive(side.text, at: side.path, on: [base], kind: side.kind, mode: side.mode)
    }
    let made = try here.repository.mergeAutomatically(near: heads, combinesContents: true)
    try here.place(heads + made)
    switch outcome {
    case .merged(let text, let path, let mode, let kind):
      let merge = try #require(made.first, "\(name)")
      #expect(Set(merge.record.parents) == Set(heads.map(\.id)))
      #expect(try here.content(of: merge) == text, "\(name)")
      #expect(merge.record.path == DocumentPath(path) && merge.record.kind == kind, "\(name)")
      #expect(merge.record.mode == mode, "\(name): \(String(merge.record.mode, radix: 8))")
      #expect(try here.repository.conflicts(nil).isEmpty)
    case .conflict:
      #expect(made.isEmpty, "\(name)")
      let current = try #require(try here.current(sides[1].path))
      #expect(current.id == heads[1].id)
      #expect(try here.repository.conflicts(nil).map(\.version.id) == [heads[0].id], "\(name)")
    case .editBesideDeletion:
      #expect(made.isEmpty)
      let live = try #require(heads.first { !$0.record.isDeletion })
      #expect(try here.current(String(decoding: live.record.path.bytes, as: UTF8.self))?.id == live.id, "\(name)")
      #expect(try here.repository.conflicts(nil).map(\.version.record.isDeletion) == [true], "\(name)")
    }
  }

  @Test("A deletion is never taken for the content of a merge, whatever the other side left as it was")
  func deletedAndRenamed() throws {
    let here = try TestRepository()
    let base = try here.receive(Side.text(), at: "a", on: [])
    let renamed = try here.receive(Side.text(), at: "b", on: [base])
    let deletion = try here.receive(nil, at: "a", on: [base])
    let merge = try here.repository.proposedMerge(at: DocumentPath("b"), with: deletion)
    #expect(merge.current.id == renamed.id && merge.isChoiceOfVersions)
    #expect(merge.conflicts.map(\.reason) == [.deletedInOther])
  }

  @Test("--no-merge makes the merges that combine no contents, permissions included") func withoutContents() throws {
    let here = try TestRepository()
    let base = try here.receive(Side.text(), at: "a", on: [])
    let heads = try [
      here.receive(Side.text([1: "one"]), at: "a", on: [base], mode: 0o664),
      here.receive(Side.text(), at: "a", on: [base], mode: 0o640),
    ]
    let made = try here.repository.mergeAutomatically(near: heads, combinesContents: false)
    #expect(made.map(\.record.mode) == [0o660])
  }

  @Test("A package against a file is a conflict where the content changed, and none against a rename")
  func packageAgainstFile() throws {
    for isEdited in [true, false] {
      let here = try TestRepository()
      let base = try here.receive("text\n", at: "a.x", on: [])
      let package = try here.receive(files: ["t": "text\n"], at: "a.x", on: [base], mode: 0o644)
      let other =
        isEdited
        ? try here.receive("edited\n", at: "a.x", on: [base]) : try here.receive("text\n", at: "b.x", on: [base])
      let made = try here.repository.mergeAutomatically(near: [package, other], combinesContents: true)
      #expect(made.map(\.record.kind) == (isEdited ? [] : [.package]))
      #expect(made.map(\.record.path) == (isEdited ? [] : [DocumentPath("b.x")]))
      let merge = isEdited ? try here.repository.proposedMerge(at: DocumentPath("a.x")) : nil
      #expect(merge?.isChoiceOfVersions ?? true)
      #expect(merge?.conflicts.map(\.reason) ?? [.kindsDiffer] == [.kindsDiffer])
    }
  }

  @Test("A resolution by content takes the other side's rename and mode with it") func resolutionFields() throws {
    let here = try TestRepository()
    let first = try #require(try here.save(Side.text(), at: "a.txt"))
    let other = try here.receive(Side.text([1: "one"]), at: "b.txt", on: [first], mode: 0o600)
    let mine = try #require(try here.save(Side.text([1: "ONE"]), at: "a.txt"))
    #expect(try here.repository.mergeAutomatically(near: [mine, other], combinesContents: true).isEmpty)
    try here.write("both\n", to: "a.txt")
    let made = try here.repository.resolve(DocumentPath("a.txt"), .merged(here.path("a.txt")))
    #expect(made.map(\.record.path) == [DocumentPath("b.txt")] && made.map(\.record.mode) == [0o600])
    #expect(try here.read("a.txt") == nil)
    #expect(try here.read("b.txt") == "both\n")
    #expect(try here.status("b.txt").permissions == 0o600)
    #expect(try here.savedPaths() == [])
    #expect(try here.repository.conflicts(nil).isEmpty)
  }

  @Test("Two different renames leave the contents to merge; somebody decides about the name alone") func renames()
    throws
  {
    let here = try TestRepository()
    let first = try #require(try here.save(Side.text(), at: "a.txt"))
    let one = try here.receive(Side.text([1: "one"]), at: "b.txt", on: [first])
    let two = try here.receive(Side.text([9: "nine"]), at: "c.txt", on: [first])
    try here.place([one, two])
    var merge = try here.repository.proposedMerge(at: DocumentPath("c.txt"))
    #expect(merge.fieldConflicts == [.path] && merge.conflicts.isEmpty)
    #expect(merge.mergedPath == DocumentPath("c.txt"))
    merge.takeFromOther(.path)
    let made = try here.repository.resolve(DocumentPath("c.txt"), .settled(merge, []))
    #expect(try made.map { try here.content(of: $0) } == [Side.text([1: "one", 9: "nine"])])
    #expect(try here.read("b.txt") == Side.text([1: "one", 9: "nine"]))
    #expect(try here.read("c.txt") == nil)
    #expect(try here.savedPaths() == [])
  }
}

extension TestRepository {
  /// A package as an exchange brings it.
  @discardableResult
  func receive(
    files: [String: String], at path: String, on parents: [Version], mode: UInt16 = 0o755, time: Int64 = 1,
    entryMode: UInt16 = 0o644
  ) throws -> Version {
    clock.advance(1000)
    return try store.write(.none) { (transaction) throws(RepositoryError) in
      var entries: [PackageEntry] = []
      for (name, text) in files {
        let bytes = Array(text.utf8)
        let id = SHA256.hash(bytes)
        try transaction.append(bytes, id: id)
        entries.append(
          PackageEntry(
            path: DocumentPath(name), kind: .file, mode: entryMode, modificationTime: FileTime(wholeSeconds: time),
            content: id, size: UInt64(bytes.count)))
      }
      guard let manifest = try? PackageManifest(entries) else { throw .damaged("a test's manifest") }
      let bytes = manifest.encoded()
      let content = try transaction.content(bytes, id: SHA256.hash(bytes), after: parents.first)
      var record = transaction.record(
        parents: parents, path: DocumentPath(path), kind: .package, content: content, size: manifest.fileByteCount,
        mode: mode, modificationTime: transaction.modificationTimeNow, origin: .save)
      record.device = DeviceID(high: 0xD2, low: 0xD2)
      return try transaction.add(record, content, isBase: false)
    }
  }
}
