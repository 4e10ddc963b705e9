import ArgumentParsing
import VersionStore

/// Lists the remotes of this device.
struct RemoteListCommand: Command {
  static let usage = CommandUsage("remote list", abstract: "List the remotes of this device")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: inout CommandContext) throws -> ExitStatus {
    var table = TextTable()
    for remote in try context.repository(.reading).remotes() {
      if context.output.isJSON {
        context.output.write { json in
          json.path("name", remote.name)
          json.path("url", remote.url)
        }
      } else {
        table.add(texts: TerminalText.path(remote.name), TerminalText.path(remote.url))
      }
    }
    for line in table.lines() { context.output.write(line: line) }
    return .done
  }
}
