import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Settles conflicts of documents.
struct ResolveCommand: Command {
  private enum Choice {
    case use(VersionSelector), current, newest, merged([UInt8]), both, interactive, edited
  }

  private static let choices = ["--use", "--current", "--newest", "--merged", "--both", "--interactive"]

  static let usage = CommandUsage(
    "resolve", operands: [.some("PATH", .files)], abstract: "Settle a conflict by choosing what becomes current",
    options: [
      OptionUsage("--use", value: "VERSION", help: "Choose this version"),
      OptionUsage("--current", help: "Choose the current version"),
      OptionUsage("--newest", help: "Choose the greatest version"),
      OptionUsage("--merged", value: "FILE", help: "Choose the content of FILE", completion: .files),
      OptionUsage("--both", help: "Keep the other as a new document beside it"),
      OptionUsage("-i", "--interactive", help: "Ask about one place after the other"),
      OptionUsage("--allow-markers", help: "Take a file that has conflict markers"), MessageOption.usage,
      BasisOption.usage, NullOption.usage,
    ],
    details: [
      "Exactly the versions that are known here are superseded; one that another device made meanwhile stays in conflict."
        + " dver undo takes it back.",
      "Without a choice the file is taken where it was edited, for instance after dver merge --markers. A file in which"
        + " markers are left is refused, with exit status 4; so is a package in which something that has no markers is as"
        + " dver merge --markers left it. --merged with the package itself takes it like that.",
      "A file with unsaved changes is left alone, with exit status 4, unless --merged names that very file.",
      "--interactive asks about each conflict: take ours (the current version), theirs, both, the base, edit it with the"
        + " program in VISUAL or EDITOR, or skip it. Only when all is decided a version is made; else the status is 1.",
    ],
    examples: [
      CommandExample("dver resolve notes/a.md --use 3f2a91c0", "Makes that version the current one."),
      CommandExample("dver resolve notes/a.md", "Takes the file as it was edited."),
      CommandExample("dver resolve -i notes/a.md", "Asks about one conflict after the other."),
    ])

  let paths: [[UInt8]]
  private let choice: Choice
  let message: [UInt8]
  let basis: BasisOption
  let isNullTerminated: Bool
  let allowsMarkers: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    try arguments.checkExclusive("--use", "--current", "--newest", "--merged", "--both", "--interactive")
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
      choice = arguments.contains("--interactive") ? .interactive : .edited
    }
    allowsMarkers = arguments.contains("--allow-markers")
    message = try MessageOption.value(arguments)
    basis = try BasisOption(arguments)
    isNullTerminated = NullOption.isGiven(arguments)
    try basis.check(paths)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let writer = VersionWriter(repository, context.output)
    for path in try paths.map({ try context.document($0, in: repository) }) {
      var basis = try basis.basis(at: path, in: repository, now: context.now)
      let chosen: ResolutionChoice
      if case .interactive = choice {
        let merge = try repository.proposedMerge(at: path)
        try repository.checkSettles(path)
        var questions = try ConflictQuestions(merge, in: repository, writer, context)
        guard let answer = try questions.run() else { return .otherAnswer }
        chosen = answer
        if basis == .workingFile { basis = .versions(merge.heads) }
      } else {
        chosen = try choice(at: path, in: repository, context)
      }
      let made = try repository.resolve(path, chosen, basis: basis, message: message)
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
    case .current, .newest, .interactive: return .current
    case .both: return .both
    case .merged(let file):
      guard let place = context.filePath(file) else { throw CommandFailure(.noFile, "no file is at", path: file) }
      try checkMarkers(in: place, of: path, repository)
      return .merged(place)
    case .edited:
      guard try isEdited(path, repository) else { throw UsageError.missingOption(Self.choices) }
      let place = repository.root.appending(path.bytes)
      try checkMarkers(in: place, of: path, repository)
      if let open = try UndecidedEntry.first(in: place, of: path, repository) { throw open.failure }
      return .merged(place)
    }
  }

  /// Whether the file holds what no version does: else it says nothing about what is meant.
  private func isEdited(_ path: DocumentPath, _ repository: Repository) throws -> Bool {
    do throws(RepositoryError) { try repository.checkSettles(path) } catch {
      if case .refused(.unsavedChanges) = error { return true }
      throw error
    }
    return false
  }

  private func checkMarkers(in place: FilePath, of path: DocumentPath, _ repository: Repository) throws {
    guard !allowsMarkers, let merge = try? repository.proposedMerge(at: path) else { return }
    for conflict in merge.conflicts where conflict.isOfFiles {
      let file = conflict.entry.map { place.appending($0.bytes) } ?? place
      guard let bytes = try? FileSystem.read(file, limit: Self.markerLimit),
        try ConflictTexts(conflict, in: repository).leavesMarkers(in: bytes)
      else { continue }
      throw CommandFailure(
        .notPossible, "conflict markers are left in", path: file.bytes,
        advice: "decide what becomes of them, or use --allow-markers where they are meant")
    }
  }

  private static let markerLimit = 1 << 28
}
