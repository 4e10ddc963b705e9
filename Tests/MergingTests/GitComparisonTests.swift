import Glibc
import Merging
import Testing

/// The marked text of `git merge-file` and ours, byte for byte.
@Suite("Marked merges beside git's") struct GitComparisonTests {
  /// What is marked otherwise, and why.
  private static let differences: [String: String] = [
    "h083": "the text holds marker lines: ours are longer",
    "h085": "the text holds marker lines: ours are longer",
    "h062": "a zero byte anywhere: no text, nothing is marked",
    "h064": "not text, but equal on both sides",
    "h065": "not text, but changed on one side only",
  ]

  /// Runs git; its output and status, 255 where it refuses.
  private static func git(_ option: String, _ folder: String) -> (output: [UInt8], status: Int32)? {
    let command =
      "cd '\(folder)' && git merge-file -p \(option) -L mine -L old -L yours ours base theirs 2>/dev/null"
    guard let pipe = popen(command, "r") else { return nil }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    return (output, pclose(pipe) >> 8 & 0xFF)
  }

  private static let hasGit = system("git merge-file -h >/dev/null 2>&1; test $? -eq 129") == 0

  /// The names of the cases that differ.
  private static func differing(_ cases: [MergeCase], in folder: String) -> Set<String> {
    let labels = ConflictLabels(ours: bytes("mine"), base: bytes("old"), theirs: bytes("yours"))
    var differing: Set<String> = []
    for row in cases {
      guard let base = row.base, let ours = row.ours, let theirs = row.theirs else { continue }
      for (option, style) in [("", ConflictStyle.merge), ("--diff3", .diff3), ("--zdiff3", .zdiff3)] {
        guard let git = git(option, folder + "/" + row.id) else { continue }
        let marked = ConflictMarkers.render(base: base, ours: ours, theirs: theirs, labels: labels, style: style)
        let isSame =
          marked.map { $0.bytes == git.output && min($0.conflictCount, 127) == Int(git.status) } ?? (git.status == 255)
        if !isSame { differing.insert(row.id) }
      }
      let merge = TextMerge(base: base, ours: ours, theirs: theirs)
      for (option, favor) in [("--ours", ConflictFavor.ours), ("--theirs", .theirs), ("--union", .union)] {
        guard let git = git(option, folder + "/" + row.id), git.status == 0 else { continue }
        if merge.bytes(favoring: favor) != git.output { differing.insert(row.id) }
      }
    }
    return differing
  }

  @Test("are the same in all styles for the handmade cases, but for those that are listed")
  func handmade() {
    guard Self.hasGit else {
      print("skipped: no git merge-file")
      return
    }
    let folder = TestData.package + "/Tests/Fixtures/merge-handmade"
    #expect(Self.differing(TestData.handmade, in: folder) == Set(Self.differences.keys))
  }

  @Test("are the same in all styles for real merges, but for those that are listed")
  func real() {
    guard Self.hasGit, let (cases, folder) = TestData.corpusFolder("merge", variable: "DVER_MERGE_CORPUS") else {
      print("skipped: no git merge-file or merge corpus not present")
      return
    }
    #expect(Self.differing(cases, in: folder) == [])
  }
}
