import ArgumentParsing
import VersionStore
import Versioning

/// Gives up all versions of a document but one.
struct RemoveOtherCommand: Command {
  static let usage = CommandUsage(
    "remove-other", operands: [.required("PATH", .files)], abstract: "Give up all versions but the current one",
    options: [
      OptionUsage("--keep", value: "VERSION", help: "Keep this version, it becomes current"),
      OptionUsage("--conflicts-only", help: "Give up the conflict versions only"), RemovalText.dryRunOption,
    ],
    details: [
      "Versions that are given up stay known, but their content can't be had any more, on no device. dver undo takes that"
        + " back until the content is pruned."
    ])

  let path: [UInt8]
  let kept: VersionSelector?
  let isOnlyOfConflicts: Bool
  let isDryRun: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try PathOperand.list(of: arguments)[0]
    kept = try VersionSelector(option: "--keep", in: arguments)
    isOnlyOfConflicts = arguments.contains("--conflicts-only")
    isDryRun = arguments.contains("--dry-run")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(isDryRun ? .reading : .writing)
    let path = try context.document(path, in: repository)
    let now = context.now
    let report = try repository.removeOthers(
      at: path, keeping: try kept.map { try repository.version($0.asked(now: now), at: path) },
      conflictsOnly: isOnlyOfConflicts, isDryRun: isDryRun)
    try RemovalText.write(report, isDryRun: isDryRun, VersionWriter(repository, context.output), repository)
    return .done
  }
}
