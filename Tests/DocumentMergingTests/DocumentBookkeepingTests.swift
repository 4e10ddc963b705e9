import Archives
import DocumentMerging
import Testing

@Suite("Bookkeeping and numbers in zip documents") struct DocumentBookkeepingTests {
  private let odt = DocumentSample.odt
  private let docx = DocumentSample.docx
  private let xlsx = DocumentSample.xlsx

  private func merge(
    _ base: DocumentSample, _ ours: DocumentSample, _ theirs: DocumentSample
  ) throws -> [String: String]? {
    try mergedArchive(base.archive(), ours.archive(), theirs.archive()).map(members)
  }

  @Test("take counts, times and previews from ours, and lose nothing that was edited")
  func meta() throws {
    func saved(_ sample: DocumentSample, _ date: String, _ cycles: Int) -> DocumentSample {
      sample.replacing("2026-01-01", by: date, in: "meta.xml").replacing(">1<", by: ">\(cycles)<", in: "meta.xml")
        .with([("Thumbnails/thumbnail.png", "picture \(cycles)")])
    }
    let ours = saved(odt, "2026-02-02", 2)
    let theirs = saved(odt.replacing("Title", by: "Another title", in: "meta.xml"), "2026-03-03", 3)
    let merged = try #require(try merge(odt, ours, theirs))
    #expect(merged["Thumbnails/thumbnail.png"] == "picture 2")
    #expect(merged["meta.xml"] == ours.replacing("Title", by: "Another title", in: "meta.xml")["meta.xml"])
    let swapped = try #require(try merge(odt, theirs, ours))
    #expect(swapped["meta.xml"] == theirs["meta.xml"])
    let third = saved(odt.replacing("Title", by: "A third title", in: "meta.xml"), "2026-04-04", 4)
    #expect(try merge(odt, theirs, third) == nil)
  }

  @Test("take what Office counts from ours")
  func officeProperties() throws {
    let ours = docx.replacing("<Words>10", by: "<Words>11", in: "docProps/app.xml")
      .replacing("val=\"1\"/>", by: "val=\"1\"/><w:rsid w:val=\"2\"/>", in: "word/settings.xml")
    let theirs = docx.replacing("<Words>10", by: "<Words>12", in: "docProps/app.xml")
      .replacing("One", by: "Two", in: "docProps/app.xml")
      .replacing("val=\"1\"/>", by: "val=\"1\"/><w:rsid w:val=\"3\"/>", in: "word/settings.xml")
    let merged = try #require(try merge(docx, ours, theirs))
    #expect(merged["docProps/app.xml"] == ours.replacing("One", by: "Two", in: "docProps/app.xml")["docProps/app.xml"])
    #expect(merged["word/settings.xml"] == ours["word/settings.xml"])
  }

  @Test("refuse a new reference to a relation that the other side numbered anew")
  func relations() throws {
    let rels = "word/_rels/document.xml.rels"
    let ours = docx.replacing("Target=\"b\"", by: "Target=\"c\"", in: rels)
    let referring = docx.replacing("The first.", by: "<w:a r:id=\"rId2\"/>", in: "word/document.xml")
    let harmless = docx.replacing("The first.", by: "<w:a r:id=\"rId1\"/>", in: "word/document.xml")
    #expect(try merge(docx, ours, referring) == nil)
    #expect(try merge(docx, referring, ours) == nil)
    #expect(try merge(docx, ours, harmless) != nil)
  }

  @Test("refuse new text in an automatic style that the other side changed")
  func automaticStyles() throws {
    let ours = odt.replacing("style:b=\"1\"", by: "style:b=\"2\"", in: "content.xml")
    let theirs = odt.replacing(
      "<text:p text:style-name=\"Standard\">The fifth.", by: "<text:p text:style-name=\"P1\">The fifth.",
      in: "content.xml")
    #expect(try merge(odt, ours, theirs) == nil)
    #expect(try merge(odt, theirs, ours) == nil)
    let harmless = odt.replacing("The fifth.", by: "Fifth.", in: "content.xml")
    #expect(try merge(odt, ours, harmless) != nil)
  }

  @Test("merge cells, but no cells with strings whose places moved")
  func sharedStrings() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    let mine = xlsx.replacing("<v>1</v>", by: "<v>100</v>", in: sheet).replacing("\"A1\"/>", by: "\"B1\"/>", in: sheet)
    let other = xlsx.replacing("<v>6</v>", by: "<v>600</v>", in: sheet).replacing("\"A1\"/>", by: "\"C1\"/>", in: sheet)
    let merged = try #require(try merge(xlsx, mine, other))
    #expect(merged[sheet] == mine.replacing("<v>6</v>", by: "<v>600</v>", in: sheet)[sheet])
    let strings = "xl/sharedStrings.xml"
    let moved = mine.replacing("<si><t>red", by: "<si><t>blue</t></si><si><t>red", in: strings)
    #expect(try merge(xlsx, moved, other) == nil)
    #expect(try merge(xlsx, other, moved) == nil)
    let grown = mine.replacing("</sst>", by: "<si><t>blue</t></si></sst>", in: strings)
    #expect(try merge(xlsx, grown, other)?[strings] == grown[strings])
  }

  @Test("refuse a new formula where the other side moved cells")
  func formulas() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    let formula = xlsx.replacing("<v>6</v>", by: "<f>A1+A5</f><v>6</v>", in: sheet)
    let row = xlsx.replacing("<row r=\"2\">", by: "<row r=\"1b\"></row><row r=\"2\">", in: sheet)
    let number = xlsx.replacing("<v>6</v>", by: "<v>7</v>", in: sheet)
    #expect(try merge(xlsx, row, formula) == nil)
    #expect(try merge(xlsx, formula, row) == nil)
    #expect(try merge(xlsx, row, number) != nil)
  }

  @Test("keep mimetype first and stored, whatever a program made of it")
  func mimetype() throws {
    var writer = ZipWriter()
    for member in odt.members.reversed() {
      var header = ZipMember(name: Array(member.name.utf8))
      header.localExtra = [0x55, 0x54, 1, 0, 3]
      try writer.append(header, content: Array(member.content.utf8))
    }
    let ours = try writer.finish()
    let theirs = odt.with([("Pictures/1.png", "new")])
    let merged = try #require(mergedArchive(odt.with([("a", "b")]).archive(), ours, theirs.archive()))
    let archive = try ZipArchive(merged)
    let first = try #require(archive.members.first)
    #expect(first.name == Array("mimetype".utf8) && first.method == .stored && first.localExtra.isEmpty)
    #expect(merged[38...].starts(with: odt["mimetype"].utf8))
    #expect(try members(merged)["Pictures/1.png"] == "new")
  }

  @Test("take members as they are stored, and give merged ones the later time")
  func rawMembersAndTimes() throws {
    let base = try odt.archive(modified: 0x5A21_0000)
    let ours = try odt.replacing("The first.", by: "A.", in: "content.xml").archive(modified: 0x5A22_0000)
    let theirs = try odt.replacing("The fifth.", by: "E.", in: "content.xml").with([("Pictures/1.png", "new")])
      .archive(modified: 0x5A23_0000)
    let merged = try ZipArchive(try #require(mergedArchive(base, ours, theirs)))
    let (mine, other) = try (ZipArchive(ours), ZipArchive(theirs))
    for (index, member) in merged.members.enumerated() {
      switch String(decoding: member.name, as: UTF8.self) {
      case "content.xml": #expect(member.modified == 0x5A23_0000)
      case "Pictures/1.png": #expect(merged.bytes[member.range] == other.bytes[other.members[index].range])
      default: #expect(merged.bytes[member.range] == mine.bytes[mine.members[index].range])
      }
    }
  }
}
