import Testing

@testable import DocumentMerging

@Suite("XML documents") struct XMLMergeTests {
  private func merge(_ base: String, _ ours: String, _ theirs: String) -> String? {
    let merged = XMLMerge.merge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
    let swapped = XMLMerge.merge(base: Array(base.utf8), ours: Array(theirs.utf8), theirs: Array(ours.utf8))
    #expect(merged == swapped)
    return merged.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("are cut at boundaries of tags and at line ends, and put together again")
  func lines() {
    for text in ["<a><b>x</b><c/></a>", "<a>\n<b>x\ny</b>\r\n</a>\n", "<a>>></a>", "", "<a/>\n\n"] {
      let lines = XMLMerge.lines(Array(text.utf8))
      #expect(lines.map { XMLMerge.text($0) } == Array(text.utf8))
    }
    #expect(XMLMerge.lines(Array("<a><b>x</b></a>".utf8)) == Array("<a>\n<b>x</b>\n</a>\n".utf8))
    #expect(XMLMerge.lines([0x3C, 0x01]) == nil)
  }

  @Test("merge where an unchanged tag lies between the changes")
  func merges() {
    let base = "<d><p>1</p><p>2</p><p>3</p></d>"
    #expect(
      merge(base, "<d><p>A</p><p>2</p><p>3</p></d>", "<d><p>1</p><p>2</p><p>C</p></d>")
        == "<d><p>A</p><p>2</p><p>C</p></d>")
    #expect(
      merge(base, "<d><p>0</p><p>1</p><p>2</p><p>3</p></d>", "<d><p>1</p><p>2</p></d>")
        == "<d><p>0</p><p>1</p><p>2</p></d>")
    #expect(merge(base, "<d><p>A</p><p>2</p><p>3</p></d>", "<d><p>1</p><p>B</p><p>3</p></d>") == nil)
    #expect(merge(base, "<d><p>A</p><p>2</p><p>3</p></d>", "<d><p>B</p><p>2</p><p>3</p></d>") == nil)
  }

  @Test("keep line ends and byte-order marks")
  func bytes() {
    let base = "\u{FEFF}<d>\r\n<p>1</p>\r\n<p>2</p>\n<p>3</p>\r\n</d>"
    #expect(
      merge(base, base.replacingOnce("1", "A"), base.replacingOnce("3", "C"))
        == base.replacingOnce("1", "A").replacingOnce("3", "C"))
  }

  @Test("are a conflict where two good sides would make a bad whole")
  func overlappingElements() {
    let base = "<d><p>1</p><p>2</p><p>3</p><p>4</p><p>5</p></d>"
    let ours = "<d><p>1</p><s><p>2</p><p>3</p></s><p>4</p><p>5</p></d>"
    #expect(merge(base, ours, "<d><p>1</p><p>2</p><t><p>3</p><p>4</p></t><p>5</p></d>") == nil)
    #expect(merge(base, ours, "<d><p>1</p><p>2</p><p>3</p><p>4</p><t><p>5</p></t></d>") != nil)
  }

  @Test("are a conflict where a prefix would be used that nothing declares")
  func prefixes() {
    let base = "<d><s xmlns:x=\"x\"><p>1</p><p>2</p><p>3</p></s><z/></d>"
    #expect(
      merge(
        base, "<d><s><p>1</p><p>2</p><p>3</p></s><z/></d>",
        "<d><s xmlns:x=\"x\"><p>1</p><p>2</p><x:p>3</x:p></s><z/></d>") == nil)
  }

  @Test(
    "are well formed or not",
    arguments: [
      ("<a/>", true), ("<?xml version=\"1.0\"?>\n<!-- c --><a b='1' c=\"x>y\">t &amp; &#10;<![CDATA[<]]></a>\n", true),
      ("<!DOCTYPE html>\n<html><p>x</p></html>", true), ("<a xmlns:b=\"u\"><b:c b:d=\"1\"/></a>", true),
      ("<a xml:lang=\"de\"/>", true), ("<\u{E4}/>", true), ("\u{FEFF}<a/>", true),
      ("", false), ("text", false), ("<a>", false), ("</a>", false), ("<a></b>", false), ("<a/><b/>", false),
      ("<a/>text", false), ("<a b/>", false), ("<a b=1/>", false), ("<a b=\"1\" b=\"2\"/>", false),
      ("<a b=\"1\"c=\"2\"/>", false), ("<a b=\"<\"/>", false), ("<a>&</a>", false), ("<a>&amp</a>", false),
      ("<a><!-- -- --></a>", false), ("<a><![CDATA[</a>", false), ("<a", false), ("<1/>", false), ("< a/>", false),
      ("<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>", false), ("<b:c/>", false), ("<a>\u{1}</a>", false),
      ("<a xmlns:b=\"u\"/><b:c/>", false), ("<d><a xmlns:b=\"u\"/><b:c/></d>", false), ("<?xml", false),
    ])
  func wellFormedness(text: String, isWellFormed: Bool) {
    #expect((XMLTags(Array(text.utf8)) != nil) == isWellFormed, "\(text)")
  }

  @Test("in other encodings are refused")
  func encodings() {
    #expect(XMLTags([0xFF, 0xFE, 0x3C, 0, 0x61, 0, 0x2F, 0, 0x3E, 0]) == nil)
    #expect(XMLTags(Array("<a>".utf8) + [0xE4] + Array("</a>".utf8)) == nil)
  }

  @Test("know where their elements end")
  func elements() throws {
    let text = "<a><b c=\"1\"><d/>x</b><b/></a>"
    let tags = try #require(XMLTags(Array(text.utf8)))
    let elements = tags.tags.map { String(decoding: tags.element($0), as: UTF8.self) }
    #expect(elements == [text, "<b c=\"1\"><d/>x</b>", "<d/>", "<b/>"])
    #expect(tags.tags.map(\.depth) == [0, 1, 2, 1])
    #expect(tags.tags.map(\.parent) == [nil, 0, 1, 0])
    #expect(tags.value(of: "c", in: tags.tags[1]).map { Array($0) } == [0x31])
  }
}

extension String {
  fileprivate func replacingOnce(_ old: Character, _ new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
