import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Brings a version back, as a new version or in another place.
struct RestoreCommand: Command {
  static let usage = CommandUsage(
    "restore", operands: [.required("PATH@VERSION", .files)], abstract: "Bring a version back",
    options: [
      OptionUsage("--to", value: "DEST", help: "Write it to DEST, change nothing else", completion: .files),
      VersionExpression.atOption, BasisOption.usage,
    ],
    details: [
      "The version's content becomes a new version, and the working file: nothing of the history is lost. Without"
        + " @VERSION the current version; of a deleted document the last one before the deletion.",
      "A working file with unsaved changes is left alone, with exit status 4.",
      "With --to, PATH may be a folder: all its documents are written into DEST, which is missing or empty, as they are or"
        + " were at a {time}.",
    ],
    examples: [
      CommandExample("dver restore notes/a.md@yesterday", "Is refused: a time stands in braces."),
      CommandExample("dver restore 'notes/a.md@{yesterday}'", "Brings yesterday's state back."),
      CommandExample("dver restore notes/a.md@3f2a --to /tmp/a.md", "Writes that version to another place."),
      CommandExample("dver restore '.@{yesterday}' --to /tmp/then", "Writes everything as it was yesterday."),
    ])

  let expression: VersionExpression
  let destination: [UInt8]?
  let basis: BasisOption

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expression = try VersionExpression.operands(of: arguments)[0]
    destination = try PathOperand.value(of: "--to", in: arguments)
    basis = try BasisOption(arguments)
    if destination != nil { try arguments.checkExclusive("--to", "--based-on") }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(destination == nil ? .writing : .reading)
    if let destination, let folder = try folder(in: repository, context) {
      return try export(folder.path, from: repository, to: destination, context)
    }
    let (path, version) = try self.version(in: repository, context)
    let writer = VersionWriter(repository, context.output)
    guard let destination else {
      let basis = try basis.basis(at: path, in: repository, now: context.now)
      let wasThere = (try? FileStatus.of(repository.root.appending(path.bytes))) != nil
      let made = try repository.restore(version, at: path, basis: basis)
      try writer.writeMade(made.map { [$0] } ?? [], verb: "restored")
      if made == nil {
        context.output.status(
          wasThere
            ? "nothing to restore: the file is as that version"
            : "put \(TerminalText.path(path.bytes)) back: no new version is needed")
      }
      return .done
    }
    if version.record.isDeletion { try CatCommand.checkContent(of: version) }
    let place = try free(destination, for: path, repository, context)
    try repository.export(version, at: path, to: place)
    if context.output.isJSON {
      try writer.writeObject(version, state: try repository.state(of: version), isLocal: true)
    } else {
      context.output.status("wrote version \(version.id.shortText) to \(TerminalText.path(place.bytes))")
    }
    return .done
  }

  private struct Folder {
    /// `nil` for the whole repository.
    let path: DocumentPath?
  }

  /// The folder that is meant; `nil` where it is a document.
  private func folder(in repository: Repository, _ context: CommandContext) throws -> Folder? {
    switch expression.selector {
    case nil, .current, .time: break
    default: return nil
    }
    guard let path = try context.target(expression.path, in: repository) else { return Folder(path: nil) }
    return try repository.isFolder(path) ? Folder(path: path) : nil
  }

  private func export(
    _ folder: DocumentPath?, from repository: Repository, to destination: [UInt8], _ context: CommandContext
  ) throws -> ExitStatus {
    let place = try Self.place(destination, context)
    try checkOutside(place, repository)
    if let status = try? FileStatus.of(place, followingLinks: true) {
      guard status.kind == .folder, try FileSystem.list(place).isEmpty else {
        throw CommandFailure(
          .alreadyExists, "something is at", path: place.bytes, advice: "name a new or empty folder as DEST")
      }
    }
    var time: Int64?
    if case .time(let expression)? = expression.selector { time = expression.latest(now: context.now) }
    let bar = context.progressBar("writing", unit: .items)
    defer { bar.finish() }
    let report = try repository.export(below: folder, at: time, to: place) { done, total in
      bar.update(done: UInt64(done), of: UInt64(total))
    }
    bar.finish()
    if let time, report.written.isEmpty, report.failed.isEmpty {
      throw CommandFailure(
        .noVersion, "nothing was there at \(TimeFormat.short(milliseconds: time)) in", path: expression.path,
        advice: "see dver log")
    }
    let writer = VersionWriter(repository, context.output)
    if context.output.isJSON {
      for version in report.written {
        try writer.writeObject(version, state: try repository.state(of: version), isLocal: true)
      }
    } else {
      let documents = report.written.count == 1 ? "1 document" : "\(report.written.count) documents"
      context.output.status("wrote \(documents) to \(TerminalText.path(place.bytes))")
    }
    for file in report.failed {
      context.output.warn(CommandFailure(.partial, "not written:", path: file.path.bytes, advice: file.reason))
    }
    return report.failed.isEmpty ? .done : .refused
  }

  private static func place(_ destination: [UInt8], _ context: CommandContext) throws -> FilePath {
    guard let place = context.filePath(destination) else {
      throw CommandFailure(.noFile, "no path:", path: destination)
    }
    return place
  }

  private func checkOutside(_ place: FilePath, _ repository: Repository) throws {
    let folder = try (try? FileSystem.resolve(place)) ?? FileSystem.resolve(place.parent)
    let store = try FileSystem.resolve(repository.store.layout.store)
    if folder == store || folder.bytes.starts(with: store.bytes + [UInt8(ascii: "/")]) {
      throw UsageError.invalidValue(
        option: "--to", value: destination ?? place.bytes, expected: "a place outside of .dver")
    }
  }

  /// The place that is meant: in a folder under the document's name.
  ///
  /// - Throws: where something is there that no version need hold; an empty file, as `mktemp` makes it, is nothing.
  private func free(
    _ destination: [UInt8], for path: DocumentPath, _ repository: Repository, _ context: CommandContext
  ) throws -> FilePath {
    var place = try Self.place(destination, context)
    if let status = try? FileStatus.of(place, followingLinks: true), status.kind == .folder {
      place = place.appending(path.name)
    }
    try checkOutside(place.parent, repository)
    if let status = try? FileStatus.of(place), status.kind != .file || status.size > 0 {
      throw CommandFailure(
        .alreadyExists, "something is at", path: place.bytes, advice: "name another DEST, or move it away")
    }
    return place
  }

  private func version(
    in repository: Repository, _ context: CommandContext
  ) throws -> (path: DocumentPath, version: Version) {
    let (path, version) = try context.version(expression, in: repository)
    guard expression.selector == nil, version.record.isDeletion else { return (path, version) }
    return (path, try repository.version(.stepsBack(1), at: path))
  }
}
