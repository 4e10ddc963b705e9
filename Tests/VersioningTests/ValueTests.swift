import Testing
import Versioning

@Suite("Logical time") struct LogicalTimeTests {
  private func time(_ milliseconds: Int64, _ counter: UInt32) -> LogicalTime {
    LogicalTime(milliseconds: milliseconds, counter: counter)
  }

  @Test("The next count carries into the milliseconds and stops at the end of the range")
  func counts() {
    let last = LogicalTime.lastMillisecond
    #expect(time(5, 0).next == time(5, 1))
    #expect(time(5, .max).next == time(6, 0))
    #expect(time(last, 7).next == time(last, 8))
    #expect(time(last, .max).next == time(last, .max))
  }

  @Test("A new time is the wall clock's, later than everything earlier, and in the range")
  func follows() {
    #expect(LogicalTime.following(wallTime: 10, earlier: []) == time(10, 0))
    #expect(LogicalTime.following(wallTime: 10, earlier: [time(9, 4), time(8, 9)]) == time(10, 0))
    #expect(LogicalTime.following(wallTime: 10, earlier: [time(10, 4), time(12, 1)]) == time(12, 2))
    #expect(LogicalTime.following(wallTime: .max, earlier: []) == time(LogicalTime.lastMillisecond, 0))
    #expect(LogicalTime.following(wallTime: .min, earlier: []) == time(LogicalTime.firstMillisecond, 0))
  }
}

@Suite("Document paths") struct DocumentPathTests {
  @Test(
    "A path can't leave its folder", arguments: ["", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "a\0b"])
  func refuses(_ text: String) {
    #expect(DocumentPath(Array(text.utf8)) == nil)
  }

  @Test("Any other bytes are a path", arguments: ["a", "a/b", "...", ".a", "a/..b", "-", " ", "\u{1B}[2J"])
  func takes(_ text: String) {
    #expect(DocumentPath(Array(text.utf8))?.bytes == Array(text.utf8))
  }

  @Test("Bytes that are no text are a path, of at most 65,536 bytes")
  func takesBytes() {
    #expect(DocumentPath([0xFF, 0xFE]) != nil)
    #expect(DocumentPath([UInt8](repeating: 1, count: 65_536)) != nil)
    #expect(DocumentPath([UInt8](repeating: 1, count: 65_537)) == nil)
  }

  @Test("A path is an ancestor by whole components, and composed letters are not decomposed ones")
  func compares() {
    #expect(DocumentPath.sample("a").isAncestor(of: .sample("a/b")))
    #expect(!DocumentPath.sample("a").isAncestor(of: .sample("ab/c")))
    #expect(!DocumentPath.sample("a/b").isAncestor(of: .sample("a/b")))
    #expect(DocumentPath.sample("\u{E4}") != DocumentPath.sample("a\u{308}"))
    #expect(DocumentPath.sample("a/b").components.map { Array($0) } == [[0x61], [0x62]])
  }
}

@Suite("Identifiers of 128 bits") struct Identifier128Tests {
  @Test("An identifier comes back from its bytes and digits and orders by them")
  func comesBack() {
    let small = DocumentID(high: 1, low: .max), large = DocumentID(high: 2, low: 0)
    #expect(DocumentID(bytes: small.bytes) == small)
    #expect(DocumentID(hexadecimal: Array(small.hexadecimal.utf8)) == small)
    #expect(small.hexadecimal == "0000000000000001ffffffffffffffff")
    #expect(small < large)
    #expect(DocumentID(bytes: [1, 2]) == nil)
    #expect(DocumentID(hexadecimal: Array("0g".utf8)) == nil)
  }
}

@Suite("The rank and the appearance of versions") struct VersionRankTests {
  @Test("A deletion is less than anything else, then time decides, then the id")
  func ranks() {
    let deletion = Version.sample(9, .sample(kind: .deleted, content: nil, size: 0, counter: 9))
    let early = Version.sample(8, .sample(counter: 1))
    let late = Version.sample(2, .sample(counter: 2))
    let tied = Version.sample(3, .sample(counter: 2))
    #expect([early, tied, deletion, late].greatestFirst().map(\.id) == [tied, late, early, deletion].map(\.id))
    #expect(tied.isGreater(than: late) && !late.isGreater(than: tied) && !late.isGreater(than: late))
  }

  @Test("Versions that look alike are shown as the greatest of them")
  func shows() {
    let first = Version.sample(1), equal = Version.sample(2, .sample(counter: 1, message: "other"))
    let deletion = Version.sample(3, .sample(kind: .deleted, content: nil, size: 0))
    let elsewhere = Version.sample(4, .sample(path: "b", kind: .deleted, content: nil, size: 0))
    let other = Version.sample(5, .sample(mode: 0o755))
    #expect([first, deletion, equal, elsewhere, other].shown().map(\.id) == [equal, other, elsewhere].map(\.id))
  }
}
