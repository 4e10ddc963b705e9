import SystemIO
import Testing

@Suite("A path") struct FilePathTests {
  @Test(
    "is joined with one slash",
    arguments: [
      ("a", "b", "a/b"), ("a/", "b", "a/b"), ("a", "/b", "a/b"), ("/", "b", "/b"), ("//", "b", "/b"), ("a", "", "a"),
      ("a", "b/c", "a/b/c"), ("a", "b/", "a/b/"), ("a", "/", "a"),
    ])
  func appending(base: String, name: String, joined: String) {
    #expect(FilePath(base).appending(name) == FilePath(joined))
  }

  @Test(
    "has a parent and a last component",
    arguments: [
      ("a/b", "a", "b"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", ""), ("a/b/", "a", "b"), ("a//b", "a", "b"),
      ("/a/b", "/a", "b"), ("//a", "/", "a"), ("a/", ".", "a"), ("///", "/", ""), ("..", ".", ".."),
    ])
  func parts(path: String, parent: String, last: String) {
    #expect(FilePath(path).parent == FilePath(parent))
    #expect(FilePath(path).lastComponent == Array(last.utf8))
  }

  @Test("takes any bytes but zero and nothing")
  func bytes() {
    #expect(FilePath(bytes: [UInt8]()) == nil)
    #expect(FilePath(bytes: [0x61, 0, 0x62]) == nil)
    #expect(FilePath(bytes: Array(1...255) as [UInt8])?.bytes == Array(1...255))
    #expect(FilePath("") == FilePath("."))
    #expect(FilePath("a\0b") == FilePath("a"))
  }

  @Test("compares bytes, not characters")
  func comparison() {
    #expect(FilePath("caf\u{E9}") != FilePath("cafe\u{301}"))
    #expect(FilePath("a") < FilePath("a/b"))
    #expect(FilePath("Z") < FilePath("a"))
    #expect(FilePath("z") < FilePath("\u{E9}"))
  }

  @Test("tells whether it begins at the root")
  func absolute() {
    #expect(FilePath("/a").isAbsolute)
    #expect(!FilePath("a/b").isAbsolute)
  }

  @Test("names no other file for a zero byte that was appended")
  func zeroByte() {
    let path = FilePath("/").appending([0x74, 0x6D, 0x70, 0, 0x78])
    #expect(errorCode { () throws(SystemError) in _ = try FileStatus.of(path) } == 22)
  }

  @Test(
    "is safe to print",
    arguments: [
      ("plain name.txt", "plain name.txt"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("back\\slash", "back\\\\slash"),
      ("\u{1B}[31m", "\\x1b[31m"), ("\u{7F}", "\\x7f"), ("\u{9B}31m", "\\xc2\\x9b31m"),
      ("\u{202E}exe", "\\xe2\\x80\\xaeexe"), ("\u{2066}", "\\xe2\\x81\\xa6"), ("\u{2028}", "\\xe2\\x80\\xa8"),
      ("\u{FEFF}", "\\xef\\xbb\\xbf"), ("café 日本", "café 日本"), ("👩‍👧", "👩‍👧"),
    ])
  func description(path: String, printed: String) {
    #expect(FilePath(path).description.utf8.elementsEqual(printed.utf8))
  }

  @Test(
    "prints bytes that are no UTF-8 one by one",
    arguments: [
      ([0xFF], "\\xff"), ([0x61, 0xC3], "a\\xc3"), ([0xC3, 0x28], "\\xc3("), ([0xE2, 0x82], "\\xe2\\x82"),
      ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"), ([0xF0, 0x9F, 0x98, 0x61], "\\xf0\\x9f\\x98a"),
      ([0xC0, 0xAF], "\\xc0\\xaf"),
      ([0x80, 0x62], "\\x80b"), ([0xF8, 0x88, 0x80, 0x80, 0x80], "\\xf8\\x88\\x80\\x80\\x80"),
    ] as [([UInt8], String)])
  func invalidText(bytes: [UInt8], printed: String) {
    #expect(FilePath.printable(bytes) == printed)
  }
}
