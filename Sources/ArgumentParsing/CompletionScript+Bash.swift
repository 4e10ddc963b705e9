extension CompletionScript {
  func bash() -> String {
    let valued = globalOptions.filter(\.takesValue).flatMap(\.names).joined(separator: "|")
    let groupNames = groups.map(\.name).joined(separator: " ")
    var text = """
      # bash completion for \(program)
      _\(program)() {
          local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word i
          COMPREPLY=()
          # bash splits --option=value at the sign.
          if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
          for ((i = 1; i < COMP_CWORD; i++)); do
              word=${COMP_WORDS[i]}
              case $word in
                  \(valued)) ((i++)); [[ ${COMP_WORDS[i]} == "=" ]] && ((i++)) ;;
                  -*|=) ;;
                  *)
                      if [[ -z $command ]]; then
                          command=$word
                      elif [[ " \(groupNames) " == *" $command "* ]]; then
                          command="$command $word"
                      fi ;;
              esac
          done
          case "$command:$prev" in

      """
    for command in commands { text += bashValues(of: command.options, pattern: Self.quoted(command.name)) }
    text += bashValues(of: globalOptions, pattern: "*")
    text += """
          esac
          if [[ $cur == -* ]]; then
              case $command in

      """
    let globalNames = globalOptions.flatMap(\.longNames)
    for command in commands {
      text += bashWords(Self.quoted(command.name), command.options.flatMap(\.longNames) + globalNames)
    }
    text += bashWords("*", globalNames)
    text += """
              esac
              return
          fi
          case $command in

      """
    text += bashWords("''", firstWords)
    for group in groups { text += bashWords(group.name, group.actions.map { $0.words[1] }) }
    for command in commands {
      if case .choices(let words)? = command.operands.first?.completion {
        text += bashWords(Self.quoted(command.name), words)
      }
    }
    return text + "    esac\n}\n# Where nothing is offered, readline completes file names.\n"
      + "complete -o bashdefault -o default -F _\(program) \(program)\n"
  }

  private func bashWords(_ pattern: String, _ words: [String]) -> String {
    "            \(pattern)) COMPREPLY=($(compgen -W \(Self.quoted(words.joined(separator: " "))) -- \"$cur\")) ;;\n"
  }

  /// One row for each option with a value: words to choose from, folders, or whatever readline offers.
  private func bashValues(of options: [OptionUsage], pattern: String) -> String {
    var text = ""
    for option in options where option.takesValue {
      let names = option.names.map { "\(pattern):\($0)" }.joined(separator: "|")
      switch option.completion {
      case .choices(let words):
        text +=
          "        \(names)) COMPREPLY=($(compgen -W \(Self.quoted(words.joined(separator: " "))) -- \"$cur\")); return ;;\n"
      case .folders:
        text += "        \(names)) compopt -o dirnames 2>/dev/null; return ;;\n"
      case .files, .nothing:
        text += "        \(names)) return ;;\n"
      }
    }
    return text
  }
}
