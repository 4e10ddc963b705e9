import ArgumentParsing
import VersionStore
import Versioning

/// Deletes documents; their history is kept.
struct RmCommand: Command {
  static let usage = CommandUsage(
    "rm", operands: [.some("PATH", .files)], abstract: "Delete documents, their history is kept",
    options: [BasisOption.usage, NullOption.usage],
    details: ["Of a folder all documents below it. A file with unsaved changes is left alone, with exit status 4."])

  let paths: [[UInt8]]
  let basis: BasisOption
  let isNullTerminated: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    basis = try BasisOption(arguments)
    isNullTerminated = NullOption.isGiven(arguments)
    try basis.check(paths)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    var documents: [DocumentPath] = []
    for path in paths {
      let document = try context.document(path, in: repository)
      if !documents.contains(document) { documents.append(document) }
    }
    let made = try repository.delete(
      documents, basis: try basis.basis(at: documents[0], in: repository, now: context.now))
    try VersionWriter(repository, context.output).writeMade(made, verb: "deleted", isNullTerminated: isNullTerminated)
    return .done
  }
}
