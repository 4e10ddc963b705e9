import ArgumentParsing
import Merging
import SystemIO
import VersionStore
import Versioning

/// Tries a three-way merge of conflict versions.
struct MergeCommand: Command {
  static let usage = CommandUsage(
    "merge", operands: [.some("PATH", .files)], abstract: "Merge conflict versions where that is certain",
    options: [
      OptionUsage("--markers", help: "Else write both sides with conflict markers into the file"),
      OptionUsage("--tool", value: "CMD", help: "Else run CMD to merge the file"), BasisOption.usage,
    ],
    details: [
      "What merges cleanly becomes the current version. Else the exit status is 1; with --markers the file then holds both"
        + " sides of each conflict: edit it, then dver resolve PATH --merged PATH.",
      "CMD is run by sh with the paths of the contents in the variables BASE, LOCAL and REMOTE, as git's merge tools are;"
        + " where it ends with status 0, what it wrote to MERGED is taken.",
    ])

  let paths: [[UInt8]]
  let writesMarkers: Bool
  let tool: [UInt8]?
  let basis: BasisOption

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    writesMarkers = arguments.contains("--markers")
    tool = arguments.value("--tool")
    basis = try BasisOption(arguments)
    try arguments.checkExclusive("--markers", "--tool")
    try basis.check(paths)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let writer = VersionWriter(repository, context.output)
    var status = ExitStatus.done
    for path in try paths.map({ try context.document($0, in: repository) }) {
      try checkBasis(at: path, in: repository, now: context.now)
      let (merged, remaining) = try repository.merge(path)
      try writer.writeMade(merged, verb: "merged")
      if remaining.isEmpty {
        if merged.isEmpty { context.output.status("nothing to merge at \(TerminalText.path(path.bytes))") }
        continue
      }
      if let tool, let made = try MergeTool(tool, context).run(at: path, in: repository) {
        try writer.writeMade(made, verb: "resolved")
        continue
      }
      status = .otherAnswer
      if writesMarkers { try placeMarkers(at: path, writer, in: repository) }
      context.output.warn(
        CommandFailure(
          .notPossible, "\(remaining.count + 1) versions conflict at", path: path.bytes,
          advice: writesMarkers
            ? "edit the file, then dver resolve PATH --merged PATH"
            : "choose one with dver resolve, or see both sides with dver merge --markers"))
    }
    return status
  }

  /// A merge takes all heads: naming others can't be meant.
  private func checkBasis(at path: DocumentPath, in repository: Repository, now: Int64) throws {
    guard case .versions(let named) = try basis.basis(at: path, in: repository, now: now) else { return }
    let view = try repository.view(of: path)
    let shown = Set(([view.current].compactMap { $0 } + view.conflicts).map(\.id))
    guard shown.isSubset(of: named) else {
      throw UsageError.other("option --based-on: a merge takes all versions in conflict, name all of them or none")
    }
  }

  private func placeMarkers(at path: DocumentPath, _ writer: VersionWriter, in repository: Repository) throws {
    let (current, base, other) = try repository.sides(of: path)
    let marked = ConflictMarkers.render(
      base: try base.map { try repository.content(of: $0, at: path) } ?? [],
      ours: try repository.content(of: current, at: path), theirs: try repository.content(of: other, at: path),
      labels: ConflictLabels(
        ours: try label("current", current, writer), base: try base.map { try label("base", $0, writer) } ?? [],
        theirs: try label("conflict", other, writer)),
      style: .merge)
    guard let marked else { throw CommandFailure(Refusal.notMergeable(path)) }
    try repository.replaceWorkingFile(at: path, with: marked.bytes)
  }

  private func label(_ role: String, _ version: Version, _ writer: VersionWriter) throws -> [UInt8] {
    let device = version.record.device == nil ? "" : " " + TerminalText.line(try writer.deviceName(of: version))
    return Array("\(role) \(version.id.shortText)\(device)".utf8)
  }
}
