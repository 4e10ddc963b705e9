import Exchange
import SystemIO
import VersionStore
import Versioning

/// What an exchange came to, for people or as JSON Lines.
struct ExchangeText {
  private let writer: VersionWriter
  private let repository: Repository
  private let isDryRun: Bool

  init(_ writer: VersionWriter, _ repository: Repository, isDryRun: Bool) {
    self.writer = writer
    self.repository = repository
    self.isDryRun = isDryRun
  }

  func write(_ report: ExchangeReport, of remote: [UInt8]) throws {
    let paths = Set((report.newVersions + report.merges).map(\.record.path))
    let conflicts = paths.isEmpty || isDryRun ? [] : try repository.conflicts(paths.sorted())
    if writer.output.isJSON {
      try writeObjects(report, of: remote, conflictCount: conflicts.count)
    } else {
      if report.isNewRemote {
        let text = isDryRun ? "nothing is there: it would be made a remote" : "nothing was there: it is a remote now"
        writer.output.status("\(TerminalText.path(remote)): \(text)")
      }
      writer.output.write(line: "\(TerminalText.path(remote)): \(summary(report))")
      try writer.writeMade(report.merges, verb: "merged")
      for line in table(report.placement, Set(conflicts.map(\.path))).lines() { writer.output.write(line: line) }
    }
    for warning in report.warnings { writer.output.warn(CommandFailure(warning)) }
    for path in report.placement.displaced { writer.output.warn(.displaced(path)) }
  }

  private func writeObjects(_ report: ExchangeReport, of remote: [UInt8], conflictCount: Int) throws {
    try writer.writeMade(report.merges, verb: "merged")
    for row in files(report.placement) {
      writer.output.write { json in
        json.path("path", row.path.bytes)
        json.member("file", row.what)
        if let reason = row.reason { json.member("reason", reason) }
      }
    }
    writer.output.write { json in
      json.path("remote", remote)
      json.member("fetchedEntries", report.fetchedEntries)
      json.member("fetchedSize", report.fetchedBytes)
      json.member("sentEntries", report.sentEntries)
      json.member("sentSize", report.sentBytes)
      json.member("newVersions", report.newVersions.count)
      json.member("merges", report.merges.count)
      json.member("conflicts", conflictCount)
      json.member("isDryRun", isDryRun)
    }
  }

  private func summary(_ report: ExchangeReport) -> String {
    var parts: [String] = []
    if report.fetchedEntries > 0 {
      parts.append("\(isDryRun ? "would fetch" : "fetched") \(ByteCount.text(report.fetchedBytes))")
    }
    if report.sentEntries > 0 || report.sentBytes > 0 {
      parts.append("\(isDryRun ? "would send" : "sent") \(ByteCount.text(report.sentBytes))")
    }
    if !report.newVersions.isEmpty {
      parts.append(report.newVersions.count == 1 ? "1 new version" : "\(report.newVersions.count) new versions")
    }
    if parts.isEmpty { return report.failure == nil ? "up to date" : "not complete" }
    return parts.joined(separator: ", ")
  }

  // MARK: Working files

  private var hardLinkText: String { "its hard links keep the old content" }

  private func files(_ report: PlacementReport) -> [(what: String, path: DocumentPath, reason: String?)] {
    report.created.map { ("created", $0, nil) }
      + report.replaced.map { ("updated", $0, report.unlinked.contains($0) ? hardLinkText : nil) }
      + report.removed.map { ("removed", $0, nil) } + report.left.map { ("left", $0, "unsaved changes") }
      + report.failed.map { ("not updated", $0.path, $0.reason) }
      + report.unplaced.map { ("not placed", $0.path, $0.reason.text) }
      + report.rescued.map { ("saved", $0.record.path, "written to while it was updated") }
  }

  private func table(_ report: PlacementReport, _ conflicts: Set<DocumentPath>) -> TextTable {
    var table = TextTable()
    let color = writer.output.color
    for row in files(report) {
      let isPlain = row.reason == nil
      table.add([
        TextTable.Cell(row.what) { isPlain ? color.green($0) : color.yellow($0) },
        TextTable.Cell(TerminalText.path(row.path.bytes) + (row.reason.map { "  (\($0))" } ?? "")),
      ])
    }
    for path in conflicts.sorted() {
      table.add([TextTable.Cell("conflict", paint: color.red), TextTable.Cell(TerminalText.path(path.bytes))])
    }
    return table
  }
}

extension PlacementReport.Failure {
  /// For people; the path is named beside it.
  var reason: String {
    if case .system(let cause)? = error.cause { return TerminalText.line(cause.message) }
    return CommandFailure(error).message
  }
}

extension UnplacedReason {
  /// For people.
  var text: String {
    switch self {
    case .pathInTheWay: "something else is in the way"
    case .nameTaken: "this volume takes the name for another file's"
    case .nameImpossible: "this volume can't hold the name"
    case .behindLink: "a link is on the way there"
    case .kindImpossible: "this volume can't hold symbolic links"
    }
  }
}
