import ArgumentParsing
import Exchange
import SystemIO
import VersionStore
import Versioning

/// Makes a new device's repository from a remote.
struct CloneCommand: Command {
  static let usage = CommandUsage(
    "clone", operands: [.required("URL", .folders), .required("DIR", .folders)],
    abstract: "Make a repository from a remote",
    options: [
      OptionUsage("--device", value: "NAME", help: "Name this device so; else as the machine"),
      OptionUsage("--metadata-only", help: "Fetch what is known of versions, contents when needed"),
    ],
    details: ["DIR must be missing or empty. The remote is remembered as origin."])

  let url: [UInt8]
  let folder: [UInt8]
  let deviceName: [UInt8]?
  let isMetadataOnly: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    try PathOperand.check(arguments.operands[0], name: "URL")
    try PathOperand.check(arguments.operands[1], name: "DIR")
    url = arguments.operands[0]
    folder = arguments.operands[1]
    deviceName = try DeviceNameOption.value(of: "--device", in: arguments)
    isMetadataOnly = arguments.contains("--metadata-only")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let start = try FileSystem.resolve(context.folder)
    guard let given = context.filePath(folder) else { return .usage }
    let place = try (try? FileSystem.resolve(given)) ?? FileSystem.resolve(given.parent).appending(given.lastComponent)
    var environment = context.storeEnvironment
    if let deviceName { environment.deviceName = deviceName }
    let bar = context.progressBar("cloning", unit: .bytes)
    defer { bar.finish() }
    let (repository, report) = try Clone.run(
      from: try RemoteURL(url), relativeTo: start, into: place, isMetadataOnly: isMetadataOnly,
      environment: environment, progress: bar.update)
    bar.finish()
    let store = repository.store
    if context.output.isJSON {
      context.output.write { json in
        json.path("path", place.bytes)
        json.member(
          "device",
          object: { json in
            json.member("id", store.device?.hexadecimal)
            json.text("name", store.deviceName)
          })
        json.member("newVersions", report.newVersions.count)
        json.member("fetchedSize", report.fetchedBytes)
      }
    } else {
      let count = report.newVersions.count == 1 ? "1 version" : "\(report.newVersions.count) versions"
      context.output.write(
        line:
          "cloned \(count) into \(TerminalText.path(place.bytes)), for device \(TerminalText.line(store.deviceName))")
    }
    for warning in report.warnings { context.output.warn(CommandFailure(warning)) }
    for file in report.placement.unplaced {
      context.output.warn(CommandFailure(.partial, "not placed:", path: file.path.bytes, advice: file.reason.text))
    }
    for file in report.placement.failed {
      context.output.warn(CommandFailure(.partial, "not placed:", path: file.path.bytes, advice: file.reason))
    }
    if let failure = report.failure { throw ExchangeError.remote(failure) }
    return report.warnings.contains(where: \.isDamage) ? .damage : report.placement.failed.isEmpty ? .done : .refused
  }
}
