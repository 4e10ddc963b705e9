/// Help pages of 80 columns, made from the declarations.
public struct HelpText: Sendable {
  public static let width = 80
  /// Where the explanations of options begin.
  private static let column = 28

  public let program: String
  public let globalOptions: [OptionUsage]

  public init(program: String, globalOptions: [OptionUsage]) {
    self.program = program
    self.globalOptions = globalOptions
  }

  /// A command's usage in one line: `dver save [-m TEXT] [PATH...]`.
  public func synopsis(of usage: CommandUsage) -> String {
    ([program, usage.name] + usage.options.map(\.synopsis) + usage.operands.map(\.synopsis)).joined(separator: " ")
  }

  /// A command's page.
  public func page(of usage: CommandUsage) -> String {
    let words = usage.options.map(\.synopsis) + usage.operands.map(\.synopsis)
    let start = "Usage: \(program) \(usage.name)"
    var page = Self.wrapped(units: words, after: start, indentation: min(start.count + 1, Self.column))
    page += "\n" + Self.paragraph(usage.abstract + ".", indentation: 0)
    for detail in usage.details { page += "\n" + Self.paragraph(detail, indentation: 0) }
    if !usage.options.isEmpty { page += "\nOptions:\n" + usage.options.map(Self.row).joined() }
    if !globalOptions.isEmpty { page += "\nGlobal options:\n" + globalOptions.map(Self.row).joined() }
    if !usage.examples.isEmpty { page += "\nExamples:\n" + usage.examples.map(Self.row).joined() }
    return page
  }

  /// The page of the whole program: commands in sections, and the global options.
  public func overview(abstract: String, sections: [(title: String, commands: [CommandUsage])], closing: String)
    -> String
  {
    var page = "Usage: \(program) [OPTION]... COMMAND [ARGUMENT]...\n\n" + Self.paragraph(abstract, indentation: 0)
    for section in sections where !section.commands.isEmpty {
      page += "\n\(section.title):\n"
      for command in section.commands { page += Self.row(command.name, command.abstract, column: 20) }
    }
    page += "\nGlobal options:\n" + globalOptions.map(Self.row).joined()
    return page + "\n" + Self.paragraph(closing, indentation: 0)
  }

  /// The page of a group: its commands.
  public func page(ofGroup group: String, commands: [CommandUsage]) -> String {
    let actions = commands.filter { $0.group == group }
    var page = "Usage: \(program) \(group) ACTION [ARGUMENT]...\n\nActions:\n"
    for action in actions { page += Self.row(action.name, action.abstract, column: 20) }
    return page + "\nGlobal options:\n" + globalOptions.map(Self.row).joined()
  }

  private static func row(_ option: OptionUsage) -> String {
    let hasShort = option.names[0].utf8.count == 2
    let names = (hasShort ? "" : "    ") + option.names.joined(separator: ", ")
    let value = option.valueName.map { " \($0)" } ?? ""
    var help = option.help
    if case .choices(let words) = option.completion { help += ": " + words.joined(separator: ", ") }
    if option.repeats { help += " (repeatable)" }
    return row(names + value, help, column: column)
  }

  private static func row(_ example: CommandExample) -> String {
    "  \(example.line)\n" + paragraph(example.explanation, indentation: 6)
  }

  private static func row(_ left: String, _ right: String, column: Int) -> String {
    let start = "  " + left
    if start.count + 2 > column { return start + "\n" + paragraph(right, indentation: column) }
    let padded = start + String(repeating: " ", count: column - start.count - 1)
    return wrapped(units: words(of: right), after: padded, indentation: column)
  }

  /// Text in lines of at most 80 columns, where its words allow.
  static func paragraph(_ text: String, indentation: Int) -> String {
    let margin = indentation > 0 ? String(repeating: " ", count: indentation - 1) : ""
    return wrapped(units: words(of: text), after: margin, indentation: indentation)
  }

  private static func words(of text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  /// Units joined by spaces behind `start`; further lines are indented.
  private static func wrapped(units: [String], after start: String, indentation: Int) -> String {
    var text = ""
    var line = start
    var isEmpty = start.isEmpty
    for unit in units {
      if !isEmpty, line.count + 1 + unit.count > width, !line.allSatisfy({ $0 == " " }) {
        text += line + "\n"
        line = String(repeating: " ", count: indentation) + unit
      } else {
        line += (isEmpty ? "" : " ") + unit
      }
      isEmpty = false
    }
    return text + line + "\n"
  }
}
