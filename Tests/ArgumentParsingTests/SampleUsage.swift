import ArgumentParsing

/// Usages that the tests of this module share.
enum SampleUsage {
  static let globals = [
    OptionUsage("-C", value: "DIR", help: "Work in DIR", completion: .folders),
    OptionUsage("--json", help: "Write JSON Lines"),
    OptionUsage("-q", "--quiet", help: "Say less"),
    OptionUsage(
      "--color", value: "WHEN", help: "Colour the output", completion: .choices(["auto", "always", "never"])),
    OptionUsage("--help", help: "Show help", isInformational: true),
  ]

  static let save = CommandUsage(
    "save", operands: [.any("PATH", .files)], abstract: "Save new versions of what changed",
    options: [
      OptionUsage("-m", "--message", value: "TEXT", help: "Say why"),
      OptionUsage("--based-on", value: "VERSION", help: "Name the parent", repeats: true),
      OptionUsage("-z", "--null", help: "End paths with a zero byte"),
      OptionUsage("-n", value: "N", help: "Stop after N"),
      OptionUsage("--stdin", value: "PATH", help: "Take the content from standard input", completion: .files),
      OptionUsage("--allow-mass-delete", help: "Delete more than half of the documents"),
    ],
    details: ["Without PATH everything below the current folder is saved; what didn't change gets no new version."],
    examples: [CommandExample("dver save -m 'before the trip'", "Saves what changed, with a reason.")])

  static let move = CommandUsage(
    "mv", operands: [.required("OLD", .files), .required("NEW", .files)], abstract: "Rename a document")
  static let show = CommandUsage("show", operands: [.optional("PATH")], abstract: "Show a version's record")
  static let remove = CommandUsage("rm", operands: [.some("PATH", .files)], abstract: "Delete documents")
  static let remoteAdd = CommandUsage(
    "remote add", operands: [.required("NAME"), .required("URL")], abstract: "Add a remote: it's \"new\" [or not]")
  static let remoteList = CommandUsage("remote list", abstract: "List the remotes")

  static let all = [save, move, show, remove, remoteAdd, remoteList]

  static func bytes(_ words: [String]) -> [[UInt8]] {
    words.map { Array($0.utf8) }
  }

  /// Parses a whole command line.
  static func parse(_ words: [String]) throws(UsageError) -> (command: String, arguments: ParsedArguments) {
    let invocation = try Invocation(bytes(words), commands: all.map(\.name), globalOptions: globals)
    guard let usage = all.first(where: { $0.name == invocation.command }) else { throw .missingCommand }
    return (usage.name, try ParsedArguments(invocation, usage: usage))
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
