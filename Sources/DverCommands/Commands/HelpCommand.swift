import ArgumentParsing

/// Shows the list of commands, or one command's page.
struct HelpCommand: Command {
  static let usage = CommandUsage(
    "help", operands: [.any("COMMAND")], abstract: "Show the commands, or how one is used",
    details: ["With --json one object a command: its name, its usage in one line and what it does."],
    examples: [CommandExample("dver help save", "Shows the options of save.")])

  let name: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let first = arguments.operands.first else {
      name = nil
      return
    }
    if arguments.operands.count > 2 { throw .unexpectedOperand(arguments.operands[2]) }
    let words = Array(arguments.operands.joined(separator: [UInt8(ascii: " ")]))
    name = String(decoding: words, as: UTF8.self)
    if CommandTable.page(of: name ?? "") == nil {
      let names = CommandTable.names
      throw .unknownCommand(words, suggestion: EditDistance.closest(to: first, among: names))
    }
  }

  func run(in context: inout CommandContext) throws(CommandFailure) -> ExitStatus {
    if context.output.isJSON {
      let usages = CommandTable.usages.filter { name == nil || $0.name == name || $0.group == name }
      for usage in usages {
        context.output.write(object: { json in
          json.member("command", usage.name)
          json.member("usage", CommandTable.helpText.synopsis(of: usage))
          json.member("abstract", usage.abstract)
        })
      }
    } else {
      let page = name.flatMap { CommandTable.page(of: $0) } ?? CommandTable.overview
      context.output.write(bytes: page.utf8)
    }
    return .done
  }
}
