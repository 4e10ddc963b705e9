import ArgumentParsing
import VersionStore
import Versioning

/// Shows history, newest first.
struct LogCommand: Command {
  static let usage = CommandUsage(
    "log", operands: [.optional("PATH@VERSION", .files)], abstract: "Show the history of a document, or of all",
    options: [
      OptionUsage("-n", value: "N", help: "Show at most N versions"),
      OptionUsage("--graph", help: "Draw how versions descend from each other"),
      OptionUsage("--ascii", help: "Draw the graph in ASCII"),
      OptionUsage("--oneline", help: "Show each version in one line"),
      OptionUsage("--since", value: "TIME", help: "Show versions saved at TIME or later"),
      OptionUsage("--until", value: "TIME", help: "Show versions saved up to TIME"),
      OptionUsage("--all", help: "Show side branches, deletions and removed versions too"),
      VersionExpression.atOption,
    ],
    details: [
      "History goes along the graph and across renames, each version before those it was made from. With @VERSION it"
        + " begins there. Of a folder that of all documents in it.",
      "Behind a version stands in brackets what is special about it: that it is current, in conflict or removed, and"
        + " how it came about where it wasn't saved.",
    ],
    examples: [
      CommandExample("dver log notes/a.md", "Shows the versions of a document."),
      CommandExample("dver log --graph --all --oneline", "Shows everything as a graph."),
    ])

  let expression: VersionExpression?
  let limit: Int?
  let since: TimeExpression?
  let until: TimeExpression?
  let showsAll: Bool
  let showsGraph: Bool
  let isASCII: Bool
  let isOneLine: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    expression = try VersionExpression.operands(of: arguments).first
    limit = try arguments.number("-n", in: 0...Int.max)
    since = try Self.time("--since", in: arguments)
    until = try Self.time("--until", in: arguments)
    showsAll = arguments.contains("--all")
    isASCII = arguments.contains("--ascii")
    showsGraph = arguments.contains("--graph") || isASCII
    isOneLine = arguments.contains("--oneline")
  }

  private static func time(_ option: String, in arguments: ParsedArguments) throws(UsageError) -> TimeExpression? {
    guard let value = arguments.value(option) else { return nil }
    guard let time = TimeExpression(parsing: value) else {
      throw .invalidValue(option: option, value: value, expected: "a time such as 2026-11-30, yesterday, 3 hours ago")
    }
    return time
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    var path: DocumentPath?
    var start: Version?
    if let expression {
      path = try context.target(expression.path, in: repository)
      if expression.selector != nil { (path, start) = try context.version(expression, in: repository) }
    }
    let query = HistoryQuery(
      start: start, includesEverything: showsAll, limit: limit, since: since?.earliest(now: context.now),
      until: until?.latest(now: context.now))
    let entries = try path.map { try repository.history(of: $0, query) } ?? repository.history(query)
    let writer = VersionWriter(repository, context.output)
    if context.output.isJSON {
      for entry in entries {
        try writer.writeObject(entry.version, state: entry.state, isLocal: entry.isLocal)
        if context.output.isClosed { break }
      }
    } else {
      try write(entries, path, writer, width: context.surroundings.terminalWidth(1))
    }
    return .done
  }

  private func write(_ entries: [HistoryEntry], _ path: DocumentPath?, _ writer: VersionWriter, width: Int?) throws {
    let text = try HistoryText(entries, asked: path, isOneLine: isOneLine, width: width, writer)
    var graph = GraphDrawing<RecordID>(style: isASCII ? .ascii : .unicode)
    let shown = showsGraph ? Set(entries.map(\.version.id)) : []
    // By their places, as each takes hundreds of bytes.
    for place in entries.indices {
      if writer.output.isClosed { return }
      if try !showsGraph && text.writePlain(entries[place]) { continue }
      let entry = entries[place]
      guard showsGraph else {
        for line in try text.lines(of: entry, indentation: 0) { writer.output.write(line: line) }
        continue
      }
      let row = graph.row(of: entry.version.id, parents: entry.version.record.parents.filter { shown.contains($0) })
      var lines = try text.lines(of: entry, indentation: row.node.count)
      var prefixes = [row.node]
      if let link = row.link { prefixes.append(link) }
      while lines.count < prefixes.count { lines.append("") }
      for (number, line) in lines.enumerated() {
        let prefix = number < prefixes.count ? prefixes[number] : row.padding
        writer.output.write(line: line.isEmpty ? prefix.droppingTrailingSpaces : prefix + line)
      }
    }
  }
}

extension String {
  /// The text without spaces at its end.
  var droppingTrailingSpaces: String {
    var text = self
    while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
    return text
  }
}
