extension CompletionScript {
  func zsh() -> String {
    var text = """
      #compdef \(program)
      _\(program)() {
          local curcontext=$curcontext state line
          typeset -A opt_args
          local -a global_options commands
          global_options=(

      """
    for option in globalOptions { text += zshSpecifications(of: option).map { "        \($0)\n" }.joined() }
    text += "    )\n    commands=(\n"
    for word in firstWords { text += "        \(Self.quoted("\(word):\(zshEscaped(abstract(of: word)))"))\n" }
    text += """
          )
          _arguments -C -s -S $global_options '1: :->command' '*:: :->arguments'
          case $state in
              command) _describe -t commands command commands ;;
              arguments)
                  case $words[1] in

      """
    for command in commands where command.group == nil { text += zshCommand(command, margin: 16) }
    for group in groups {
      text += "                \(group.name))\n"
      text += "                    commands=(\n"
      for action in group.actions {
        text += "                        \(Self.quoted("\(action.words[1]):\(zshEscaped(action.abstract))"))\n"
      }
      text += "                    )\n"
      text += "                    _arguments -C -s -S $global_options '1: :->action' '*:: :->rest'\n"
      text += "                    case $state in\n"
      text += "                        action) _describe -t commands action commands ;;\n"
      text += "                        rest)\n"
      text += "                            case $words[1] in\n"
      for action in group.actions { text += zshCommand(action, margin: 32) }
      text += "                            esac ;;\n"
      text += "                    esac ;;\n"
    }
    return text + "            esac ;;\n    esac\n}\nif [ \"$funcstack[1]\" = _\(program) ]; then\n"
      + "    _\(program) \"$@\"\nelse\n    compdef _\(program) \(program)\nfi\n"
  }

  private func zshCommand(_ command: CommandUsage, margin: Int) -> String {
    let space = String(repeating: " ", count: margin)
    var text = "\(space)\(command.words.last ?? ""))\n\(space)    _arguments -s -S $global_options"
    for specification in command.options.flatMap(zshSpecifications) + command.operands.map(zshOperand) {
      text += " \\\n\(space)        \(specification)"
    }
    return text + " ;;\n"
  }

  /// One specification for each spelling.
  private func zshSpecifications(of option: OptionUsage) -> [String] {
    let help = zshEscaped(option.help)
    let exclusion = option.repeats ? "*" : "(\(option.names.joined(separator: " ")))"
    return option.names.map { name in
      guard let valueName = option.valueName else { return Self.quoted("\(exclusion)\(name)[\(help)]") }
      let sign = name.hasPrefix("--") ? "=" : "+"
      return Self.quoted("\(exclusion)\(name)\(sign)[\(help)]:\(valueName):\(zshAction(option.completion))")
    }
  }

  private func zshOperand(_ operand: OperandUsage) -> String {
    let prefix = operand.repeats ? "*:" : operand.isRequired ? ":" : "::"
    return Self.quoted("\(prefix)\(operand.name):\(zshAction(operand.completion))")
  }

  private func zshAction(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// Text inside the brackets or behind the colon of a specification.
  private func zshEscaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
