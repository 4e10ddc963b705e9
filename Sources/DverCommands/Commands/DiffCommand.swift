import ArgumentParsing
import Diffing
import SystemIO
import VersionStore
import Versioning

/// Shows what differs between versions, or between a version and the file on disk.
struct DiffCommand: Command {
  static let usage = CommandUsage(
    "diff", operands: [.optional("PATH@A", .files), .optional("PATH@B", .files)],
    abstract: "Show what changed between versions or since one",
    options: [
      OptionUsage("--stat", help: "Show how many lines were added and deleted"),
      OptionUsage("--word", help: "Mark changed words inside the lines"),
      OptionUsage("--exit-code", help: "Exit with status 1 if there is a difference"), VersionExpression.atOption,
    ],
    details: [
      "With one operand that version, or without @A the current one, is compared with the file on disk; with two the"
        + " first is compared with the second. Without an operand, or for a folder, all documents below that have"
        + " unsaved changes are.",
      "The output can be applied with patch -p1. Of files that aren't text it says that they differ.",
    ],
    examples: [
      CommandExample("dver diff notes/a.md", "Shows what isn't saved yet."),
      CommandExample("dver diff notes/a.md@~1 notes/a.md@current", "Shows what the last save changed."),
    ])

  let expressions: [VersionExpression]
  let form: DiffText.Form
  let answersByExitStatus: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expressions = try VersionExpression.operands(of: arguments)
    try arguments.checkExclusive("--stat", "--word")
    form = arguments.contains("--stat") ? .statistics : arguments.contains("--word") ? .words : .unified
    answersByExitStatus = arguments.contains("--exit-code")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let isTerminal = context.surroundings.isTerminal(1)
    var statistics: [(DiffText, DiffStatistics?)] = []
    var isDifferent = false
    for (old, new) in try pairs(in: repository, context) {
      let text = DiffText(try old(), try new())
      guard text.isDifference else { continue }
      isDifferent = true
      if context.output.isJSON {
        write(object: text, context.output)
      } else if form == .statistics {
        statistics.append((text, text.statistics))
      } else {
        write(text, context.output, isTerminal: isTerminal)
      }
      try context.checkInterruption()
    }
    write(statistics, context.output)
    return answersByExitStatus && isDifferent ? .otherAnswer : .done
  }

  // MARK: What is compared

  private typealias Side = () throws -> DiffSide

  private func pairs(in repository: Repository, _ context: CommandContext) throws -> [(Side, Side)] {
    guard let first = expressions.first else { return try changed(below: [], in: repository, context) }
    let target = try context.target(first.path, in: repository)
    guard let path = target, !isFolder(path, in: repository) || first.selector != nil || expressions.count > 1 else {
      return try changed(below: [first.path], in: repository, context)
    }
    let old = try repository.version((first.selector ?? .current).asked(now: context.now), at: path)
    let side: Side = { try DiffSide(old, at: path, in: repository) }
    guard expressions.count > 1 else { return [(side, { try DiffSide(fileAt: path, in: repository) })] }
    let second = expressions[1]
    let newPath = try context.document(second.path, in: repository)
    guard let selector = second.selector else { return [(side, { try DiffSide(fileAt: newPath, in: repository) })] }
    let new = try repository.version(selector.asked(now: context.now), at: newPath)
    return [(side, { try DiffSide(new, at: newPath, in: repository) })]
  }

  private func isFolder(_ path: DocumentPath, in repository: Repository) -> Bool {
    (try? repository.view(of: path))?.current == nil
      && (try? FileStatus.of(repository.root.appending(path.bytes)))?.kind == .folder
  }

  /// Documents with unsaved changes: their current versions beside their files.
  private func changed(
    below operands: [[UInt8]], in repository: Repository, _ context: CommandContext
  ) throws -> [(Side, Side)] {
    let report = try repository.status(try context.targets(operands, in: repository))
    var pairs: [(Side, Side)] = []
    var seen: Set<DocumentPath> = []
    for entry in report.entries where seen.insert(entry.path).inserted {
      let oldPath: DocumentPath
      switch entry.change {
      case .modified, .missing, .conflict: oldPath = entry.path
      case .renamed(let from): oldPath = from
      case .new, .remoteOnly, .unreadable: continue
      }
      let newPath = entry.path
      guard let current = try repository.view(of: oldPath).current else { continue }
      pairs.append(
        (
          { try DiffSide(current, at: oldPath, in: repository) }, { try DiffSide(fileAt: newPath, in: repository) }
        ))
    }
    return pairs
  }

  // MARK: Output

  private func write(_ text: DiffText, _ output: CommandOutput, isTerminal: Bool) {
    let bytes = text.bytes(words: form == .words)
    if form == .words, output.color.isOn || isTerminal {
      output.write(bytes: DiffText.paintedWords(bytes, output.color).utf8)
    } else if output.color.isOn || isTerminal {
      output.write(bytes: DiffText.painted(bytes, output.color).utf8)
    } else {
      // Whoever applies a diff needs the bytes as they are.
      output.write(bytes: bytes)
    }
  }

  private func write(object text: DiffText, _ output: CommandOutput) {
    output.write { json in
      json.path("path", text.new.path.bytes)
      if text.old.path != text.new.path { json.path("from", text.old.path.bytes) }
      json.member("old", text.old.version?.id.hexadecimal)
      json.member("new", text.new.version?.id.hexadecimal)
      json.member("isBinary", text.isBinary)
      json.member("oldSize", text.old.kind == nil ? nil : text.old.size)
      json.member("newSize", text.new.kind == nil ? nil : text.new.size)
      json.member("insertions", text.statistics?.insertions)
      json.member("deletions", text.statistics?.deletions)
      if form != .statistics { json.text("diff", text.bytes(words: form == .words)) }
    }
  }

  private func write(_ statistics: [(DiffText, DiffStatistics?)], _ output: CommandOutput) {
    guard !statistics.isEmpty else { return }
    let scale = DiffBar(largest: statistics.map { ($0.1?.insertions ?? 0) + ($0.1?.deletions ?? 0) }.max() ?? 0)
    var table = TextTable()
    for (text, count) in statistics {
      let total = count.map { "\($0.insertions + $0.deletions)" } ?? "binary"
      let bar = count.map { scale.bar($0) } ?? (plus: "", minus: "")
      let sizes = "\(ByteCount.text(text.old.size)) -> \(ByteCount.text(text.new.size))"
      let (color, isBinary) = (output.color, count == nil)
      table.add([
        TextTable.Cell(TerminalText.path(text.new.path.bytes)), TextTable.Cell(total, isRight: true),
        TextTable.Cell(isBinary ? sizes : bar.plus + bar.minus) { whole in
          isBinary ? whole : color.green(bar.plus) + color.red(bar.minus)
        },
      ])
    }
    for line in table.lines() { output.write(line: line) }
    if statistics.count > 1 {
      let (added, deleted) = statistics.reduce((0, 0)) {
        ($0.0 + ($1.1?.insertions ?? 0), $0.1 + ($1.1?.deletions ?? 0))
      }
      let lines = added == 1 ? "line" : "lines"
      output.write(line: "\(statistics.count) documents, \(added) \(lines) added, \(deleted) deleted")
    }
  }
}

/// Bars of plus and minus signs, none longer than 30.
private struct DiffBar {
  private static let width = 30
  let largest: Int

  func bar(_ count: DiffStatistics) -> (plus: String, minus: String) {
    (signs("+", count.insertions), signs("-", count.deletions))
  }

  private func signs(_ sign: Character, _ count: Int) -> String {
    guard count > 0 else { return "" }
    let length = largest <= Self.width ? count : max(1, Int(Double(count) / Double(largest) * Double(Self.width)))
    return String(repeating: sign, count: length)
  }
}
