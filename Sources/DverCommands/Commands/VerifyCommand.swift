import ArgumentParsing
import Exchange
import VersionStore

/// Checks the store, or a remote.
struct VerifyCommand: Command {
  static let usage = CommandUsage(
    "verify", operands: [.optional("REMOTE", .folders)], abstract: "Check that the store holds what its hashes promise",
    options: [OptionUsage("--quick", help: "Check lengths and checksums, not contents")],
    details: [
      "With REMOTE not the store here but what that remote holds of it. Every fault is one line; where there is one, the"
        + " exit status is 1. Nothing is changed."
    ])

  let remote: [UInt8]?
  let isQuick: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    remote = try PathOperand.list(of: arguments, name: "REMOTE").first
    isQuick = arguments.contains("--quick")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    if let remote { return try verify(remote, in: &context) }
    let repository = try context.repository(.reading)
    let bar = context.progressBar("checking", unit: .items)
    let report = try repository.verify(isQuick: isQuick) { done, total in
      bar.update(done: UInt64(max(0, done)), of: UInt64(max(0, total)))
    }
    bar.finish()
    try context.checkInterruption()
    write(report.damages, context.output)
    if context.output.isJSON {
      context.output.write { json in
        json.member("packs", report.packs)
        json.member("objects", report.objects)
        json.member("records", report.records)
        json.member("damages", report.damages.count)
      }
    } else {
      let packs = report.packs == 1 ? "1 pack" : "\(report.packs) packs"
      context.output.status(
        "\(verdict(report.damages)) in \(packs) with \(report.objects) objects and \(report.records) records"
          + (report.isClean ? "" : "; dver sync --check fetches what a remote has"))
    }
    return report.isClean ? .done : .otherAnswer
  }

  /// Looks at a remote as a sync would that changes nothing.
  private func verify(_ operand: [UInt8], in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let remote = try RemotePlace.remotes([operand], in: repository, context)[0]
    let options = ExchangeOptions(isDryRun: true, setsUpRemote: false, checksEverything: !isQuick)
    let report = try ExchangeSession(repository, with: RemoteURL(remote.url), options: options).run()
    if let failure = report.failure { throw ExchangeError.remote(failure) }
    var damages: [String] = []
    for warning in report.warnings {
      let text = CommandFailure(warning)
      if warning.isDamage { damages.append(text.what + (text.path.map { " " + TerminalText.quoted($0) } ?? "")) }
    }
    write(damages, context.output)
    if context.output.isJSON {
      context.output.write { json in
        json.path("remote", remote.name)
        json.member("missingSize", report.sentBytes)
        json.member("damages", damages.count)
      }
    } else {
      let lacks =
        report.sentBytes == 0 ? "" : ", it lacks \(ByteCount.text(report.sentBytes)) that dver sync --check sends"
      context.output.status("\(verdict(damages)) on \(TerminalText.path(remote.name))\(lacks)")
    }
    return damages.isEmpty ? .done : .otherAnswer
  }

  private func write(_ damages: [String], _ output: CommandOutput) {
    for damage in damages {
      if output.isJSON {
        output.write { $0.member("damage", damage) }
      } else {
        output.write(line: TerminalText.line(damage))
      }
    }
  }

  private func verdict(_ damages: [String]) -> String {
    switch damages.count {
    case 0: "no damage"
    case 1: "1 fault"
    default: "\(damages.count) faults"
    }
  }
}
