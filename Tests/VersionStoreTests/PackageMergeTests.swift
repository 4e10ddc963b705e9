import Hashing
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("The merge of packages") struct PackageMergeTests {
  /// Packages as lines `PATH=TEXT`: a path with a slash at its end is an empty folder, `PATH>TARGET` a link, `PATH=TEXT+x` an
  /// executable file. Texts merge letter by letter.
  private static func manifest(_ text: String, time: Int64 = 1) throws -> PackageManifest {
    try PackageManifest(text.split(separator: " ").map { entry(String($0), time) })
  }

  private static func entry(_ text: String, _ time: Int64) -> PackageEntry {
    let isLink = text.contains(">")
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ">" }.map(String.init)
    let isFolder = text.hasSuffix("/") && !isLink
    let isExecutable = text.hasSuffix("+x")
    let path = DocumentPath(isFolder ? String(text.dropLast()) : parts[0])
    let content = isExecutable ? String(parts[1].dropLast(2)) : parts.count > 1 ? parts[1] : ""
    return PackageEntry(
      path: path, kind: isFolder ? .folder : isLink ? .symbolicLink : .file,
      mode: isFolder || isExecutable ? 0o755 : isLink ? 0o777 : 0o644,
      modificationTime: FileTime(wholeSeconds: time), content: isFolder ? nil : id(content),
      size: UInt64(content.utf8.count))
  }

  /// Remembers what it was made of.
  private static func id(_ text: String) -> ObjectID { SHA256.hash(Array(text.utf8)) }

  private static func merge(_ base: String?, _ ours: String, _ theirs: String) throws -> PackageMerge {
    let all = [base ?? "", ours, theirs].flatMap { $0.split(separator: " ") }.map(String.init)
    var texts: [ObjectID: String] = [:]
    for word in all {
      guard let sign = word.firstIndex(of: "=") else { continue }
      let text = String(word[word.index(after: sign)...]).replacing("+x", with: "")
      texts[id(text)] = text
    }
    return PackageMerge(
      base: try base.map { try manifest($0) }, ours: try manifest(ours, time: 2), theirs: try manifest(theirs, time: 3)
    ) { base, ours, theirs in
      let words = [base, ours, theirs].compactMap { $0.content }.compactMap { texts[$0] }.map(Array.init)
      guard words.count == 3, Set(words.map(\.count)).count == 1 else { return nil }
      var merged = ""
      for place in words[0].indices {
        let (old, mine, other) = (words[0][place], words[1][place], words[2][place])
        guard mine == other || mine == old || other == old else { return nil }
        merged.append(mine == old ? other : mine)
      }
      return (id(merged), UInt64(merged.utf8.count))
    }
  }

  private static let cleanRows: [(String, String, String, String, String)] = [
    ("one side changed", "a=1 b=2", "a=9 b=2", "a=1 b=2", "a=9 b=2"),
    ("different entries", "a=1 b=2", "a=9 b=2", "a=1 b=8", "a=9 b=8"),
    ("deep entries", "x/y/a=1 x/y/b=2", "x/y/a=9 x/y/b=2", "x/y/a=1 x/y/b=8", "x/y/a=9 x/y/b=8"),
    ("the same text in two places", "a=abc", "a=Xbc", "a=abY", "a=XbY"),
    ("mode here, text there", "a=1", "a=1+x", "a=2", "a=2+x"),
    ("added here and there", "a=1", "a=1 b=2", "a=1 c=3", "a=1 b=2 c=3"),
    ("added alike", "a=1", "a=1 n=5", "a=1 n=5", "a=1 n=5"),
    ("changed alike", "a=1", "a=2", "a=2", "a=2"),
    ("deleted here, untouched there", "a=1 b=2", "b=2", "a=1 b=3", "b=3"),
    ("deleted alike", "a=1 b=2", "b=2", "b=2", "b=2"),
    ("moved here, changed there", "a=one b=2", "n/a=one b=2", "a=two b=2", "n/a=two b=2"),
    ("moved here, made executable there", "a=one", "c=one", "a=one+x", "c=one+x"),
    ("moved and made executable here, changed there", "a=one", "c=one+x", "a=two", "c=two+x"),
    ("moved alike", "a=one", "c=one", "c=one", "c=one"),
    ("moved here, something else changed there", "a=one b=2", "c=one b=2", "a=one b=3", "c=one b=3"),
    ("a folder filled here, another there", "d/ e/", "d/x=1 e/", "d/ e/y=2", "d/x=1 e/y=2"),
    ("a folder emptied here, added to there", "d/x=1", "d/", "d/x=1 d/y=2", "d/y=2"),
    ("a folder emptied here, another file changed there", "d/x=1 b=2", "d/ b=2", "d/x=1 b=3", "d/ b=3"),
    ("a folder instead of a file here, another file there", "d=1 b=2", "d/x=9 b=2", "d=1 b=3", "d/x=9 b=3"),
    (
      "one of two moved out of a folder here, another added to it there", "d/a=one d/b=two", "e/a=one d/b=two",
      "d/a=one d/b=two d/n=5", "e/a=one d/b=two d/n=5"
    ),
    ("links", "l>a m>b", "l>c m>b", "l>a m>d", "l>c m>d"),
    ("a link instead of a file here", "a=1 b=2", "a>b b=2", "a=1 b=3", "a>b b=3"),
    ("everything deleted here, nothing there", "a=1", "", "a=1", ""),
  ]

  @Test("takes what is certain, entry by entry, the same with swapped sides", arguments: 0..<cleanRows.count)
  func clean(row: Int) throws {
    let (name, base, ours, theirs, merged) = Self.cleanRows[row]
    let result = try Self.merge(base, ours, theirs)
    let manifest = try #require(result.manifest, "\(name): \(result.conflicts)")
    #expect(Self.shape(manifest) == Self.shape(try Self.manifest(merged)), "\(name)")
    // Swapped sides: the same bytes, times included.
    let swapped = PackageMerge(
      base: try Self.manifest(base), ours: try Self.manifest(theirs, time: 3), theirs: try Self.manifest(ours, time: 2)
    ) { _, _, _ in nil }
    if name != "the same text in two places" { #expect(swapped.manifest == manifest, "\(name)") }
  }

  private static let conflictRows: [(String, String?, String, String, [String: ContentConflict.Reason])] = [
    ("the same place changed", "a=1", "a=2", "a=3", ["a": .bothChanged]),
    ("added differently", "", "a=2", "a=3", ["a": .bothAdded]),
    ("added with different modes", "", "a=2", "a=2+x", ["a": .bothAdded]),
    ("changed here, deleted there", "a=1", "a=2", "", ["a": .deletedInOther]),
    ("deleted here, mode changed there", "a=1", "", "a=1+x", ["a": .deletedInCurrent]),
    ("links to different places", "l>a", "l>b", "l>c", ["l": .bothChanged]),
    ("a link here, a change there", "a=1", "a>b", "a=2", ["a": .kindsDiffer]),
    ("a link here whose target has the file's bytes, a change there", "a=x", "a>x", "a=2", ["a": .kindsDiffer]),
    ("moved apart", "a=one", "b=one", "c=one", ["a": .movedApart]),
    ("moved here, deleted there", "a=one b=2", "c=one b=2", "b=2", ["c": .movedAndDeleted]),
    ("moved here, changed at once there and here", "a=abc", "n=abc x=1", "", ["n": .movedAndDeleted]),
    ("moved onto what the other added", "a=one", "n=one", "a=two n=5", ["a": .deletedInCurrent, "n": .bothAdded]),
    ("moved onto what the other deleted", "a=one b=two", "b=one", "a=one", ["b": .deletedInOther]),
    ("a folder moved here, added to there", "d/a=one", "e/a=one", "d/a=one d/b=2", ["d/b": .folderMoved]),
    ("a file where the other has a folder", "", "d=1", "d/x=2", ["d": .fileAgainstFolder]),
    ("a folder instead of a file here, a change there", "d=1", "d/x=9", "d=2", ["d": .deletedInCurrent]),
    ("no common version", nil, "a=1 b=2", "a=1 b=3", ["b": .bothAdded]),
    (
      "one of two equal files moved: which one isn't certain", "a=one b=one", "a=one c=one", "a=one b=two",
      ["b": .deletedInCurrent]
    ),
    (
      "one file instead of two equal ones: which one moved isn't certain", "a=one b=one", "c=one", "a=two b=one",
      ["a": .deletedInCurrent]
    ),
    ("empty files are alike by chance", "a=", "b=", "a=1", ["a": .deletedInCurrent]),
  ]

  @Test("leaves the rest to somebody, with the reason", arguments: 0..<conflictRows.count)
  func conflicting(row: Int) throws {
    let (name, base, ours, theirs, expected) = Self.conflictRows[row]
    let result = try Self.merge(base, ours, theirs)
    #expect(result.manifest == nil)
    let found = result.conflicts.map { (String(decoding: $0.entry?.bytes ?? [], as: UTF8.self), $0.reason) }
    #expect(Dictionary(found) { first, _ in first } == expected, "\(name)")
    let swapped = try Self.merge(base, theirs, ours)
    #expect(Set(swapped.conflicts.map(\.entry)) == Set(result.conflicts.map(\.entry)), "\(name)")
  }

  @Test("A conflict leaves the other entries merged in what is proposed")
  func others() throws {
    let result = try Self.merge("a=1 b=2 c=3", "a=8 b=9 c=3", "a=7 b=2 c=6")
    #expect(result.conflicts.map(\.entry) == [DocumentPath("a")])
    #expect(result.entries.keys.sorted() == [DocumentPath("b"), DocumentPath("c")])
    #expect(result.entries[DocumentPath("b")]?.content == Self.id("9"))
    #expect(result.entries[DocumentPath("c")]?.content == Self.id("6"))
  }

  @Test("Times follow the contents, and are no change by themselves")
  func times() throws {
    let result = try #require(try Self.merge("a=1 b=2 c=3", "a=8 b=2 c=3", "a=1 b=9 c=3").manifest)
    #expect(result.entries.map(\.modificationTime.seconds) == [2, 3, 3])
    let touched = PackageMerge(
      base: try Self.manifest("a=1"), ours: try Self.manifest("a=1", time: 9), theirs: try Self.manifest("a=2", time: 5)
    ) { _, _, _ in nil }
    #expect(touched.manifest?.entries.map(\.modificationTime.seconds) == [5])
  }

  @Test("A side that changed nothing gives way, and equal sides give themselves", arguments: 0..<200 as Range<UInt64>)
  func algebra(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func package() -> String {
      ["a", "b", "d/x", "d/y", "e/f/z"].compactMap { path in
        Int.random(in: 0...4, using: &generator) == 0 ? nil : "\(path)=\(Int.random(in: 1...3, using: &generator))"
      }.joined(separator: " ")
    }
    let (base, ours, theirs) = (package(), package(), package())
    #expect(Self.shape(try Self.merge(base, ours, base).manifest) == Self.shape(try Self.manifest(ours)))
    #expect(Self.shape(try Self.merge(base, base, theirs).manifest) == Self.shape(try Self.manifest(theirs)))
    #expect(Self.shape(try Self.merge(base, ours, ours).manifest) == Self.shape(try Self.manifest(ours)))
    let (result, swapped) = (try Self.merge(base, ours, theirs), try Self.merge(base, theirs, ours))
    #expect((result.manifest == nil) == (swapped.manifest == nil))
    #expect(Self.shape(result.manifest) == Self.shape(swapped.manifest))
    // Every content of a clean merge comes from a side, or is the merge of both.
    for entry in result.manifest?.entries ?? [] {
      let isKnown = [base, ours, theirs].contains { text in
        (try? Self.manifest(text))?.entries.contains { $0.content == entry.content } ?? false
      }
      #expect(isKnown)
    }
  }

  @Test(
    "Nothing is lost that neither side deleted, and nothing comes from nowhere", arguments: 0..<300 as Range<UInt64>)
  func keeps(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> String { "\(Int.random(in: 100_000...999_999, using: &generator))" }
    // Every text is in one place, so that moves are certain.
    let base = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d/x", "d/y", "e/f/z"].map { ($0, text()) })
    func edited() -> [String: String] {
      var copy = base
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let path = copy.keys.sorted().randomElement(using: &generator) ?? "a"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: copy[path] = nil
        case 1: copy[path] = text()
        case 2: copy["n\(text())"] = copy.removeValue(forKey: path)
        default: copy["n\(text())"] = text()
        }
      }
      return copy
    }
    func package(_ entries: [String: String]) -> String {
      entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
    let (ours, theirs) = (edited(), edited())
    let result = try Self.merge(package(base), package(ours), package(theirs))
    guard let merged = result.manifest else { return }
    let found = merged.entries.compactMap(\.content)
    // Contents of which nobody made others: those are as the three-way rule says. A merge of two edits is new.
    let (old, mine, other) = (
      Set(base.values.map(Self.id)), Set(ours.values.map(Self.id)), Set(theirs.values.map(Self.id))
    )
    let certain = mine.intersection(other).union(mine.subtracting(old)).union(other.subtracting(old))
    let new = Set(found).subtracting(old).subtracting(mine).subtracting(other)
    #expect(found.count == Set(found).count, "\(seed)")
    #expect(Set(found).subtracting(new).isSubset(of: certain), "\(seed)")
    #expect(certain.subtracting(found).count == new.count * 2, "\(seed)")
  }

  private static func shape(_ manifest: PackageManifest?) -> [[String]]? {
    manifest?.entries.map { entry in
      [
        String(decoding: entry.path.bytes, as: UTF8.self), "\(entry.kind)", String(entry.mode, radix: 8),
        entry.content?.hexadecimal ?? "", "\(entry.size)",
      ]
    }
  }
}
