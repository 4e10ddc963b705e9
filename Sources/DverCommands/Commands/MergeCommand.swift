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
      OptionUsage(
        "--tool", value: "TOOL", help: "Else merge with TOOL: a name or a command",
        completion: .choices(KnownMergeTool.allCases.map(\.rawValue))),
      OptionUsage("--with-tool", help: "Else merge with the tool of dver config merge.tool"), BasisOption.usage,
    ],
    details: [
      "What merges cleanly becomes the current version. Else the exit status is 1; with --markers the file then holds both"
        + " sides of each conflict: edit it, then dver resolve PATH. Of a package every entry that merges is merged.",
      "TOOL is \(KnownMergeTool.allCases.map(\.rawValue).joined(separator: ", ")), or a command that sh runs with the paths"
        + " of the contents in the variables BASE, LOCAL and REMOTE, as git's merge tools are; where it ends with status 0,"
        + " what it wrote to MERGED is taken. A file left as it was, or with conflict markers, is not.",
    ],
    examples: [
      CommandExample("dver merge notes/a.md --tool meld", "Opens both sides and what they come from in meld."),
      CommandExample(
        "dver merge a.md --tool 'emerge \"$LOCAL\" \"$REMOTE\" > \"$MERGED\"'", "Runs any other program."),
    ])

  let paths: [[UInt8]]
  let writesMarkers: Bool
  let tool: [UInt8]?
  let usesConfiguredTool: Bool
  let basis: BasisOption

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    writesMarkers = arguments.contains("--markers")
    tool = arguments.value("--tool")
    usesConfiguredTool = arguments.contains("--with-tool")
    basis = try BasisOption(arguments)
    try arguments.checkExclusive("--markers", "--tool", "--with-tool")
    try basis.check(paths)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let writer = VersionWriter(repository, context.output)
    let tool = try usesConfiguredTool ? Self.configuredTool(in: repository) : tool
    var status = ExitStatus.done
    for path in try paths.map({ try context.document($0, in: repository) }) {
      try checkBasis(at: path, in: repository, now: context.now)
      let (merged, remaining) = try repository.merge(path)
      try writer.writeMade(merged, verb: "merged")
      if remaining.isEmpty {
        if merged.isEmpty { context.output.status("nothing to merge at \(TerminalText.path(path.bytes))") }
        continue
      }
      if let tool, let made = try MergeTool(tool, context).run(at: path, in: repository, writer) {
        try writer.writeMade(made, verb: "resolved")
        continue
      }
      status = .otherAnswer
      if writesMarkers { try placeMarkers(at: path, writer, in: repository) }
      describe(path, in: repository, context.output)
      context.output.warn(
        CommandFailure(
          .notPossible, "\(remaining.count + 1) versions conflict at", path: path.bytes,
          advice: writesMarkers
            ? "edit the file, then dver resolve PATH"
            : "choose with dver resolve, or see both sides with dver conflicts --diff"))
    }
    return status
  }

  private static func configuredTool(in repository: Repository) throws -> [UInt8] {
    guard let name = try repository.setting(SettingKey.mergeTool) else {
      throw UsageError.other("option --with-tool: no tool is set, see dver config merge.tool")
    }
    // A setting may come from another device: only a name is taken from there, never a command.
    guard KnownMergeTool(rawValue: String(decoding: name, as: UTF8.self)) != nil else {
      throw UsageError.other("option --with-tool: merge.tool is \(TerminalText.quoted(name)), which is no known tool")
    }
    return name
  }

  /// What of the two sides can't be put together.
  private func describe(_ path: DocumentPath, in repository: Repository, _ output: CommandOutput) {
    guard let merge = try? repository.proposedMerge(at: path) else { return }
    for line in merge.descriptions() { output.status("\(TerminalText.path(path.bytes)): \(line)") }
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
    let merge = try repository.proposedMerge(at: path)
    if merge.isChoiceOfVersions { throw CommandFailure(Refusal.notMergeable(path)) }
    let labels = try ConflictNames(merge, writer).labels
    var decisions = merge.proposal
    for (number, conflict) in merge.conflicts.enumerated() where conflict.isOfFiles || conflict.entry == nil {
      let texts = try ConflictTexts(conflict, in: repository)
      if let marked = texts.marked(labels), marked.conflictCount > 0 {
        decisions[number] = .content(marked.bytes)
      } else if conflict.entry == nil {
        // Of a file nothing would be left to edit.
        throw CommandFailure(
          .notPossible, "no markers can be put into", path: path.bytes,
          advice: "\(texts.obstacle), choose one with dver resolve")
      }
    }
    try repository.replaceWorkingFile(at: path, with: try merge.merged(decisions))
  }
}
