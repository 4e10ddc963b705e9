import ArgumentParsing
import Hashing
import VersionStore
import Versioning

/// Shows one version's record, where it stands in the graph, and how it is stored.
struct ShowCommand: Command {
  static let usage = CommandUsage(
    "show", operands: [.required("PATH@VERSION", .files)], abstract: "Show all that is known of one version",
    options: [VersionExpression.atOption], details: ["Without @VERSION the current version."])

  let expression: VersionExpression

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expression = try VersionExpression.operands(of: arguments)[0]
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let (path, version) = try context.version(expression, in: repository)
    let details = try repository.details(of: version, at: path)
    let writer = VersionWriter(repository, context.output)
    if context.output.isJSON {
      try writer.writeObject(version, state: details.entry.state, isLocal: details.entry.isLocal) { json in
        json.member("children", strings: details.children.map(\.hexadecimal))
        json.member("storage", objects: details.storage) { json, place in
          json.member("pack", place.pack)
          json.member("encoding", place.encoding)
          json.member("storedSize", place.storedByteCount)
          json.member("depth", place.depth)
        }
      }
    } else {
      var table = TextTable()
      for (name, text) in try rows(of: version, details, writer) { table.add(texts: name, text) }
      for line in table.lines() { context.output.write(line: line) }
      let message = HistoryText.messageLines(version.record.message)
      if !message.isEmpty { context.output.write(line: "") }
      for line in message { context.output.write(line: line) }
    }
    return .done
  }

  private func rows(
    of version: Version, _ details: VersionDetails, _ writer: VersionWriter
  ) throws -> [(String, String)] {
    let record = version.record
    var rows = [
      ("version", writer.output.color.yellow(version.id.hexadecimal)), ("document", record.document.hexadecimal),
      ("path", TerminalText.path(record.path.bytes)), ("kind", record.kind.word),
      ("state", details.entry.state.rawValue),
    ]
    if let content = record.content {
      rows.append(("content", content.hexadecimal))
      let isLocal = details.entry.isLocal ? "" : ", not on this device"
      let exact = record.size < 1000 ? "" : " (\(record.size) bytes)"
      rows.append(("size", ByteCount.text(record.size) + exact + isLocal))
      rows.append(("mode", String(record.mode, radix: 8)))
      rows.append(("modified", Self.time(record.modificationTime)))
    }
    let device = record.device == nil ? "" : " on " + TerminalText.line(try writer.deviceName(of: version))
    rows.append(("saved", Self.time(record.wallTime) + device))
    rows.append(("origin", record.isAutomatic ? "automatic merge, rules \(record.mergeRules)" : record.origin.word))
    for parent in record.parents { rows.append(("parent", parent.hexadecimal)) }
    for child in details.children { rows.append(("child", child.hexadecimal)) }
    for place in details.storage {
      let depth = place.depth == 0 ? "" : " at depth \(place.depth)"
      rows.append(("stored", "\(ByteCount.text(place.storedByteCount)), \(place.encoding)\(depth), in \(place.pack)"))
    }
    return rows
  }

  private static func time(_ milliseconds: Int64) -> String {
    TimeFormat.rfc3339(milliseconds: milliseconds) ?? TimeFormat.short(milliseconds: milliseconds)
  }

  private static func time(_ time: FileTime) -> String {
    TimeFormat.rfc3339(seconds: time.seconds, nanoseconds: time.nanoseconds) ?? "@\(time.seconds)"
  }
}
