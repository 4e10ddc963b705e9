import Archives
import DocumentMerging
import Merging
import Testing

/// Two changes of a document and what comes of them.
struct DocumentMergeCase: CustomTestStringConvertible {
  let testDescription: String
  let base: DocumentSample
  let ours: DocumentSample
  let theirs: DocumentSample
  /// The members of the result, or `nil` where the merge is refused.
  let expected: DocumentSample?

  init(
    _ testDescription: String, _ base: DocumentSample, _ ours: DocumentSample, _ theirs: DocumentSample,
    _ expected: DocumentSample?
  ) {
    self.testDescription = testDescription
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.expected = expected
  }
}

func mergedArchive(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
  guard case .clean(let merged) = DocumentMerge.merge(path: [], base: base, ours: ours, theirs: theirs) else {
    return nil
  }
  return merged
}

/// Names and contents of an archive's members, in order.
func members(_ archive: [UInt8]) throws -> [String: String] {
  let archive = try ZipArchive(archive)
  return Dictionary(
    uniqueKeysWithValues: try archive.members.map {
      (String(decoding: $0.name, as: UTF8.self), String(decoding: try archive.content(of: $0), as: UTF8.self))
    })
}

@Suite("Merges of zip documents") struct DocumentMergeTests {
  private func check(_ row: DocumentMergeCase) throws {
    let (base, ours, theirs) = try (row.base.archive(), row.ours.archive(), row.theirs.archive())
    let merged = mergedArchive(base, ours, theirs)
    let swapped = mergedArchive(base, theirs, ours)
    guard let expected = row.expected else {
      #expect(merged == nil && swapped == nil)
      return
    }
    let names = try merged.map { try ZipArchive($0).members.map { String(decoding: $0.name, as: UTF8.self) } }
    #expect(names == expected.members.map(\.name))
    let contents = Dictionary(uniqueKeysWithValues: expected.members.map { ($0.name, $0.content) })
    #expect(try merged.map(members) == contents)
    #expect(swapped != nil)
    #expect(mergedArchive(base, ours, theirs) == merged)
  }

  private static let odt = DocumentSample.odt
  private static let docx = DocumentSample.docx

  private static func text(_ changes: [Int: String]) -> String {
    var paragraphs = DocumentSample.paragraphs
    for (index, text) in changes { paragraphs[index] = text }
    return DocumentSample.text(paragraphs)
  }

  private static func word(_ changes: [Int: String]) -> String {
    var paragraphs = DocumentSample.paragraphs
    for (index, text) in changes { paragraphs[index] = text }
    return DocumentSample.word(paragraphs)
  }

  @Test(
    "keep what each side did to different members, or to different paragraphs",
    arguments: [
      DocumentMergeCase(
        "text here, picture there", odt, odt.with([("content.xml", text([0: "A."]))]),
        odt.with([("Pictures/1.png", "new")]),
        odt.with([("content.xml", text([0: "A."])), ("Pictures/1.png", "new")])),
      DocumentMergeCase(
        "two paragraphs of one line of XML", odt, odt.with([("content.xml", text([0: "A."]))]),
        odt.with([("content.xml", text([4: "E."]))]), odt.with([("content.xml", text([0: "A.", 4: "E."]))])),
      DocumentMergeCase(
        "two paragraphs of Word", docx, docx.with([("word/document.xml", word([0: "A."]))]),
        docx.with([("word/document.xml", word([2: "C."]))]),
        docx.with([("word/document.xml", word([0: "A.", 2: "C."]))])),
      DocumentMergeCase(
        "lines of a style sheet and a page", .epub,
        DocumentSample.epub.replacing("a {}", by: "a { x }", in: "OPS/style.css")
          .replacing("One.", by: "Eins.", in: "OPS/one.xhtml"),
        DocumentSample.epub.replacing("d {}", by: "d { y }", in: "OPS/style.css")
          .replacing("Three.", by: "Drei.", in: "OPS/one.xhtml"),
        DocumentSample.epub.with([("OPS/style.css", "a { x }\nb {}\nc {}\nd { y }\n")])
          .replacing("One.", by: "Eins.", in: "OPS/one.xhtml").replacing("Three.", by: "Drei.", in: "OPS/one.xhtml")),
      DocumentMergeCase(
        "two slides", .pptx, DocumentSample.pptx.replacing("One", by: "1", in: "ppt/slides/slide1.xml"),
        DocumentSample.pptx.replacing("Two", by: "2", in: "ppt/slides/slide2.xml"),
        DocumentSample.pptx.replacing("One", by: "1", in: "ppt/slides/slide1.xml")
          .replacing("Two", by: "2", in: "ppt/slides/slide2.xml")),
      DocumentMergeCase(
        "the same change on both sides", odt, odt.with([("content.xml", text([1: "B."])), ("Pictures/1.png", "x")]),
        odt.with([("content.xml", text([1: "B."]))]),
        odt.with([("content.xml", text([1: "B."])), ("Pictures/1.png", "x")])),
    ])
  func independentChanges(row: DocumentMergeCase) throws {
    try check(row)
  }

  @Test(
    "add and remove members",
    arguments: [
      DocumentMergeCase(
        "the same addition", odt, odt.with([("new", "n")]), odt.with([("new", "n"), ("Pictures/1.png", "x")]),
        odt.with([("new", "n"), ("Pictures/1.png", "x")])),
      DocumentMergeCase(
        "removed here, left alone there", odt, odt.with([], without: ["Pictures/1.png"]),
        odt.with([("content.xml", text([0: "A."]))]),
        odt.with([("content.xml", text([0: "A."]))], without: ["Pictures/1.png"])),
      DocumentMergeCase(
        "removed by both", odt, odt.with([("styles.xml", "<s/>")], without: ["Pictures/1.png"]),
        odt.with([("content.xml", text([0: "A."]))], without: ["Pictures/1.png"]),
        odt.with([("styles.xml", "<s/>"), ("content.xml", text([0: "A."]))], without: ["Pictures/1.png"])),
    ])
  func additionsAndRemovals(row: DocumentMergeCase) throws {
    try check(row)
  }

  @Test("put what only theirs added behind the member it follows there")
  func order() throws {
    var theirs = Self.odt
    theirs.members.insert(("Pictures/2.png", "two"), at: 5)
    theirs.members.insert(("first", "one"), at: 1)
    let ours = Self.odt.with([("content.xml", Self.text([0: "A."]))])
    let merged = try #require(mergedArchive(Self.odt.archive(), ours.archive(), theirs.archive()))
    let names = try ZipArchive(merged).members.map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names == theirs.members.map(\.name))
  }

  @Test(
    "are refused where the sides disagree",
    arguments: [
      DocumentMergeCase(
        "one paragraph", odt, odt.with([("content.xml", text([0: "A."]))]),
        odt.with([("content.xml", text([0: "B."]))]), nil),
      DocumentMergeCase(
        "neighbouring tags", docx,
        docx.replacing("<w:r><w:t>The first.", by: "<w:r b=\"1\"><w:t>The first.", in: "word/document.xml"),
        docx.with([("word/document.xml", word([0: "A."]))]), nil),
      DocumentMergeCase(
        "one picture", odt, odt.with([("Pictures/1.png", "\u{0}1")]), odt.with([("Pictures/1.png", "\u{0}2")]), nil),
      DocumentMergeCase(
        "removed here, changed there", odt, odt.with([], without: ["Pictures/1.png"]),
        odt.with([("Pictures/1.png", "2")]), nil),
      DocumentMergeCase(
        "different additions of one name", odt, odt.with([("new", "1")]), odt.with([("new", "2")]), nil),
      DocumentMergeCase(
        "a merge that would not be well formed", docx,
        docx.replacing("<w:r><w:t>The second.", by: "<w:ins><w:r><w:t>The second.", in: "word/document.xml")
          .replacing("The third.</w:t></w:r>", by: "The third.</w:t></w:r></w:ins>", in: "word/document.xml"),
        docx.with([("word/document.xml", word([0: "A."]))]), nil),
      DocumentMergeCase(
        "one identifier for two new elements", odt,
        odt.replacing(
          "<e full-path=\"/\"/>", by: "<e full-path=\"x\"/><e full-path=\"/\"/>", in: "META-INF/manifest.xml"),
        odt.replacing("1.png\"/></f>", by: "1.png\"/><e full-path=\"x\"/></f>", in: "META-INF/manifest.xml"), nil),
      DocumentMergeCase(
        "a signed document", docx.with([("_xmlsignatures/sig1.xml", "<s/>")]),
        docx.with([("_xmlsignatures/sig1.xml", "<s/>"), ("a", "a")]),
        docx.with([("_xmlsignatures/sig1.xml", "<s/>"), ("b", "b")]), nil),
    ])
  func refusals(row: DocumentMergeCase) throws {
    try check(row)
  }

  @Test("leave contents that are no archives to the merge of texts")
  func otherContents() {
    func merge(_ base: String, _ ours: String, _ theirs: String) -> MergeOutcome {
      DocumentMerge.merge(
        path: Array("a.txt".utf8), base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
    }
    #expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n") == .clean(Array("A\nb\nC\n".utf8)))
    #expect(merge("a\n", "b\n", "c\n").content == nil)
    #expect(merge("PK\u{3}\u{4}a", "PK\u{3}\u{4}b", "PK\u{3}\u{4}c").content == nil)
  }

  @Test("need no merge where one side is unchanged, however odd the archive")
  func oneSided() throws {
    let odd = Array("PK\u{3}\u{4} no archive".utf8)
    let other = Array("PK\u{3}\u{4} nor this".utf8)
    #expect(DocumentMerge.merge(path: [], base: odd, ours: odd, theirs: other) == .clean(other))
    #expect(DocumentMerge.merge(path: [], base: odd, ours: other, theirs: other) == .clean(other))
  }
}
