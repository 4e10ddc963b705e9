import ArgumentParsing
import VersionStore
import Versioning

/// Settles conflicts of documents.
struct ResolveCommand: Command {
  private enum Choice {
    case use(VersionSelector), current, newest, merged([UInt8]), both
  }

  private static let choices = ["--use", "--current", "--newest", "--merged", "--both"]

  static let usage = CommandUsage(
    "resolve", operands: [.some("PATH", .files)], abstract: "Settle a conflict by choosing what becomes current",
    options: [
      OptionUsage("--use", value: "VERSION", help: "Choose this version"),
      OptionUsage("--current", help: "Choose the current version"),
      OptionUsage("--newest", help: "Choose the greatest version"),
      OptionUsage("--merged", value: "FILE", help: "Choose the content of FILE", completion: .files),
      OptionUsage("--both", help: "Keep the other as a new document beside it"), MessageOption.usage, BasisOption.usage,
      NullOption.usage,
    ],
    details: [
      "Exactly the versions that are known here are superseded; one that another device made meanwhile stays in conflict."
        + " dver undo takes it back.",
      "A file with unsaved changes is left alone, with exit status 4, unless --merged names that very file.",
    ],
    examples: [
      CommandExample("dver resolve notes/a.md --use 3f2a91c0", "Makes that version the current one."),
      CommandExample("dver resolve notes/a.md --merged notes/a.md", "Takes the file as it was edited."),
    ])

  let paths: [[UInt8]]
  private let choice: Choice
  let message: [UInt8]
  let basis: BasisOption
  let isNullTerminated: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    try arguments.checkExclusive("--use", "--current", "--newest", "--merged", "--both")
    if let selector = try VersionSelector(option: "--use", in: arguments) {
      choice = .use(selector)
    } else if let file = try PathOperand.value(of: "--merged", in: arguments) {
      choice = .merged(file)
      if paths.count > 1 { throw .other("option --merged needs exactly one PATH") }
    } else if arguments.contains("--current") {
      choice = .current
    } else if arguments.contains("--newest") {
      choice = .newest
    } else if arguments.contains("--both") {
      choice = .both
    } else {
      throw .missingOption(Self.choices)
    }
    message = try MessageOption.value(arguments)
    basis = try BasisOption(arguments)
    isNullTerminated = NullOption.isGiven(arguments)
    try basis.check(paths)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let writer = VersionWriter(repository, context.output)
    for path in try paths.map({ try context.document($0, in: repository) }) {
      let made = try repository.resolve(
        path, try choice(at: path, in: repository, context),
        basis: try basis.basis(at: path, in: repository, now: context.now), message: message)
      try writer.writeMade(made, verb: "resolved", isNullTerminated: isNullTerminated)
    }
    return .done
  }

  private func choice(
    at path: DocumentPath, in repository: Repository, _ context: CommandContext
  ) throws -> ResolutionChoice {
    switch choice {
    case .use(let selector): return .use(try repository.version(selector.asked(now: context.now), at: path))
    // The current version is the greatest by R10.
    case .current, .newest: return .current
    case .both: return .both
    case .merged(let file):
      guard let place = context.filePath(file) else { throw CommandFailure(.noFile, "no file is at", path: file) }
      return .merged(place)
    }
  }
}
