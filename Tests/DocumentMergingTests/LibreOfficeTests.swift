import Archives
import DocumentMerging
import Merging
import SystemIO
import TestSupport
import Testing

/// LibreOffice and a reader of PDF, where they are installed.
private struct LibreOffice {
  private static let program = FilePath("/usr/bin/soffice")
  private static let pdfReader = FilePath("/usr/bin/pdftotext")
  static var isInstalled: Bool {
    [program, pdfReader].allSatisfy { (try? FileSystem.read($0, limit: 1 << 26)) != nil }
  }

  /// One profile for all tests, as making one takes longer than a conversion.
  static let shared = Result { try LibreOffice() }

  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func run(_ program: FilePath, _ arguments: [String]) throws -> String {
    let home = String(decoding: folder.path.bytes, as: UTF8.self)
    let result = try ChildProcess.run(
      program: program, arguments: arguments.map { Array($0.utf8) },
      environment: ["PATH=/usr/bin:/bin", "HOME=\(home)", "LANG=C.UTF-8"].map { Array($0.utf8) }, folder: folder.path,
      timeoutMilliseconds: 120_000)
    try #require(result.status == 0, "\(result.errorText)")
    return result.outputText
  }

  /// Saves a file of the folder in another format, or the same, in a folder in it; returns the new file.
  func save(_ bytes: [UInt8], from: String, as filter: String, input: String? = nil) throws -> [UInt8] {
    try folder.write(bytes, to: "document.\(from)")
    let target = filter.prefix { $0 != ":" }
    let profile = "-env:UserInstallation=file://" + String(decoding: folder.path.bytes, as: UTF8.self) + "/profile"
    let reading = input.map { ["--infilter=\($0)"] } ?? []
    _ = try run(
      Self.program,
      [profile, "--headless"] + reading + ["--convert-to", filter, "--outdir", "saved", "document.\(from)"])
    return try FileSystem.read(folder.path.appending("saved").appending("document.\(target)"), limit: 1 << 26)
  }

  /// The text that a reader of the printed document sees.
  func printed(_ document: [UInt8], _ ending: String) throws -> String {
    _ = try folder.write(try save(document, from: ending, as: "pdf"), to: "printed.pdf")
    return try run(Self.pdfReader, ["-layout", "printed.pdf", "-"])
  }
}

/// A kind of document that LibreOffice writes.
struct OfficeKind: CustomTestStringConvertible {
  let ending: String
  let filter: String
  let isTable: Bool
  /// The member with the text.
  let member: String

  var testDescription: String { ending }
}

@Suite(
  "Merges of documents by LibreOffice", .serialized,
  .enabled(if: LibreOffice.isInstalled, "soffice or pdftotext is not installed"))
struct LibreOfficeTests {
  private static let kinds = [
    OfficeKind(ending: "odt", filter: "odt:writer8", isTable: false, member: "content.xml"),
    OfficeKind(ending: "docx", filter: "docx:MS Word 2007 XML", isTable: false, member: "word/document.xml"),
    OfficeKind(ending: "ods", filter: "ods:calc8", isTable: true, member: "content.xml"),
    OfficeKind(
      ending: "xlsx", filter: "xlsx:Calc MS Excel 2007 XML", isTable: true, member: "xl/worksheets/sheet1.xml"),
  ]

  /// Twelve paragraphs, or rows, with a number in each: 7001 to 7012; saved twice, as a program's first save of another's
  /// document changes much.
  private func document(_ kind: OfficeKind, by office: LibreOffice) throws -> [UInt8] {
    let numbers = 7001...7012
    var document: [UInt8]
    if kind.isTable {
      let text = numbers.map { "name,\($0),1\n" }.joined()
      document = try office.save(Array(text.utf8), from: "csv", as: kind.filter)
    } else {
      let text = "<html><body>" + numbers.map { "<p>Paragraph \($0) of a report.</p>" }.joined() + "</body></html>"
      document = try office.save(Array(text.utf8), from: "html", as: "odt:writer8", input: "HTML (StarWriter)")
      if kind.ending != "odt" { return try office.save(document, from: "odt", as: kind.filter) }
    }
    return try office.save(document, from: kind.ending, as: kind.filter)
  }

  /// The document with a number replaced wherever it is in the text.
  private func edit(_ document: [UInt8], _ kind: OfficeKind, _ old: String, _ new: String) throws -> [UInt8] {
    let archive = try ZipArchive(document)
    var writer = ZipWriter()
    for member in archive.members {
      guard member.name == Array(kind.member.utf8) else {
        try writer.append(member, of: archive)
        continue
      }
      let content = try archive.content(of: member)
      var edited: [UInt8] = []
      var index = 0
      while index < content.count {
        let isHere = content[index...].starts(with: old.utf8)
        edited += isHere ? Array(new.utf8) : [content[index]]
        index += isHere ? old.utf8.count : 1
      }
      #expect(edited != content, "\(old) is there")
      try writer.append(member, content: edited)
    }
    return try writer.finish()
  }

  /// Merges both ways round, and looks at the print of one.
  private func check(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], _ kind: OfficeKind) throws {
    let path = Array("a.\(kind.ending)".utf8)
    let outcome = DocumentMerge.merge(path: path, base: base, ours: ours, theirs: theirs)
    let swapped = DocumentMerge.merge(path: path, base: base, ours: theirs, theirs: ours)
    guard case .clean(let merged) = outcome, case .clean(let other) = swapped else {
      Issue.record("a conflict: \(outcome)")
      return
    }
    let member = kind.member
    #expect(try members(merged)[member] == members(other)[member])
    let text = try LibreOffice.shared.get().printed(merged, kind.ending)
    #expect(text.contains("8888") && text.contains("9999") && text.contains("7001") && text.contains("7012"))
    #expect(!text.contains("7002") && !text.contains("7009"))
  }

  @Test(
    "have both edits, also where LibreOffice saved each again, and none of two edits of one passage", arguments: kinds)
  func edits(kind: OfficeKind) throws {
    let office = try LibreOffice.shared.get()
    let base = try document(kind, by: office)
    let ours = try edit(base, kind, "7002", "8888")
    let theirs = try edit(base, kind, "7009", "9999")
    try check(base, ours, theirs, kind)
    let saved = try [ours, theirs].map { try office.save($0, from: kind.ending, as: kind.filter) }
    try check(base, saved[0], saved[1], kind)
    let same = try edit(base, kind, "7002", "9999")
    #expect(DocumentMerge.merge(path: [], base: base, ours: ours, theirs: same) == .conflict(count: 1, regions: []))
  }
}
