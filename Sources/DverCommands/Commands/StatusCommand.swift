import ArgumentParsing
import VersionStore
import Versioning

/// Lists documents that aren't as the store has them.
struct StatusCommand: Command {
  static let usage = CommandUsage(
    "status", operands: [.any("PATH", .files)], abstract: "List documents that are changed, new, missing, in conflict",
    options: [
      OptionUsage("--exit-code", help: "Exit with status 1 if there are any"), RereadOption.usage, NullOption.usage,
    ],
    details: [
      "Without PATH all documents below the current folder. Nothing is shown where everything is saved."
    ])

  let paths: [[UInt8]]
  let answersByExitStatus: Bool
  let rereadsEverything: Bool
  let isNullTerminated: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    answersByExitStatus = arguments.contains("--exit-code")
    rereadsEverything = arguments.contains(RereadOption.name)
    isNullTerminated = NullOption.isGiven(arguments)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let report = try repository.status(
      try context.targets(paths, in: repository), rereadsEverything: rereadsEverything)
    let output = context.output
    if output.isJSON {
      for entry in report.entries { output.write { Self.members(of: entry, to: &$0) } }
    } else if isNullTerminated {
      for entry in report.entries { output.write(path: entry.path.bytes, isNullTerminated: true) }
    } else {
      for line in Self.table(of: report.entries, output.color).lines() { output.write(line: line) }
      for path in report.notDocuments { output.status("not a document: \(TerminalText.path(path.bytes))") }
    }
    return answersByExitStatus && !report.entries.isEmpty ? .otherAnswer : .done
  }

  private static func members(of entry: StatusEntry, to json: inout JSONWriter) {
    json.path("path", entry.path.bytes)
    json.member("status", entry.change.word)
    switch entry.change {
    case .renamed(let from): json.path("from", from.bytes)
    case .unreadable(let reason): json.member("reason", reason)
    default: break
    }
  }

  private static func table(of entries: [StatusEntry], _ color: Color) -> TextTable {
    var table = TextTable()
    for entry in entries {
      let path = TerminalText.path(entry.path.bytes)
      let (paint, text): ((String) -> String, String) =
        switch entry.change {
        case .modified: (color.yellow, path)
        case .new: (color.green, path)
        case .missing: (color.red, path)
        case .renamed(let from): (color.yellow, "\(TerminalText.path(from.bytes)) -> \(path)")
        case .conflict: (color.red, path)
        case .remoteOnly: (color.cyan, path)
        case .unreadable(let reason): (color.red, "\(path)  (\(TerminalText.line(reason)))")
        }
      table.add([TextTable.Cell(entry.change.word, paint: paint), TextTable.Cell(text)])
    }
    return table
  }
}

extension StatusChange {
  /// As the contract names it.
  var word: String {
    switch self {
    case .modified: "modified"
    case .new: "new"
    case .missing: "missing"
    case .renamed: "renamed"
    case .conflict: "conflict"
    case .remoteOnly: "remote-only"
    case .unreadable: "unreadable"
    }
  }
}
