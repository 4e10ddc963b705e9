import ArgumentParsing
import VersionStore

/// Packs the history more tightly.
struct CompactCommand: Command {
  static let usage = CommandUsage(
    "compact", abstract: "Store the history in less room",
    details: [
      "Writes the packs of this device anew, with the versions of each document side by side. Nothing is lost: every version"
        + " is read back and compared before an old pack goes. Saves go on meanwhile. What other devices wrote, and what is"
        + " on remotes, stays as it is; the next sync sends the new packs too."
    ])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let bar = context.progressBar("compacting", unit: .items)
    let report = try repository.store.compact { done, total in
      bar.update(done: UInt64(max(0, done)), of: UInt64(max(0, total)))
    }
    bar.finish()
    if context.output.isJSON {
      context.output.write { json in
        json.member("sizeBefore", report.byteCountBefore)
        json.member("sizeAfter", report.byteCountAfter)
        json.member("packsReplaced", report.replaced)
        json.member("packs", report.packsAfter)
      }
    } else {
      let before = ByteCount.text(report.byteCountBefore)
      let after = ByteCount.text(report.byteCountAfter)
      context.output.status(
        report.replaced == 0 ? "nothing to compact: \(after) of packs" : "packs had \(before), now \(after)")
    }
    return .done
  }
}
