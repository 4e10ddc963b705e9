import SystemIO
import TestSupport
import Testing

@Suite("Reports about merges of text") struct MergeCases {
  /// Both devices change a document of the same base and sync.
  private func edited(
    name: String = "d", _ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]
  ) throws -> DeviceFixture {
    let fixture = try DeviceFixture("A", "B", documents: "echo k > k")
    try fixture.write(base, to: "A/\(name)")
    try fixture.sh("A save -q > /dev/null; both")
    try fixture.write(ours, to: "A/\(name)")
    try fixture.write(theirs, to: "B/\(name)")
    try fixture.sh("A save -q > /dev/null; B save -q > /dev/null; both; cmp A/\(name) B/\(name)")
    return fixture
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func isConflict(_ fixture: DeviceFixture) throws -> Bool {
    let (here, there) = try (fixture.sh("A conflicts -z"), fixture.sh("B conflicts -z"))
    #expect(here == there)
    return !here.isEmpty
  }

  /// The version with certain content becomes the current one, byte for byte.
  private func checkResolves(_ fixture: DeviceFixture, _ name: String = "d", to content: [UInt8]) throws {
    try fixture.write(content, to: "wanted")
    try fixture.sh(
      """
      sum=$(sha256sum < wanted | cut -c 1-64)
      id=$(A log --all --json \(name) | grep "\\"content\\":\\"$sum\\"" | head -n 1 | sed 's/.*"version":"\\([0-9a-f]*\\)".*/\\1/')
      A resolve \(name) --use $id > /dev/null; both; cmp wanted A/\(name); cmp wanted B/\(name); same "$(A conflicts)" ""
      """)
  }

  @Test("BR-111: Without a line end at the end there is a conflict with markers on lines of their own")
  func noFinalLineEnd() throws {
    let (ours, theirs) = (bytes("top\nlast A"), bytes("top\nlast B"))
    let fixture = try edited(bytes("top\nlast"), ours, theirs)
    #expect(try isConflict(fixture))
    try fixture.sh("A diff d@base d@current > /dev/null; A merge --markers d 2> /dev/null || true")
    let lines = try fixture.text("A/d").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0.hasPrefix("<<<<<<< ") || $0 == "=======" || $0.hasPrefix(">>>>>>> ") }.count == 3)
    #expect(lines.contains("last A") && lines.contains("last B"))
    try fixture.sh("A restore d -q > /dev/null 2>&1 || A cat d > A/d")
    try checkResolves(fixture, to: ours)
  }

  @Test("BR-112: Line ends at the end come and go with their side", arguments: ["x", "x\n", "x\n\n", "", "\n"])
  func finalLineEnds(side: String) throws {
    var fixture = try edited(bytes("base\n"), bytes(side), bytes("other"))
    #expect(try isConflict(fixture))
    try checkResolves(fixture, to: bytes(side))
    fixture = try edited(bytes("1\n2\n3\n4\n5\n6\n"), bytes("1\n2\n3\n4\n5\n6" + side), bytes("one\n2\n3\n4\n5\n6\n"))
    #expect(try !isConflict(fixture))
    #expect(try fixture.text("A/d") == "one\n2\n3\n4\n5\n6" + side)
  }

  @Test("BR-113: Two additions with a common end don't merge, and both of them have their ends")
  func commonTail() throws {
    let start = "[room 1]\nopen\nclose\n"
    let fixture = try edited(
      bytes(start), bytes(start + "[room 2]\nopen\n two\nclose\n"), bytes(start + "[room 3]\nopen\n three\nclose\n"))
    #expect(try isConflict(fixture))
    try fixture.sh("echo b | A resolve -i d > /dev/null; both; cmp A/d B/d")
    let text = try fixture.text("A/d")
    #expect(text.ranges(of: "\nclose\n").count == 3 && text.contains("[room 2]\nopen\n two\nclose\n"))
    #expect(text.contains("[room 3]\nopen\n three\nclose\n"))
  }

  @Test("BR-114: Letters of two texts are never mixed")
  func mixedLetters() throws {
    let line = String(repeating: "abcdefghij", count: 6)
    for (ours, theirs) in [
      (line.replacing("cde", with: "CDE"), line.replacing("ghi", with: "GHI")), ("quite another line", "and one more"),
      ("retyped " + line, "Retyped " + line),
    ] {
      let fixture = try edited(bytes(line + "\n"), bytes(ours + "\n"), bytes(theirs + "\n"))
      #expect(try isConflict(fixture))
      #expect([ours + "\n", theirs + "\n"].contains(try fixture.text("A/d")))
    }
  }

  @Test("BR-115: Where one side changed the line ends no merge has them mixed")
  func lineEnds() throws {
    let base = (1...10).map { "line \($0)\n" }.joined()
    let fixture = try edited(
      bytes(base), bytes(base.replacing("\n", with: "\r\n")), bytes(base.replacing("line 5", with: "fifth")))
    let merged = try fixture.bytes("A/d")
    if try !isConflict(fixture) {
      #expect(
        String(decoding: merged, as: UTF8.self) == base.replacing("line 5", with: "fifth").replacing("\n", with: "\r\n")
      )
    }
    try fixture.sh("A log --all d --json | grep -c '\"origin\":\"save\"' | grep -qx 3; A verify -q")
    let feeds = merged.indices.filter { merged[$0] == 0x0A }
    #expect(Set(feeds.map { $0 > 0 && merged[$0 - 1] == 0x0D }).count == 1)
  }

  @Test("BR-116: Markers have the line ends of the file")
  func markerLineEnds() throws {
    let base = "1\r\n2\r\n3\r\n4\r\n"
    let ours = base.replacing("3", with: "three")
    let fixture = try edited(bytes(base), bytes(ours), bytes(base.replacing("3", with: "drei")))
    #expect(try isConflict(fixture))
    try fixture.sh("A merge --markers d 2> /dev/null || true")
    let marked = try fixture.bytes("A/d")
    #expect(marked.indices.filter { marked[$0] == 0x0A }.allSatisfy { marked[$0 - 1] == 0x0D })
    #expect(String(decoding: marked, as: UTF8.self).contains("=======\r\n"))
    try fixture.sh("A cat d > A/d")
    try checkResolves(fixture, to: bytes(ours))
  }

  @Test("BR-117: UTF-16 is merged as such or not at all", arguments: [false, true])
  func wideText(isBigEndian: Bool) throws {
    func wide(_ text: String) -> [UInt8] {
      var bytes: [UInt8] = []
      for unit in ("\u{FEFF}" + text).utf16 {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
        bytes += isBigEndian ? [high, low] : [low, high]
      }
      return bytes
    }
    let (ours, theirs) = (wide("ONE\r\ntwo\r\nthree\r\n"), wide("one\r\ntwo\r\nTHREE\r\n"))
    let fixture = try edited(name: "u.txt", wide("one\r\ntwo\r\nthree\r\n"), ours, theirs)
    let merged = try fixture.bytes("A/u.txt")
    let allowed = try isConflict(fixture) ? [ours, theirs] : [wide("ONE\r\ntwo\r\nTHREE\r\n")]
    #expect(allowed.contains(merged) && merged.count.isMultiple(of: 2))
    try fixture.sh("A diff u.txt@~1 u.txt > /dev/null; A conflicts --diff > /dev/null")
  }

  @Test("BR-118: Resolving keeps every byte of mixed line ends")
  func mixedLineEnds() throws {
    let text = { (mark: String) in "1\n2\r\n3\r4\(mark)\n\r\n\r\r5" }
    let fixture = try edited(bytes(text("")), bytes(text("A")), bytes(text("B")))
    #expect(try isConflict(fixture))
    try checkResolves(fixture, to: bytes(text("A")))
    try fixture.sh("A undo > /dev/null; both")
    try checkResolves(fixture, to: bytes(text("B")))
    try fixture.sh("A undo > /dev/null; both")
    try fixture.write(bytes(text("\rC\n\r")), to: "given")
    try fixture.sh("A resolve d --merged ../given > /dev/null; both; cmp given A/d; cmp given B/d")
  }

  @Test(
    "BR-119: The file is one side's whole text, whatever conflicts; markers are made only when asked for",
    arguments: ["n.ipynb", "x.json", "x.plist", "x.svg", "x.html"])
  func structured(name: String) throws {
    let text = { (value: String) in
      name.hasSuffix("json") || name.hasSuffix("ipynb")
        ? "{\n \"cells\": [],\n \"value\": \"\(value)\"\n}\n" : "<a>\n <b>\(value)</b>\n</a>\n"
    }
    let fixture = try edited(name: name, bytes(text("base")), bytes(text("one")), bytes(text("two")))
    #expect(try isConflict(fixture))
    #expect([text("one"), text("two")].contains(try fixture.text("A/\(name)")))
    try fixture.sh(
      "A merge \(name) 2> /dev/null || true; A status > /dev/null; A conflicts --diff > /dev/null; A sync -q")
    #expect([text("one"), text("two")].contains(try fixture.text("A/\(name)")))
  }

  @Test("BR-120: Lines that merge to something malformed are a conflict, and all that differs is asked about")
  func malformed() throws {
    let base = "<p>\n1\n2\n3\n4\n5\n</p>\n"
    let (ours, theirs) = ("<p>\n<b>\n1\n2\n3\n4\n</b>\n5\n</p>\n", "<p>\n1\n2\n<i>\n3\n4\n5\n</i>\n</p>\n")
    var fixture = try edited(name: "x.xml", bytes(base), bytes(ours), bytes(theirs))
    #expect(try isConflict(fixture))
    #expect([ours, theirs].contains(try fixture.text("A/x.xml")))
    try fixture.sh(
      "A merge --markers x.xml 2> /dev/null || true; grep -q '^<<<<<<< current' A/x.xml; A cat x.xml > A/x.xml")
    let asked = try fixture.run("yes o | A resolve -i x.xml; A conflicts -z | wc -c").outputText
    #expect(asked.contains("conflict 1 of ") && asked.hasSuffix("\n0\n"))
    #expect([ours, theirs].contains(try fixture.text("A/x.xml")))

    let object = "{\n\"title\": \"t\",\n\"note\": \"n\",\n\"tags\": []\n}\n"
    fixture = try edited(
      name: "x.json", bytes(object), bytes(object.replacing("{\n", with: "{\n\"id\": 1,\n")),
      bytes(object.replacing("[]\n", with: "[]\n, \"id\": 2\n")))
    #expect(try isConflict(fixture))
    #expect(try fixture.text("A/x.json").ranges(of: "\"id\"").count == 1)
  }

  @Test("BR-121: What looks like markers is text")
  func lookalikes() throws {
    let text = { (line: String) in
      "Example\n=======\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n\(line)\n"
    }
    let fixture = try edited(name: "d.md", bytes(text("base")), bytes(text("base")), bytes(text("base") + "more\n"))
    #expect(try !isConflict(fixture))
    try fixture.sh("same \"$(A status)\" ''")
    try fixture.write(bytes(text("one")), to: "A/d.md")
    try fixture.write(bytes(text("two")), to: "B/d.md")
    try fixture.sh("A save -q > /dev/null; B save -q > /dev/null; both")
    #expect(try isConflict(fixture))
    try checkResolves(fixture, "d.md", to: bytes(text("one")))
  }

  @Test("BR-122: Keywords are only text")
  func keywords() throws {
    let fixture = try DeviceFixture("A", "B", documents: "echo k > k")
    let words = bytes("$Id$ $Id: x $ $Log$\n$Date$\r\n$Revision: 1 $")
    try fixture.write([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + words + [0, 0xFF, 0x0A, 0x0D], to: "A/b.bin")
    try fixture.write(words, to: "A/t.txt")
    try fixture.write(words, to: "A/t.md")
    try fixture.sh(
      """
      mkdir kept; cp A/b.bin A/t.txt A/t.md kept; A save -q > /dev/null; both
      for f in b.bin t.txt t.md; do
        cmp kept/$f B/$f; rm B/$f; B restore $f > /dev/null 2>&1; cmp kept/$f B/$f; A cat $f | cmp - kept/$f
      done
      """)
  }
}
