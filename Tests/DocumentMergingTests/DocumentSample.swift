import Archives

/// Small documents of each format, put together from members in order.
struct DocumentSample {
  var members: [(name: String, content: String)]

  init(_ members: [(String, String)]) {
    self.members = members
  }

  subscript(name: String) -> String {
    get { members.first { $0.name == name }?.content ?? "" }
    set {
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].content = newValue
      } else {
        members.append((name, newValue))
      }
    }
  }

  func with(_ changes: [(String, String)], without removed: [String] = []) -> DocumentSample {
    var copy = self
    for (name, content) in changes { copy[name] = content }
    copy.members.removeAll { removed.contains($0.name) }
    return copy
  }

  /// The document with a passage of a member replaced.
  func replacing(_ old: String, by new: String, in name: String) -> DocumentSample {
    var copy = self
    let parts = Self.split(Array(self[name].utf8), at: Array(old.utf8))
    precondition(parts.count == 2, "\(old) is not there exactly once")
    copy[name] = String(decoding: parts[0] + Array(new.utf8) + parts[1], as: UTF8.self)
    return copy
  }

  private static func split(_ bytes: [UInt8], at separator: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: separator) {
        parts.append([])
        index += separator.count
      } else {
        parts[parts.count - 1].append(bytes[index])
        index += 1
      }
    }
    return parts
  }

  /// The archive; `mimetype` is stored, all else deflated.
  func archive(modified: UInt32 = 0x5A21_6000) throws -> [UInt8] {
    var writer = ZipWriter()
    for member in members {
      let method: ZipMethod = member.name == "mimetype" ? .stored : .deflated
      let header = ZipMember(name: Array(member.name.utf8), method: method, modified: modified)
      try writer.append(header, content: Array(member.content.utf8))
    }
    return try writer.finish()
  }

  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  static func text(_ paragraphs: [String]) -> String {
    declaration + "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\">"
      + "<office:automatic-styles><style:style style:name=\"P1\"><style:text-properties style:b=\"1\"/></style:style>"
      + "</office:automatic-styles><office:body><office:text>"
      + paragraphs.map { "<text:p text:style-name=\"Standard\">\($0)</text:p>" }.joined()
      + "</office:text></office:body></office:document-content>"
  }

  static let paragraphs = ["The first.", "The second.", "The third.", "The fourth.", "The fifth."]

  static let odt = DocumentSample([
    ("mimetype", "application/vnd.oasis.opendocument.text"),
    ("Thumbnails/thumbnail.png", "a picture"),
    ("content.xml", text(paragraphs)),
    ("styles.xml", declaration + "<s><one a=\"1\"/><two a=\"1\"/><three a=\"1\"/></s>"),
    ("Pictures/1.png", "\u{0} a picture"),
    (
      "meta.xml",
      declaration + "<m xmlns:meta=\"m\" xmlns:dc=\"d\"><dc:title>Title</dc:title><dc:date>2026-01-01</dc:date>"
        + "<meta:editing-cycles>1</meta:editing-cycles></m>"
    ),
    (
      "META-INF/manifest.xml",
      declaration + "<f><e full-path=\"/\"/><e full-path=\"content.xml\"/><e full-path=\"Pictures/1.png\"/></f>"
    ),
  ])

  static func word(_ paragraphs: [String]) -> String {
    declaration + "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>"
      + paragraphs.map { "<w:p><w:r><w:t>\($0)</w:t></w:r></w:p>" }.joined() + "</w:body></w:document>"
  }

  static let docx = DocumentSample([
    ("[Content_Types].xml", declaration + "<Types><Default Extension=\"xml\"/></Types>"),
    (
      "word/_rels/document.xml.rels",
      declaration + "<Relationships><Relationship Id=\"rId1\" Target=\"a\"/><Relationship Id=\"rId2\" Target=\"b\"/>"
        + "</Relationships>"
    ),
    ("word/document.xml", word(paragraphs)),
    ("word/settings.xml", declaration + "<w:s xmlns:w=\"w\"><w:rsids><w:rsid w:val=\"1\"/></w:rsids></w:s>"),
    (
      "docProps/app.xml",
      declaration + "<Properties><Words>10</Words><Company>One</Company><Lines>1</Lines></Properties>"
    ),
  ])

  static let xlsx = DocumentSample([
    ("[Content_Types].xml", declaration + "<Types><Default Extension=\"xml\"/></Types>"),
    ("xl/sharedStrings.xml", declaration + "<sst><si><t>red</t></si><si><t>green</t></si></sst>"),
    (
      "xl/worksheets/sheet1.xml",
      declaration + "<worksheet><sheetViews><v a=\"A1\"/></sheetViews><sheetData>"
        + (1...6).map { "<row r=\"\($0)\"><c r=\"A\($0)\"><v>\($0)</v></c><c r=\"B\($0)\"><v>0</v></c></row>" }.joined()
        + "</sheetData></worksheet>"
    ),
    ("xl/worksheets/sheet2.xml", declaration + "<worksheet><sheetData/></worksheet>"),
  ])

  static let pptx = DocumentSample([
    ("[Content_Types].xml", declaration + "<Types><Default Extension=\"xml\"/></Types>"),
    ("ppt/slides/slide1.xml", declaration + "<p:sld xmlns:p=\"p\"><p:t>One</p:t></p:sld>"),
    ("ppt/slides/slide2.xml", declaration + "<p:sld xmlns:p=\"p\"><p:t>Two</p:t></p:sld>"),
  ])

  static let epub = DocumentSample([
    ("mimetype", "application/epub+zip"),
    (
      "OPS/book.opf",
      declaration + "<package><meta property=\"dcterms:modified\">2026</meta><title>T</title></package>"
    ),
    ("OPS/one.xhtml", declaration + "<html>\n<body>\n<p>One.</p>\n<p>Two.</p>\n<p>Three.</p>\n</body>\n</html>\n"),
    ("OPS/style.css", "a {}\nb {}\nc {}\nd {}\n"),
  ])
}
