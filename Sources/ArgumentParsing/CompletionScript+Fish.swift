extension CompletionScript {
  func fish() -> String {
    var text = "# fish completion for \(program)\n"
    for option in globalOptions { text += fishLine(nil, option) }
    for word in firstWords {
      text += "complete -c \(program) -n __fish_use_subcommand -f -a \(word) -d \(fishQuoted(abstract(of: word)))\n"
    }
    for group in groups {
      let actions = group.actions.map { $0.words[1] }.joined(separator: " ")
      let condition =
        "__fish_seen_subcommand_from \(group.name); and not __fish_seen_subcommand_from \(actions)"
      for action in group.actions {
        text += "complete -c \(program) -n \(fishQuoted(condition)) -f -a \(action.words[1])"
        text += " -d \(fishQuoted(action.abstract))\n"
      }
    }
    for command in commands {
      let condition = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for option in command.options { text += fishLine(condition, option) }
      for operand in command.operands { text += fishOperand(condition, operand) }
    }
    return text
  }

  private func fishLine(_ condition: String?, _ option: OptionUsage) -> String {
    var line = "complete -c \(program)"
    if let condition { line += " -n \(fishQuoted(condition))" }
    for letter in option.shortNames { line += " -s \(Character(Unicode.Scalar(letter)))" }
    for name in option.longNames { line += " -l \(name.dropFirst(2))" }
    if option.takesValue {
      switch option.completion {
      case .nothing: line += " -x"
      case .files: line += " -r -F"
      case .folders: line += " -x -a '(__fish_complete_directories)'"
      case .choices(let words): line += " -x -a \(fishQuoted(words.joined(separator: " ")))"
      }
    }
    return line + " -d \(fishQuoted(option.help))\n"
  }

  private func fishOperand(_ condition: String, _ operand: OperandUsage) -> String {
    let start = "complete -c \(program) -n \(fishQuoted(condition))"
    switch operand.completion {
    case .nothing: return start + " -f\n"
    case .files: return ""
    case .folders: return start + " -f -a '(__fish_complete_directories)'\n"
    case .choices(let words): return start + " -f -a \(fishQuoted(words.joined(separator: " ")))\n"
    }
  }

  /// Text between single quotes, where fish knows `\'` and `\\`.
  private func fishQuoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "'"
  }
}
