import SystemIO
import TestSupport
import Testing

@testable import VersionStore

@Suite("Ignore patterns") struct IgnorePatternTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    let matching: [String]
    let other: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, _ matching: [String], not other: [String]) {
      self.pattern = pattern
      self.matching = matching
      self.other = other
    }
  }

  /// What ends in a slash is a folder. Taken from the text of gitignore(5) and git's `t/t3070-wildmatch.sh`.
  static let rows = [
    Row("foo", ["foo", "a/foo", "foo/"], not: ["foobar", "afoo", "fo"]),
    Row("foo/", ["foo/", "a/foo/"], not: ["foo", "a/foo"]),
    Row("/foo", ["foo", "foo/"], not: ["a/foo"]),
    Row("doc/frotz", ["doc/frotz"], not: ["a/doc/frotz"]),
    Row("/doc/frotz", ["doc/frotz"], not: ["a/doc/frotz"]),
    Row("frotz/", ["frotz/", "a/frotz/"], not: ["frotz"]),
    Row("doc/frotz/", ["doc/frotz/"], not: ["a/doc/frotz/", "doc/frotz"]),
    Row("foo/*", ["foo/test.json", "foo/bar/"], not: ["foo/bar/hello.c"]),
    Row("*.c", ["a.c", "b/a.c", ".c"], not: ["a.cc", "a.h"]),
    Row("/*.c", ["cat-file.c"], not: ["mozilla-sha1/sha1.c"]),
    Row("*", ["a", "a/b"], not: []),
    Row("?", ["a", "x/b"], not: ["ab"]),
    Row("a?c", ["abc"], not: ["ac", "abbc"]),
    Row("a/?/c", ["a/b/c"], not: ["a//c", "a/bb/c"]),
    Row("a?b/c", ["axb/c"], not: ["a/b/c"]),
    Row("[a-c]x", ["ax", "bx", "cx"], not: ["dx", "x"]),
    Row("[!a-c]x", ["dx", "-x"], not: ["ax", "bx", "x"]),
    Row("[^a]x", ["bx"], not: ["ax"]),
    Row("[]]", ["]"], not: ["a"]),
    Row("[]-a]", ["]", "^", "_", "`", "a"], not: ["b", "-"]),
    Row("[!]a-]", ["b"], not: ["]", "a", "-"]),
    Row("[a-]", ["a", "-"], not: ["b"]),
    Row("[-a]", ["a", "-"], not: ["b"]),
    Row("[a\\-c]", ["a", "-", "c"], not: ["b"]),
    Row("[a-\\]]", [], not: ["b"]),
    Row("[\\]-a]", ["]", "^", "a"], not: ["\\", "b"]),
    Row("[abc", [], not: ["a", "[abc"]),
    Row("[[:digit:]]x", ["0x", "9x"], not: ["ax", ":x"]),
    Row("[[:upper:][:space:]_]", ["A", " ", "_"], not: ["a", "1"]),
    Row("[![:alpha:]]", ["1", "-"], not: ["a", "Z"]),
    Row("[[:bogus:]]", [], not: ["b", "[", ":"]),
    Row("[[:xdigit:]-z]", ["f", "z", "-"], not: ["g"]),
    Row("a[/]b", [], not: ["a/b", "ab"]),
    Row("\\#a", ["#a"], not: ["a", "\\#a"]),
    Row("\\!a", ["!a"], not: ["a"]),
    Row("a\\*", ["a*"], not: ["ab", "a\\"]),
    Row("a\\", [], not: ["a", "a\\"]),
    Row("a\\b", ["ab"], not: ["a\\b"]),
    Row("a\\ ", ["a "], not: ["a"]),
    Row("a\\  ", ["a "], not: ["a", "a  "]),
    Row("a\\\\ ", ["a\\"], not: ["a\\ ", "a "]),
    Row("a  ", ["a"], not: ["a "]),
    Row(" a", [" a"], not: ["a"]),
    Row("a b", ["a b"], not: ["a", "b"]),
    Row("**", ["a", "a/b", "a/b/c"], not: []),
    Row("**/foo", ["foo", "a/foo", "a/b/foo"], not: ["afoo", "a/bfoo"]),
    Row("**/foo/bar", ["foo/bar", "a/foo/bar"], not: ["foo/a/bar", "bar"]),
    Row("abc/**", ["abc/a", "abc/a/b"], not: ["abc", "x/abc/a"]),
    Row("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], not: ["ab", "a/bb", "x/a/b"]),
    Row("a**/b", ["a/b", "axx/b"], not: ["ab", "a/x/b", "ax/x/b"]),
    Row("a/**b", ["a/b", "a/xxb"], not: ["a/x/b", "ab"]),
    Row("/foo**", ["foo", "foobar"], not: ["foo/bar", "a/foo"]),
    Row("foo**bar", ["foobar", "fooxbar"], not: ["foo/bar"]),
    Row("/**/b", ["b", "a/b"], not: ["ab"]),
    Row("a/***/b", ["a/b", "a/x/y/b"], not: ["ab"]),
    Row("**/**/b", ["b", "a/b", "x/y/b"], not: ["ab"]),
    Row("a/**/*/b", ["a/x/b", "a/x/y/b"], not: ["a/b"]),
    Row("**/a*c/**/d?f", ["ac/daf", "x/abc/y/z/dxf"], not: ["ac/d/f", "abc/df"]),
    Row("*a*b*", ["ab", "xaxbx", "aab"], not: ["ba", "a"]),
    Row("/a*/b*c", ["a/bc", "axx/bxxc"], not: ["a/x/bc", "a/bcd"]),
    Row("Ünïcode*", ["Ünïcode", "Ünïcode1"], not: ["unicode"]),
  ]

  /// git 2.39 takes the plain text in front of a star away first, so that stars behind it count as standing alone, against
  /// gitignore(5): "Other consecutive asterisks are considered regular asterisks".
  static let divergingFromGit = ["a**/b": ["ab", "a/x/b", "ax/x/b"]]

  private func matches(_ pattern: IgnorePattern, _ name: String) -> Bool {
    let isFolder = name.hasSuffix("/")
    let bytes = Array(name.utf8)
    return pattern.matches(isFolder ? bytes.dropLast() : bytes[...], isFolder: isFolder)
  }

  @Test("match as gitignore(5) says", arguments: rows) func table(_ row: Row) throws {
    let pattern = try #require(IgnorePattern(line: Array(row.pattern.utf8)))
    for name in row.matching { #expect(matches(pattern, name), "\(name)") }
    for name in row.other { #expect(!matches(pattern, name), "\(name)") }
  }

  @Test("that are blank or comments are none", arguments: ["", " ", "   ", "#", "# a", "/", "!", "!/", "\r", "//"])
  func none(_ line: String) {
    if let pattern = IgnorePattern(line: Array(line.utf8)) {
      #expect(!matches(pattern, "a") && !matches(pattern, "a/"))
    }
  }

  @Test("match as git does", arguments: rows) func git(_ row: Row) throws {
    let names = (row.matching + row.other).filter { !$0.contains("//") }
    let folder = try TemporaryDirectory()
    func git(_ arguments: [String], input: [UInt8] = []) throws -> ProcessResult? {
      do {
        return try ChildProcess.run(
          program: FilePath("git"), arguments: arguments.map { Array($0.utf8) }, folder: folder.path, input: input)
      } catch {
        print("not compared with git, which is not installed: \(error)")
        return nil
      }
    }
    guard try git(["init", "-q"]) != nil else { return }
    try folder.write(Array((row.pattern + "\n").utf8), to: ".gitignore")
    for name in names where !name.isEmpty {
      // Every name by itself: a name that is excluded would take the ones below it along.
      let isFolder = name.hasSuffix("/")
      let place = folder.appending(isFolder ? String(name.dropLast()) : name)
      try FileSystem.makeFolders(at: isFolder ? place : place.parent)
      let result = try #require(
        try git(["check-ignore", "-v", "-z", "--stdin", "--no-index"], input: Array((name + "\0").utf8)))
      let expected = result.status == 0
      if let pattern = IgnorePattern(line: Array(row.pattern.utf8)) {
        // git also answers for what lies in an excluded folder.
        var found = matches(pattern, name)
        for (place, byte) in name.utf8.enumerated() where byte == UInt8(ascii: "/") && place + 1 < name.utf8.count {
          found = found || pattern.matches(Array(name.utf8.prefix(place))[...], isFolder: true)
        }
        let diverges = Self.divergingFromGit[row.pattern]?.contains(name) ?? false
        #expect((found == expected) != diverges, "\(name)")
      }
      try? FileSystem.removeTree(at: folder.appending(String(name.split(separator: "/")[0])))
    }
  }

  @Test("cost no more than pattern times name") func cost() {
    let pattern = IgnorePattern(line: Array(String(repeating: "*a", count: 2000).utf8) + Array("*b".utf8))
    let name = [UInt8](repeating: UInt8(ascii: "a"), count: 30_000)
    #expect(pattern?.matches(name[...], isFolder: false) == false)
    let folders = IgnorePattern(line: Array((String(repeating: "**/a/", count: 2000) + "b").utf8))
    let deep = Array(String(repeating: "a/", count: 10_000).utf8) + [UInt8(ascii: "c")]
    #expect(folders?.matches(deep[...], isFolder: false) == false)
  }

  @Test("of a deeper folder and later lines win") func order() throws {
    let here = try TestRepository()
    try here.write("*.log\n!keep.log\nbuild/\n", to: ".dverignore")
    try here.write("!*.log\nsecret\n", to: "sub/.dverignore")
    for name in [
      "a.log", "keep.log", "build/x", "sub/b.log", "sub/secret", "sub/build/y", "secret", ".git/config", "sub/.svn/x",
    ] {
      try here.write(name, to: name)
    }
    #expect(try here.savedPaths() == [".dverignore", "keep.log", "secret", "sub/.dverignore", "sub/b.log"])
    try here.write("!.git/\n", to: ".dverignore")
    #expect(try here.savedPaths() == [".dverignore", ".git/config", "a.log", "build/x", "sub/build/y"])
  }

  @Test("leave out the lock files of office programs by themselves, unless they are taken back in") func locks() throws
  {
    let here = try TestRepository()
    let locks = [".~lock.a.odt#", "~$a.docx", "sub/~$b.xlsx", "~$c.ppt"]
    for name in locks + ["a.odt", "~a.docx", "$b.docx", "~$notes", "lock.a#"] { try here.write(name, to: name) }
    #expect(try here.savedPaths() == ["$b.docx", "a.odt", "lock.a#", "~$notes", "~a.docx"])
    try here.write("!~$*\n", to: ".dverignore")
    #expect(try here.savedPaths() == [".dverignore", "sub/~$b.xlsx", "~$a.docx", "~$c.ppt"])
  }

  @Test("in a file with a byte order mark and Windows line ends are read") func windows() throws {
    let here = try TestRepository()
    try here.write([0xEF, 0xBB, 0xBF] + Array("*.log\r\n#x\r\nb \r\n".utf8), to: ".dverignore")
    for name in ["a.log", "b", "c"] { try here.write(name, to: name) }
    #expect(try here.savedPaths() == [".dverignore", "c"])
  }
}
