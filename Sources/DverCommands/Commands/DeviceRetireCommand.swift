import ArgumentParsing
import VersionStore
import Versioning

/// Says that a device will not come back.
struct DeviceRetireCommand: Command {
  static let usage = CommandUsage(
    "device retire", operands: [.required("DEVICE")], abstract: "Say that a device will not come back",
    details: [
      "DEVICE is a device's name, or the first 4 or more digits of its id. Its versions stay; nothing waits for it any"
        + " more."
    ])

  let device: [UInt8]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    device = arguments.operands[0]
    if device.isEmpty { throw .invalidOperand("DEVICE", value: device, expected: "a device's name or id") }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let known = try repository.store.devices()
    let found = known.filter { record in
      record.name == device || (device.count >= 4 && record.device.hexadecimal.utf8.starts(with: device))
    }
    guard let record = found.first else { throw RepositoryError.noSuchDevice(device) }
    if found.count > 1 {
      let list = found.map { $0.device.hexadecimal.prefix(12) }.joined(separator: ", ")
      throw CommandFailure(
        .ambiguous, "\(TerminalText.quoted(device)) may be any of \(list)", advice: "name one by its id")
    }
    guard record.device != repository.store.device else {
      throw CommandFailure(.notPossible, "this is the device itself", advice: "retire it from another device")
    }
    try repository.retireDevice(record.device)
    context.output.status("retired device \(TerminalText.line(record.name))")
    return .done
  }
}
