import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Renames a document.
struct MvCommand: Command {
  static let usage = CommandUsage(
    "mv", operands: [.required("OLD", .files), .required("NEW", .files)],
    abstract: "Rename a document or folder with its history",
    options: [BasisOption.usage],
    details: [
      "Where NEW is a folder, the document keeps its name and goes into it. Changes that aren't saved stay unsaved."
    ])

  let old: [UInt8]
  let new: [UInt8]
  let basis: BasisOption

  init(_ arguments: ParsedArguments) throws(UsageError) {
    try PathOperand.check(arguments.operands[0], name: "OLD")
    try PathOperand.check(arguments.operands[1], name: "NEW")
    old = arguments.operands[0]
    new = arguments.operands[1]
    basis = try BasisOption(arguments)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let path = try context.document(old, in: repository)
    let made = try repository.move(
      path, to: try destination(of: path, in: repository, context),
      basis: try basis.basis(at: path, in: repository, now: context.now))
    try VersionWriter(repository, context.output).writeMade(made, verb: "renamed")
    return .done
  }

  private func destination(
    of path: DocumentPath, in repository: Repository, _ context: CommandContext
  ) throws -> DocumentPath {
    let target = try context.target(new, in: repository)
    let place = target.map { repository.root.appending($0.bytes) } ?? repository.root
    let isFolder = (try? FileStatus.of(place))?.kind == .folder
    if let target, !isFolder { return target }
    let inside = (target.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + path.name
    return try context.document(repository.root.appending(inside).bytes, in: repository)
  }
}
