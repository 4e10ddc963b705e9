import ArgumentParsing
import VersionStore

/// Checks the store.
struct VerifyCommand: Command {
  static let usage = CommandUsage(
    "verify", abstract: "Check that the store holds what its hashes promise",
    options: [OptionUsage("--quick", help: "Check lengths and checksums, not contents")],
    details: ["Every fault is one line; where there is one, the exit status is 1."])

  let isQuick: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isQuick = arguments.contains("--quick")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let bar = context.progressBar("checking", unit: .items)
    let report = try repository.verify(isQuick: isQuick) { done, total in
      bar.update(done: UInt64(max(0, done)), of: UInt64(max(0, total)))
    }
    bar.finish()
    try context.checkInterruption()
    let output = context.output
    for damage in report.damages {
      if output.isJSON {
        output.write { $0.member("damage", damage) }
      } else {
        output.write(line: TerminalText.line(damage))
      }
    }
    if output.isJSON {
      output.write { json in
        json.member("packs", report.packs)
        json.member("objects", report.objects)
        json.member("records", report.records)
        json.member("damages", report.damages.count)
      }
    } else {
      let verdict =
        report.isClean ? "no damage" : report.damages.count == 1 ? "1 fault" : "\(report.damages.count) faults"
      output.status(
        "\(verdict) in \(report.packs) packs with \(report.objects) objects and \(report.records) records")
    }
    return report.isClean ? .done : .otherAnswer
  }
}
