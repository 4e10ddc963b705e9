import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Writes a version's bytes.
struct CatCommand: Command {
  static let usage = CommandUsage(
    "cat", operands: [.required("PATH@VERSION", .files)], abstract: "Write a version's bytes to standard output",
    options: [VersionExpression.atOption],
    details: ["Without @VERSION the current version. Of a symbolic link its target is written."],
    examples: [CommandExample("dver cat notes/a.md@~1", "Shows the version before the current one.")])

  let expression: VersionExpression

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expression = try VersionExpression.operands(of: arguments)[0]
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let (path, version) = try context.version(expression, in: repository)
    try CatCommand.checkContent(of: version)
    let output = context.output
    try repository.readContent(of: version, at: path) { (piece) throws(SystemError) in
      output.write(bytes: piece)
      if let failure = output.failure { throw failure }
    }
    return .done
  }

  /// Refuses versions that are no bytes.
  static func checkContent(of version: Version) throws {
    let path = version.record.path.bytes
    switch version.record.kind {
    case .file, .symbolicLink: return
    case .package:
      throw CommandFailure(
        .notPossible, "a package has no bytes of its own:", path: path, advice: "dver restore --to DEST")
    case .deleted:
      throw CommandFailure(
        .noVersion, "version \(version.id.shortText) is the deletion of", path: path,
        advice: "name the one before, for instance @~1")
    }
  }
}

extension CommandContext {
  /// The document and version that an operand means.
  func version(
    _ expression: VersionExpression, in repository: Repository
  ) throws -> (path: DocumentPath, version: Version) {
    let path = try document(expression.path, in: repository)
    return (path, try repository.version((expression.selector ?? .current).asked(now: now), at: path))
  }
}
