import ArgumentParsing
import VersionStore
import Versioning

/// Lists the unresolved conflict versions of documents.
struct ConflictsCommand: Command {
  static let usage = CommandUsage(
    "conflicts", operands: [.any("PATH", .files)], abstract: "List conflict versions that aren't settled",
    options: [
      OptionUsage("--diff", help: "Show what each side changed"),
      OptionUsage("--exit-code", help: "Exit with status 1 if there are any"), NullOption.usage,
    ],
    details: [
      "Each path is followed by its current version and the versions in conflict with it. dver diff PATH@A PATH@B shows"
        + " how two differ; dver merge or dver resolve settles them.",
      "With --diff the common version is compared with each of the two; where there is none, or more than one, the two are"
        + " compared. Of a package the entries are shown that somebody has to decide about.",
      "With --json the version objects of the conflict versions, each with the id of the current version as current.",
    ])

  let paths: [[UInt8]]
  let showsDifferences: Bool
  let answersByExitStatus: Bool
  let isNullTerminated: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try PathOperand.list(of: arguments)
    showsDifferences = arguments.contains("--diff")
    try arguments.checkExclusive("--diff", "--null")
    answersByExitStatus = arguments.contains("--exit-code")
    isNullTerminated = NullOption.isGiven(arguments)
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let asked = try paths.map { try context.document($0, in: repository) }
    let entries = try repository.conflicts(paths.isEmpty ? nil : asked)
    let writer = VersionWriter(repository, context.output)
    if context.output.isJSON {
      for entry in entries {
        let difference = try showsDifferences ? ConflictDifference(entry, in: repository, writer) : nil
        try writer.writeObject(
          entry.version, state: .conflict, isLocal: try repository.isLocal(entry.version)
        ) { json in
          json.member("current", entry.current.id.hexadecimal)
          difference?.write(to: &json)
        }
      }
    } else {
      try write(entries, writer, repository, isTerminal: context.surroundings.isTerminal(1))
    }
    return answersByExitStatus && !entries.isEmpty ? .otherAnswer : .done
  }

  private func write(
    _ entries: [ConflictEntry], _ writer: VersionWriter, _ repository: Repository, isTerminal: Bool
  ) throws {
    var rest = entries[...]
    while let first = rest.first {
      let group = rest.prefix { $0.path == first.path }
      rest = rest.dropFirst(group.count)
      if isNullTerminated {
        writer.output.write(path: first.path.bytes, isNullTerminated: true)
        continue
      }
      writer.output.write(line: writer.output.color.bold(TerminalText.path(first.path.bytes)))
      var table = TextTable()
      table.add(try row("current", first.current, at: first.path, writer))
      for entry in group { table.add(try row("conflict", entry.version, at: first.path, writer)) }
      for line in table.lines(indentation: 4) { writer.output.write(line: line) }
      for entry in group where showsDifferences {
        try ConflictDifference(entry, in: repository, writer).write(to: writer.output, isTerminal: isTerminal)
      }
    }
  }

  private func row(
    _ state: String, _ version: Version, at path: DocumentPath, _ writer: VersionWriter
  ) throws -> [TextTable.Cell] {
    let record = version.record
    let color = writer.output.color
    let device = record.device == nil ? "-" : TerminalText.line(try writer.deviceName(of: version))
    var note = record.isDeletion ? "deleted" : record.kind == .file ? "" : record.kind.word
    if !record.isDeletion, record.path != path {
      note += (note.isEmpty ? "" : " ") + "at \(TerminalText.path(record.path.bytes))"
    }
    return [
      TextTable.Cell(state) { state == "current" ? color.green($0) : color.red($0) },
      TextTable.Cell(version.id.shortText, paint: color.yellow),
      TextTable.Cell(TimeFormat.short(milliseconds: record.wallTime)), TextTable.Cell(device),
      TextTable.Cell(record.isDeletion ? "" : ByteCount.text(record.size), isRight: true), TextTable.Cell(note),
    ]
  }
}
