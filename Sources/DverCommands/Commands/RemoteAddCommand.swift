import ArgumentParsing
import Exchange
import SystemIO
import VersionStore

/// Gives a remote a name.
struct RemoteAddCommand: Command {
  static let usage = CommandUsage(
    "remote add", operands: [.required("NAME"), .required("URL", .folders)], abstract: "Give a remote a name",
    details: [
      "URL is a folder: one for dver alone, or one with a repository; a mounted disk, a stick, a folder that another program"
        + " synchronises. A relative path stays relative to the repository's folder. The first dver sync with an empty"
        + " folder makes it a remote."
    ],
    examples: [CommandExample("dver remote add stick /media/stick/notes", "Then dver sync exchanges with the stick.")])

  let name: [UInt8]
  let url: [UInt8]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments.operands[0]
    url = arguments.operands[1]
    if name.isEmpty || name.count > 255 || name.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) {
      throw .invalidOperand("NAME", value: name, expected: "a name without a slash")
    }
    try PathOperand.check(url, name: "URL")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    var remotes = try repository.remotes()
    if remotes.contains(where: { $0.name == name }) {
      throw CommandFailure(
        .alreadyExists, "there is a remote called", path: name, advice: "choose another name, or dver remote remove it")
    }
    let place = try RemotePlace.kept(url, in: repository, context)
    remotes.append(RemoteEntry(name: name, url: place))
    // What is added is met for the first time, even at a place of a remote that was removed.
    try KnownRemotes(repository.store).forget(try RemoteURL(place).key(from: repository.root))
    try repository.setRemotes(remotes)
    return .done
  }
}

/// Places of remotes as they are typed and as they are kept.
enum RemotePlace {
  /// What is kept of a place that was typed in some folder: a relative path means that folder, but is kept relative to the
  /// repository's.
  static func kept(_ typed: [UInt8], in repository: Repository, _ context: CommandContext) throws -> [UInt8] {
    guard case .folder(let path) = try RemoteURL(typed), path.bytes == typed, !path.isAbsolute else { return typed }
    let folder = try FileSystem.resolve(context.folder)
    return folder == repository.root ? typed : folder.appending(typed).bytes
  }

  /// The remotes that the operands of a command name; all that are known where there is none.
  static func remotes(
    _ operands: [[UInt8]], in repository: Repository, _ context: CommandContext
  ) throws -> [RemoteEntry] {
    let known = try repository.remotes()
    if operands.isEmpty {
      if known.isEmpty {
        throw CommandFailure(.noRemote, "no remote is known here", advice: "dver remote add NAME URL")
      }
      return known
    }
    return try operands.map { operand in
      if let remote = known.first(where: { $0.name == operand }) { return remote }
      // No name has a slash: this is a place.
      guard operand.contains(UInt8(ascii: "/")) else {
        throw CommandFailure(.noRemote, "no remote is called", path: operand, advice: "see dver remote list")
      }
      return RemoteEntry(name: operand, url: try kept(operand, in: repository, context))
    }
  }
}
