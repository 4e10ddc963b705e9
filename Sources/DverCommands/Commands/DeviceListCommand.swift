import ArgumentParsing
import VersionStore
import Versioning

/// Lists the devices that are known here.
struct DeviceListCommand: Command {
  static let usage = CommandUsage(
    "device list", abstract: "List the devices that are known here",
    details: ["This device is marked with a star."])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let own = repository.store.device
    var table = TextTable()
    for record in try repository.store.devices() {
      let isThis = record.device == own
      if context.output.isJSON {
        context.output.write { json in
          json.member("id", record.device.hexadecimal)
          json.text("name", record.name)
          json.text("platform", record.platform)
          json.member("continues", record.continues?.hexadecimal)
          json.member("isRetired", record.isRetired)
          json.member("isThis", isThis)
        }
        continue
      }
      let continued = record.continues.map { "continues \($0.hexadecimal.prefix(8))" } ?? ""
      table.add(
        texts: isThis ? "*" : " ", TerminalText.line(record.name), String(record.device.hexadecimal.prefix(8)),
        TerminalText.line(record.platform), record.isRetired ? "retired" : continued)
    }
    for line in table.lines() { context.output.write(line: line) }
    return .done
  }
}
