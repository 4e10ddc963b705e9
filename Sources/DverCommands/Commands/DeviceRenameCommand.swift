import ArgumentParsing
import VersionStore

/// Gives this device another name.
struct DeviceRenameCommand: Command {
  static let usage = CommandUsage(
    "device rename", operands: [.required("NAME")], abstract: "Give this device another name")

  let name: [UInt8]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments.operands[0]
    guard DeviceNameOption.isName(name) else {
      throw .invalidOperand("NAME", value: name, expected: DeviceNameOption.expectation)
    }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    try context.repository(.writing).renameDevice(name)
    context.output.status("this device is now called \(TerminalText.line(name))")
    return .done
  }
}
