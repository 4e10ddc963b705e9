import ArgumentParsing

/// Prints a script that completes dver's commands and options in a shell.
struct CompletionCommand: Command {
  private static let shells = CompletionScript.Shell.allCases.map(\.rawValue)

  static let usage = CommandUsage(
    "completion", operands: [.required("SHELL", .choices(shells))],
    abstract: "Print a completion script for bash, zsh or fish",
    examples: [
      CommandExample("eval \"$(dver completion bash)\"", "Completes in this bash, until it ends."),
      CommandExample(
        "dver completion fish > ~/.config/fish/completions/dver.fish", "Completes in every fish from now on."),
    ])

  let shell: CompletionScript.Shell

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = arguments.operands.first ?? []
    guard let shell = CompletionScript.Shell.allCases.first(where: { $0.rawValue.utf8.elementsEqual(word) }) else {
      throw .invalidOperand("SHELL", value: word, expected: "one of " + Self.shells.joined(separator: ", "))
    }
    self.shell = shell
  }

  func run(in context: inout CommandContext) throws(CommandFailure) -> ExitStatus {
    let script = CompletionScript(
      program: "dver", commands: CommandTable.usages, globalOptions: GlobalOptions.usages)
    context.output.write(bytes: script.text(for: shell).utf8)
    return .done
  }
}
