import ArgumentParsing
import Exchange
import VersionStore
import Versioning

/// Exchanges versions with remotes.
struct SyncCommand: Command {
  static let usage = CommandUsage(
    "sync", operands: [.any("REMOTE", .folders)], abstract: "Exchange versions with remotes, and update the files",
    options: [
      OptionUsage("--no-merge", help: "Leave out merges that combine contents"),
      OptionUsage("--dry-run", help: "Tell what would be exchanged, change nothing"),
      OptionUsage("--check", help: "Read everything on both sides, and put back what was lost or damaged"),
    ],
    details: [
      "Without REMOTE all remotes, one after the other. A REMOTE with a slash is the place itself, for once.",
      "Nothing is saved that isn't saved yet. What both sides changed is merged where that is certain, else it is in"
        + " conflict: see dver conflicts. Files with unsaved changes are left alone and named.",
    ])

  let remotes: [[UInt8]]
  let combinesContents: Bool
  let isDryRun: Bool
  let checksEverything: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    remotes = try PathOperand.list(of: arguments, name: "REMOTE")
    combinesContents = !arguments.contains("--no-merge")
    isDryRun = arguments.contains("--dry-run")
    checksEverything = arguments.contains("--check")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let text = ExchangeText(VersionWriter(repository, context.output), repository, isDryRun: isDryRun)
    var status = ExitStatus.done
    for remote in try RemotePlace.remotes(remotes, in: repository, context) {
      do {
        let options = ExchangeOptions(
          combinesContents: combinesContents, isDryRun: isDryRun, checksEverything: checksEverything)
        let session = ExchangeSession(repository, with: try RemoteURL(remote.url), options: options)
        let bar = context.progressBar("syncing", unit: .bytes)
        defer { bar.finish() }
        session.progress = bar.update
        let report = try session.run()
        bar.finish()
        try text.write(report, of: remote.name)
        if !report.placement.failed.isEmpty, status == .done { status = .refused }
        if let failure = report.failure { throw ExchangeError.remote(failure) }
        if report.warnings.contains(where: \.isDamage), status == .done || status == .refused { status = .damage }
      } catch let error as ExchangeError {
        // The other remotes may still be reached.
        let failure = CommandFailure(error)
        context.output.report(failure, command: Self.usage.name)
        if [.done, .refused, .damage].contains(status) { status = failure.status }
      }
      try context.checkInterruption()
    }
    return status
  }
}
