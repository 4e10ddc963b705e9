import ArgumentParsing
import VersionStore

/// Forgets a remote.
struct RemoteRemoveCommand: Command {
  static let usage = CommandUsage(
    "remote remove", operands: [.required("NAME")], abstract: "Forget a remote; what is there stays")

  let name: [UInt8]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments.operands[0]
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let remotes = try repository.remotes()
    let rest = remotes.filter { $0.name != name }
    guard rest.count < remotes.count else {
      throw CommandFailure(.noRemote, "no remote is called", path: name, advice: "see dver remote list")
    }
    try repository.setRemotes(rest)
    return .done
  }
}
