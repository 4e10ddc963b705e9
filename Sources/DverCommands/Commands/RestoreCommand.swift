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
    ],
    examples: [
      CommandExample("dver restore notes/a.md@yesterday", "Is refused: a time stands in braces."),
      CommandExample("dver restore 'notes/a.md@{yesterday}'", "Brings yesterday's state back."),
      CommandExample("dver restore notes/a.md@3f2a --to /tmp/a.md", "Writes that version to another place."),
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

  /// The place that is meant: in a folder under the document's name.
  ///
  /// - Throws: where something is there that no version need hold; an empty file, as `mktemp` makes it, is nothing.
  private func free(
    _ destination: [UInt8], for path: DocumentPath, _ repository: Repository, _ context: CommandContext
  ) throws -> FilePath {
    guard var place = context.filePath(destination) else {
      throw CommandFailure(.noFile, "no path:", path: destination)
    }
    if let status = try? FileStatus.of(place, followingLinks: true), status.kind == .folder {
      place = place.appending(path.name)
    }
    let (folder, store) = (try FileSystem.resolve(place.parent), try FileSystem.resolve(repository.store.layout.store))
    if folder == store || folder.bytes.starts(with: store.bytes + [UInt8(ascii: "/")]) {
      throw UsageError.invalidValue(option: "--to", value: destination, expected: "a place outside of .dver")
    }
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
