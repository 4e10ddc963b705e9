import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("merge --markers for contents of any kind") struct MergeMarkersTests {
  private static func wide(_ text: String, isBigEndian: Bool = false, hasMark: Bool = true) -> [UInt8] {
    ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
  }

  /// UTF-16 with a byte-order mark as text without it.
  private static func text(_ bytes: [UInt8], isBigEndian: Bool = false) -> String {
    let (high, low) = isBigEndian ? (0, 1) : (1, 0)
    var units: [UInt16] = []
    for offset in stride(from: 2, to: bytes.count - 1, by: 2) {
      units.append(UInt16(bytes[offset + high]) << 8 | UInt16(bytes[offset + low]))
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// A conflict of one document; the first side is saved, the second comes from elsewhere and is current.
  private func conflict(_ name: String, _ base: [UInt8]?, _ first: [UInt8], _ second: [UInt8]) throws -> CommandFixture
  {
    let fixture = try CommandFixture.initialized()
    var start = "none"
    if let base {
      try fixture.write(base, to: Array(name.utf8))
      start = try #require(try fixture.run("save", "--json", name).objects().first?["version"]?.string)
    }
    try fixture.write(first, to: Array(name.utf8))
    #expect(fixture.run("save", name).status == 0)
    let aside = ["save", "--stdin", name, "--based-on", start].map { Array($0.utf8) }
    #expect(fixture.run(aside, input: second).status == 0)
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
    return fixture
  }

  private func bytes(_ fixture: CommandFixture, _ name: String) throws -> [UInt8] {
    try FileSystem.read(fixture.root.appending(name), limit: 1 << 20)
  }

  @Test("a save with the markers left in is taken, with a warning") func saved() throws {
    let fixture = try conflict("a.txt", Array("1\n2\n".utf8), Array("one\n2\n".utf8), Array("eins\n2\n".utf8))
    #expect(fixture.run("merge", "--markers", "a.txt").status == 1)
    let result = fixture.run("save", "a.txt")
    #expect(result.status == 0 && result.errors.contains("conflict markers in it"), "\(result.errors)")
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
    try fixture.write("2\n", to: "a.txt")
    #expect(fixture.run("save", "a.txt").errors.isEmpty)
  }

  @Test("UTF-16 stays UTF-16, in its own order and with its mark before everything", arguments: [false, true])
  func wideText(isBigEndian: Bool) throws {
    func wide(_ text: String) -> [UInt8] { Self.wide(text, isBigEndian: isBigEndian) }
    // The conflict is in the first line, behind the mark; the letters hold bytes of line feeds and markers.
    let rest = "\r\n\u{A3C}\u{10A0A}\r\n4\r\n"
    let fixture = try conflict("u.txt", wide("1" + rest), wide("eins" + rest), wide("\u{1F600}ne" + rest))
    let result = fixture.run("merge", "--markers", "u.txt")
    #expect(result.status == 1 && result.errors.contains("2 versions conflict"), "\(result.errors)")
    let marked = try bytes(fixture, "u.txt")
    #expect(marked.starts(with: isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) && marked.count.isMultiple(of: 2))
    let text = Self.text(marked, isBigEndian: isBigEndian)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    try #require(lines.count > 5, "\(lines)")
    #expect(lines[0].hasPrefix("<<<<<<< current ") && lines[4].hasPrefix(">>>>>>> conflict "))
    #expect([lines[1], lines[2], lines[3]] == ["\u{1F600}ne", "=======", "eins"])
    #expect(lines[5...].joined(separator: "\r\n") == rest.dropFirst(1))
    // Markers are found in it, and what somebody makes of it is taken.
    #expect(fixture.run("resolve", "u.txt").errors.contains("conflict markers are left in"))
    try fixture.write(wide("both" + rest), to: Array("u.txt".utf8))
    #expect(fixture.run("resolve", "u.txt").status == 0)
    #expect(try bytes(fixture, "u.txt") == wide("both" + rest))
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
  }

  @Test("UTF-16 of which only some lines conflict keeps the clean edits, and a label of any letters fits")
  func wideTextInPart() throws {
    let fixture = try conflict(
      "u.txt", Self.wide("1\n2\n3\n4\n5\n6\n7\n8\n9"), Self.wide("a\n2\n3\n4\n5\n6\nsept\nacht\n9"),
      Self.wide("b\n2\n3\n4\n5\n6\nsieben\n8\nNINE"))
    #expect(fixture.run("device", "rename", "sm\u{1F600}l").status == 0)
    #expect(fixture.run("merge", "--markers", "u.txt").status == 1)
    let lines = Self.text(try bytes(fixture, "u.txt")).split(separator: "\n").map(String.init)
    #expect(lines[0].hasSuffix(" sm\u{1F600}l"))
    #expect(lines.count(where: { $0 == "=======" }) == 2)
  }

  @Test(
    "Lines that merge to something malformed are marked wherever the sides differ",
    arguments: [
      (
        "a.xml", "<p>\n1\n2\n3\n4\n5\n</p>\n", "<p>\n<b>\n1\n2\n3\n4\n</b>\n5\n</p>\n",
        "<p>\n1\n2\n<i>\n3\n4\n5\n</i>\n</p>\n"
      ),
      (
        "a.json", "{\n\"a\": 1,\n\"b\": 2,\n\"c\": 3\n}\n", "{\n\"id\": 1,\n\"a\": 1,\n\"b\": 2,\n\"c\": 3\n}\n",
        "{\n\"a\": 1,\n\"b\": 2,\n\"id\": 2,\n\"c\": 3\n}\n"
      ),
      ("a.yaml", "a: 1\nb: 2\nc: 3\n", "id: 1\na: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\nid: 2\nc: 3\n"),
    ], [false, true])
  func malformed(row: (name: String, base: String, first: String, second: String), isWide: Bool) throws {
    func encoded(_ text: String) -> [UInt8] { isWide ? Self.wide(text) : Array(text.utf8) }
    let fixture = try conflict(row.name, encoded(row.base), encoded(row.first), encoded(row.second))
    let result = fixture.run("merge", "--markers", row.name)
    #expect(result.status == 1, "\(result.errors)")
    let marked = try bytes(fixture, row.name)
    let lines = (isWide ? Self.text(marked) : String(decoding: marked, as: UTF8.self)).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("<<<<<<< current ") } && lines.contains { $0.hasPrefix(">>>>>>> conflict ") })
    // Both sides can be read out of it whole.
    for (isCurrent, side) in [(true, row.second), (false, row.first)] {
      var taken: [Substring] = []
      var place: Bool?
      for line in lines {
        if line.hasPrefix("<<<<<<<") {
          place = true
        } else if line == "=======" {
          place = false
        } else if line.hasPrefix(">>>>>>>") {
          place = nil
        } else if place == nil || place == isCurrent {
          taken.append(line)
        }
      }
      #expect(taken == side.split(separator: "\n"))
    }
    #expect(fixture.run("resolve", row.name).errors.contains("conflict markers are left in"))
    try fixture.write(encoded(row.base + "\n"), to: Array(row.name.utf8))
    #expect(fixture.run("resolve", row.name).status == 0)
  }

  @Test("A side without content stands beside the other, between markers")
  func emptySide() throws {
    let fixture = try conflict("n", nil, [], Array("text\n".utf8))
    #expect(fixture.run("merge", "--markers", "n").status == 1)
    let lines = try fixture.read("n").split(separator: "\n")
    #expect(lines.count == 4 && lines[1] == "text" && lines[2] == "=======" && lines[3].hasPrefix(">>>>>>>"))
    #expect(fixture.run("resolve", "n").status == 4)
  }

  @Test(
    "What can't hold markers is left as it is, with one line that says why",
    arguments: [
      ("binary", [0, 1], [0, 2], [0, 3], "the versions are no texts"),
      (
        "encodings", Array("1\n".utf8), wide("2\n"), Array("3\n".utf8),
        "the versions are in different encodings"
      ),
      (
        "orders", wide("1\n"), wide("2\n"), wide("3\n", isBigEndian: true), "the versions are in different encodings"
      ),
      ("cut", wide("1\n"), wide("2\n") + [0x20], wide("3\n"), "the versions are in different encodings"),
    ] as [(String, [UInt8], [UInt8], [UInt8], String)])
  func without(name: String, base: [UInt8], first: [UInt8], second: [UInt8], reason: String) throws {
    let fixture = try conflict(name, base, first, second)
    let result = fixture.run("merge", "--markers", name)
    #expect(result.status == 4)
    let line = result.errors.split(separator: "\n").last ?? ""
    #expect(line.contains("no markers can be put into \"\(name)\": \(reason), choose one with dver resolve"), "\(line)")
    #expect(try bytes(fixture, name) == first)
  }
}
