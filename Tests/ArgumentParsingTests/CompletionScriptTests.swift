import ArgumentParsing
import Testing

@Suite("Completion scripts") struct CompletionScriptTests {
  private let script = CompletionScript(
    program: "dver", commands: SampleUsage.all, globalOptions: SampleUsage.globals)

  @Test("know every command, option and choice", arguments: CompletionScript.Shell.allCases)
  func completeness(shell: CompletionScript.Shell) {
    let text = script.text(for: shell)
    for command in SampleUsage.all {
      for word in command.words { #expect(text.contains(word)) }
      for name in (command.options + SampleUsage.globals).flatMap(\.longNames) {
        #expect(text.contains(shell == .fish ? "-l \(name.dropFirst(2))" : name))
      }
    }
    #expect(text.contains("auto always never"))
    #expect(text.hasSuffix("\n"))
  }

  @Test("quote what the shell would read", arguments: CompletionScript.Shell.allCases)
  func quoting(shell: CompletionScript.Shell) {
    let text = script.text(for: shell)
    switch shell {
    case .bash: #expect(!text.contains("it's"))
    case .zsh: #expect(text.contains(#"'add:Add a remote\: it'\''s "new" \[or not\]'"#))
    case .fish: #expect(text.contains(#"-d 'Add a remote: it\'s "new" [or not]'"#))
    }
  }

  @Test("offer a group's actions")
  func groups() {
    #expect(script.text(for: .bash).contains("remote) COMPREPLY=($(compgen -W 'add list' -- \"$cur\"))"))
    #expect(
      script.text(for: .fish).contains(
        "-n '__fish_seen_subcommand_from remote; and not __fish_seen_subcommand_from add list' -f -a add"))
  }
}
