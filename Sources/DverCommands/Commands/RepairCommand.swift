import ArgumentParsing
import VersionStore

/// A name that is kept for what isn't there yet.
struct RepairCommand: Command {
  static let usage = CommandUsage(
    "repair", abstract: "Not there yet: rebuild what can be rebuilt",
    details: [
      "The catalog is rebuilt by every command where it is missing or damaged, and packs that a remote has come"
        + " back with dver sync --check. dver verify lists what is damaged."
    ])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: inout CommandContext) throws -> ExitStatus {
    throw CommandFailure(
      .usage, "this version can't repair packs",
      advice: "dver verify lists the damage, dver sync --check fetches what others have")
  }
}
