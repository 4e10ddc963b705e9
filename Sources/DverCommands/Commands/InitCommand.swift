import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Makes a store and a device.
struct InitCommand: Command {
  static let usage = CommandUsage(
    "init", operands: [.optional("DIR", .folders)], abstract: "Make a store, and this machine a device of it",
    options: [OptionUsage("--device", value: "NAME", help: "Name the device so; else as the machine")],
    details: [
      "The store is the folder .dver in DIR, or in the current folder. Nothing else is added or changed; documents that"
        + " are there already are saved by dver save. Where there is a store, nothing is changed."
    ],
    examples: [CommandExample("dver init ~/notes --device laptop", "Starts keeping versions of ~/notes.")])

  let folder: [UInt8]
  let deviceName: [UInt8]?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = try PathOperand.list(of: arguments, name: "DIR").first ?? [UInt8(ascii: ".")]
    deviceName = try DeviceNameOption.value(of: "--device", in: arguments)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let given = context.filePath(folder) ?? context.folder
    let place = given == FilePath(".") ? context.folder : given
    try FileSystem.makeFolders(at: place)
    let root = try FileSystem.resolve(place)
    var environment = context.storeEnvironment
    if let deviceName { environment.deviceName = deviceName }
    let (repository, existed) = try Repository.create(at: root, environment: environment)
    let store = repository.store
    if context.output.isJSON {
      context.output.write { json in
        json.path("path", root.bytes)
        json.member(
          "device",
          object: { json in
            json.member("id", store.device?.hexadecimal)
            json.text("name", store.deviceName)
          })
        json.member("isNew", !existed)
      }
    } else {
      let what = existed ? "there is a store already in" : "made a store in"
      context.output.write(
        line: "\(what) \(TerminalText.path(root.bytes)), for device \(TerminalText.line(store.deviceName))")
    }
    return .done
  }
}

/// Names of devices on the command line: 1 to 255 bytes.
enum DeviceNameOption {
  static func value(of option: String, in arguments: ParsedArguments) throws(UsageError) -> [UInt8]? {
    guard let value = arguments.value(option) else { return nil }
    guard isName(value) else { throw .invalidValue(option: option, value: value, expected: expectation) }
    return value
  }

  static let expectation = "a name of 1 to 255 bytes"

  static func isName(_ value: [UInt8]) -> Bool { 1...255 ~= value.count && !value.contains(0) }
}
