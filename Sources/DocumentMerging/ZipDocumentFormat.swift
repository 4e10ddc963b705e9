internal import Archives

/// What a zip document is, known by its members, and what of it is mere bookkeeping.
///
/// Bookkeeping differs at every save though nobody edited it. It is listed by name; whatever isn't listed is content.
enum ZipDocumentFormat {
  /// Text documents, spreadsheets and others of OpenDocument.
  case openDocument
  /// Documents of Microsoft Office since 2007.
  case officeOpen
  case epub
  case other

  init(_ archive: ZipArchive) {
    let mimetype = archive.members.first { $0.name.elementsEqual("mimetype".utf8) }
    let content = mimetype.flatMap { try? archive.content(of: $0) } ?? []
    if content.starts(with: "application/vnd.oasis.opendocument.".utf8) {
      self = .openDocument
    } else if content.starts(with: "application/epub+zip".utf8) {
      self = .epub
    } else if archive.members.contains(where: { $0.name.elementsEqual("[Content_Types].xml".utf8) }) {
      self = .officeOpen
    } else {
      self = .other
    }
  }

  /// Whether the first member must be `mimetype`, stored, with nothing between its name and its bytes.
  var needsMimetypeFirst: Bool {
    switch self {
    case .openDocument, .epub: true
    case .officeOpen, .other: false
    }
  }

  /// Members that are taken from ours whole where both sides changed them: previews and hints for the layout.
  func isBookkeeping(_ name: String) -> Bool {
    switch self {
    case .openDocument: name == "Thumbnails/thumbnail.png" || name == "layout-cache"
    case .officeOpen: name.hasPrefix("docProps/thumbnail.")
    case .epub, .other: false
    }
  }

  /// Elements of a member that are taken from ours: counts, times, tools, views. All else in it is merged.
  func volatileElements(of name: String) -> [ElementPattern] {
    switch self {
    case .openDocument: Self.openDocumentElements[name] ?? []
    case .officeOpen:
      if name.hasPrefix("xl/worksheets/") {
        [ElementPattern("sheetViews")]
      } else {
        Self.officeOpenElements[name] ?? []
      }
    case .epub: name.hasSuffix(".opf") ? [ElementPattern("meta", ("property", "dcterms:modified"))] : []
    case .other: []
    }
  }

  /// Whether the archive holds signatures, which no merge may carry over.
  static func isSigned(_ archive: ZipArchive) -> Bool {
    archive.members.contains { member in
      member.name.starts(with: "_xmlsignatures/".utf8)
        || member.name.starts(with: "META-INF/documentsignatures".utf8)
        || member.name.starts(with: "META-INF/macrosignatures".utf8)
        || member.name.elementsEqual("META-INF/signatures.xml".utf8)
    }
  }

  private static let openDocumentElements: [String: [ElementPattern]] = [
    "meta.xml": [
      "meta:editing-cycles", "meta:editing-duration", "meta:document-statistic", "meta:generator", "dc:date",
      "dc:creator", "meta:print-date", "meta:printed-by",
    ].map { ElementPattern($0) },
    "settings.xml": [
      ElementPattern("config:config-item-set", ("config:name", "ooo:view-settings")),
      ElementPattern("config:config-item", ("config:name", "Rsid")),
      ElementPattern("config:config-item", ("config:name", "RsidRoot")),
    ],
  ]

  private static let officeOpenElements: [String: [ElementPattern]] = [
    "docProps/core.xml": ["cp:revision", "cp:lastModifiedBy", "cp:lastPrinted", "dcterms:modified"]
      .map { ElementPattern($0) },
    "docProps/app.xml": [
      "TotalTime", "Pages", "Words", "Characters", "CharactersWithSpaces", "Lines", "Paragraphs", "Application",
      "AppVersion", "Slides", "Notes", "HiddenSlides", "MMClips", "HeadingPairs", "TitlesOfParts",
    ].map { ElementPattern($0) },
    "word/settings.xml": ["w:rsids", "w:zoom", "w:proofState"].map { ElementPattern($0) },
    "xl/workbook.xml": ["bookViews", "fileVersion", "xr:revisionPtr", "x15ac:absPath"].map { ElementPattern($0) },
  ]
}
