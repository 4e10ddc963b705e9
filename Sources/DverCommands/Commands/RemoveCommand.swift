import ArgumentParsing
import VersionStore
import Versioning

/// Gives up a version that isn't current.
struct RemoveCommand: Command {
  static let usage = CommandUsage(
    "remove", operands: [.required("PATH@VERSION", .files)], abstract: "Give up a version that isn't the current one",
    options: [RemovalText.dryRunOption, VersionExpression.atOption],
    details: [
      "The version stays known, but its content can't be had any more, on no device. dver undo takes that back until the"
        + " content is pruned."
    ])

  let expression: VersionExpression
  let isDryRun: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expression = try VersionExpression.operands(of: arguments)[0]
    isDryRun = arguments.contains("--dry-run")
    if expression.selector == nil {
      throw .invalidOperand("PATH@VERSION", value: expression.path, expected: "a path with a version behind an @")
    }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(isDryRun ? .reading : .writing)
    let (path, version) = try context.version(expression, in: repository)
    let report = try repository.remove(version, at: path, isDryRun: isDryRun)
    try RemovalText.write(report, isDryRun: isDryRun, VersionWriter(repository, context.output), repository)
    return .done
  }
}

/// What `remove` and `remove-other` print.
enum RemovalText {
  static let dryRunOption = OptionUsage("--dry-run", help: "Name the versions, remove nothing")

  static func write(
    _ report: RemovalReport, isDryRun: Bool, _ writer: VersionWriter, _ repository: Repository
  ) throws {
    if writer.output.isJSON {
      for version in report.removed {
        let state = isDryRun ? try repository.state(of: version) : .removed
        try writer.writeObject(version, state: state, isLocal: try repository.isLocal(version))
      }
      return
    }
    try writer.writeMade(report.made.map { [$0] } ?? [], verb: "kept")
    var table = TextTable()
    for version in report.removed {
      table.add([
        TextTable.Cell(isDryRun ? "would remove" : "removed", paint: writer.output.color.red),
        TextTable.Cell(TerminalText.path(version.record.path.bytes)),
        TextTable.Cell(version.id.shortText, paint: writer.output.color.yellow),
        TextTable.Cell(TimeFormat.short(milliseconds: version.record.wallTime)),
        TextTable.Cell(version.record.isDeletion ? "deleted" : ByteCount.text(version.record.size), isRight: true),
      ])
    }
    for line in table.lines() { writer.output.write(line: line) }
    if report.removed.isEmpty { writer.output.status("nothing to remove") }
  }
}
