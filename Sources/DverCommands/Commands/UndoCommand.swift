import ArgumentParsing
import VersionStore
import Versioning

/// Takes back this device's last operation.
struct UndoCommand: Command {
  static let usage = CommandUsage(
    "undo", abstract: "Take back this device's last operation",
    options: [OptionUsage("--list", help: "List what was done, the last first")],
    details: [
      "Saves, resolutions, removals, renames, deletions, restores and the merges of a sync are taken back, by new records:"
        + " nothing of the history is lost. Where newer versions stand on what was done, or a file has unsaved changes,"
        + " nothing is done, with exit status 4."
    ])

  private static let listLimit = 100

  let isList: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isList = arguments.contains("--list")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(isList ? .reading : .writing)
    if isList {
      let operations = try repository.operations(limit: Self.listLimit)
      if context.output.isJSON {
        Self.writeObjects(operations, context.output)
      } else {
        Self.write(operations, context.output)
      }
      return .done
    }
    let report = try repository.undo()
    try VersionWriter(repository, context.output).writeMade(report.made, verb: "undone")
    let versions = report.retracted.isEmpty ? "" : ", \(report.retracted.count) taken back"
    let paths = Self.paths(of: report.operation)
    context.output.status("undid the last \(report.operation.name)\(paths.isEmpty ? "" : " of \(paths)")\(versions)")
    return .done
  }

  private static func writeObjects(_ operations: [OperationInfo], _ output: CommandOutput) {
    for operation in operations {
      output.write { json in
        json.member("operation", operation.name)
        json.time("at", milliseconds: operation.wallTime)
        json.member("records", strings: operation.records.map(\.hexadecimal))
        json.member("isUndone", operation.isUndone)
      }
    }
  }

  /// `a.txt, b.txt and 3 more`
  private static func paths(of operation: OperationInfo) -> String {
    let paths = operation.paths.prefix(2).map { TerminalText.path($0.bytes) }.joined(separator: ", ")
    return operation.paths.count > 2 ? "\(paths) and \(operation.paths.count - 2) more" : paths
  }

  private static func write(_ operations: [OperationInfo], _ output: CommandOutput) {
    var table = TextTable()
    for operation in operations {
      table.add(
        texts: TimeFormat.short(milliseconds: operation.wallTime), operation.name, paths(of: operation),
        operation.isUndone ? "(undone)" : "")
    }
    for line in table.lines() { output.write(line: line) }
  }
}
