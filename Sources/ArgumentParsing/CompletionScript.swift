/// Shell scripts that complete a program's commands, options and values, made from the declarations.
public struct CompletionScript: Sendable {
  public enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  let program: String
  let commands: [CommandUsage]
  let globalOptions: [OptionUsage]

  public init(program: String, commands: [CommandUsage], globalOptions: [OptionUsage]) {
    self.program = program
    self.commands = commands
    self.globalOptions = globalOptions
  }

  /// The script that the shell reads.
  public func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash()
    case .zsh: zsh()
    case .fish: fish()
    }
  }

  /// First words of commands, in the order declared, each once.
  var firstWords: [String] {
    var words: [String] = []
    for command in commands where words.last != command.words[0] { words.append(command.words[0]) }
    return words
  }

  /// Groups with their actions, in the order declared.
  var groups: [(name: String, actions: [CommandUsage])] {
    firstWords.compactMap { word in
      let actions = commands.filter { $0.group == word }
      return actions.isEmpty ? nil : (word, actions)
    }
  }

  /// What the list of first words says of one.
  func abstract(of firstWord: String) -> String {
    let actions = commands.filter { $0.group == firstWord }
    if actions.isEmpty { return commands.first { $0.name == firstWord }?.abstract ?? "" }
    return actions.map { $0.words[1] }.joined(separator: ", ")
  }

  /// Text between single quotes of a shell that has no escape inside them (bash, zsh).
  static func quoted(_ text: String) -> String {
    var result = "'"
    for character in text { result += character == "'" ? "'\\''" : String(character) }
    return result + "'"
  }
}
