import ArgumentParsing
import Merging
import SystemIO
import VersionStore
import Versioning

/// Saves new versions of what changed.
struct SaveCommand: Command {
  static let usage = CommandUsage(
    "save", operands: [.any("PATH", .files)], abstract: "Save new versions of what changed",
    options: [
      MessageOption.usage, BasisOption.usage,
      OptionUsage(
        "--stdin", value: "PATH", help: "Save standard input as PATH, leave the file alone", completion: .files),
      OptionUsage("--allow-mass-delete", help: "Record deletions even if most files are missing"),
      RereadOption.usage, NullOption.usage,
    ],
    details: [
      "Without PATH everything that changed or is new below the current folder is saved, less what the ignore rules"
        + " name. What didn't change gets no new version.",
      "Files that can't be read are named, the rest is saved, and the exit status is 4.",
    ],
    examples: [
      CommandExample("dver save", "Saves all changes below the current folder."),
      CommandExample("dver save -m \"as sent\" letter.odt", "Saves one document with a message."),
    ])

  /// The largest content that is taken from standard input, in bytes.
  private static let inputLimit = 1 << 31

  let paths: [[UInt8]]
  let inputPath: [UInt8]?
  let message: [UInt8]
  let basis: BasisOption
  let allowsMassDeletion: Bool
  let rereadsEverything: Bool
  let isNullTerminated: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    inputPath = try PathOperand.value(of: "--stdin", in: arguments)
    message = try MessageOption.value(arguments)
    basis = try BasisOption(arguments)
    allowsMassDeletion = arguments.contains("--allow-mass-delete")
    rereadsEverything = arguments.contains(RereadOption.name)
    isNullTerminated = NullOption.isGiven(arguments)
    if inputPath != nil, let path = paths.first { throw .unexpectedOperand(path) }
    if inputPath == nil { try basis.check(paths) }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    if let status = try saveQuickly(in: &context) { return status }
    let repository = try context.repository(.writing)
    var options = SaveOptions(
      message: message, allowsMassDeletion: allowsMassDeletion, rereadsEverything: rereadsEverything)
    let writer = VersionWriter(repository, context.output)
    if let inputPath {
      let path = try context.document(inputPath, in: repository)
      options.basis = try basis.basis(at: path, in: repository, now: context.now)
      let bytes = try context.surroundings.readInput(Self.inputLimit)
      let version = try repository.save(standardInput: bytes, at: path, options: options)
      return try report(version.map { [$0] } ?? [], writer)
    }
    let targets = try context.targets(paths, in: repository)
    if basis != .standard, let path = targets.first ?? nil {
      options.basis = try basis.basis(at: path, in: repository, now: context.now)
    }
    let bar = context.progressBar("saving", unit: .items)
    defer { bar.finish() }
    let result = try repository.save(targets, options: options) { bar.update($0) }
    bar.finish()
    let status = try report(result.saved, writer)
    try warnOfMarkers(in: result.saved, repository, context.output)
    for path in result.notDocuments { context.output.status("not a document: \(TerminalText.path(path.bytes))") }
    for path in result.displaced { context.output.warn(.displaced(path)) }
    for file in result.unreadable {
      context.output.warn(CommandFailure(.partial, "not saved:", path: file.path.bytes, advice: file.reason))
    }
    return result.unreadable.isEmpty ? status : .refused
  }

  /// Saves one document that a person named, where that needs no look at anything else.
  private func saveQuickly(in context: inout CommandContext) throws -> ExitStatus? {
    guard paths.count == 1, let given = paths.first, inputPath == nil, basis == .standard, !isNullTerminated,
      !context.output.isJSON
    else { return nil }
    let place = try context.place()
    guard let path = try? place.layout.documentPath(given, from: FileSystem.resolve(context.folder)) else { return nil }
    switch try place.saveQuickly(path, message: message, environment: context.storeEnvironment) {
    case .declined: return nil
    case .unchanged: context.output.status("nothing to save")
    case .saved(let version): VersionWriter.writeSaved(version, to: context.output)
    }
    return .done
  }

  /// The largest text that is searched for markers, in bytes.
  private static let markedTextLimit: UInt64 = 16 << 20

  /// Names what is in conflict and was saved with the markers of the conflict in it: that settles nothing.
  private func warnOfMarkers(in saved: [Version], _ repository: Repository, _ output: CommandOutput) throws {
    if saved.isEmpty { return }
    let conflicted = Set(try repository.conflicts(nil).map(\.path))
    if conflicted.isEmpty { return }
    for version in saved
    where conflicted.contains(version.record.path) && version.record.kind == .file
      && version.record.size <= Self.markedTextLimit
    {
      let path = version.record.path
      let text = try repository.content(of: version, at: path)
      guard ConflictMarkers.areLeft(in: text, size: ConflictMarkers.defaultSize) else { continue }
      output.warn(
        CommandFailure(
          .partial, "saved with conflict markers in it, and still in conflict:", path: path.bytes,
          advice: "settle it in the file, then dver resolve that"))
    }
  }

  private func report(_ saved: [Version], _ writer: VersionWriter) throws -> ExitStatus {
    try writer.writeMade(saved, verb: "saved", isNullTerminated: isNullTerminated)
    if saved.isEmpty { writer.output.status("nothing to save") }
    return .done
  }
}
