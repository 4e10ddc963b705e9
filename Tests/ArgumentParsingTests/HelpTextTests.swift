import ArgumentParsing
import Testing

@Suite("Help text") struct HelpTextTests {
  private let help = HelpText(program: "dver", globalOptions: SampleUsage.globals)

  @Test("shows a command's usage, options and examples")
  func page() {
    let expected = """
      Usage: dver save [-m TEXT] [--based-on VERSION]... [-z] [-n N] [--stdin PATH]
                       [--allow-mass-delete] [PATH...]

      Save new versions of what changed.

      Without PATH everything below the current folder is saved; what didn't change
      gets no new version.

      Options:
        -m, --message TEXT        Say why
            --based-on VERSION    Name the parent (repeatable)
        -z, --null                End paths with a zero byte
        -n N                      Stop after N
            --stdin PATH          Take the content from standard input
            --allow-mass-delete   Delete more than half of the documents

      Global options:
        -C DIR                    Work in DIR
            --json                Write JSON Lines
        -q, --quiet               Say less
            --color WHEN          Colour the output: auto, always, never
            --help                Show help

      Examples:
        dver save -m 'before the trip'
            Saves what changed, with a reason.

      """
    #expect(help.page(of: SampleUsage.save).withoutPadding == expected.withoutPadding)
  }

  @Test("is at most 80 columns wide")
  func width() {
    var pages = SampleUsage.all.map { help.page(of: $0) }
    pages.append(help.page(ofGroup: "remote", commands: SampleUsage.all))
    pages.append(
      help.overview(
        abstract: "Keeps versions of documents, on every device, without a server, and merges what is certain.",
        sections: [("Commands", SampleUsage.all)], closing: "See dver help COMMAND."))
    for line in pages.joined().split(separator: "\n") {
      #expect(line.count <= HelpText.width)
      #expect(line.last != " ")
    }
  }

  @Test("breaks long explanations under their column")
  func wrapping() {
    let long = String(repeating: "word ", count: 30) + "end"
    let usage = CommandUsage("x", abstract: "X", options: [OptionUsage("--a", help: long)])
    let lines = help.page(of: usage).split(separator: "\n").filter { $0.contains("word") }
    #expect(lines.count > 2)
    for line in lines.dropFirst() { #expect(line.prefix { $0 == " " }.count == 28) }
  }

  @Test("keeps a word that is longer than a line")
  func longWord() {
    let word = String(repeating: "x", count: 100)
    let usage = CommandUsage("x", abstract: "A \(word) b")
    #expect(help.page(of: usage).contains("A\n\(word)\nb."))
  }

  @Test("gives a usage in one line")
  func synopsis() {
    #expect(help.synopsis(of: SampleUsage.remoteAdd) == "dver remote add NAME URL")
    #expect(help.synopsis(of: SampleUsage.remove) == "dver rm PATH...")
    #expect(help.synopsis(of: SampleUsage.show) == "dver show [PATH]")
  }
}

extension String {
  /// Runs of spaces as one: the table in the test needn't be kept aligned.
  fileprivate var withoutPadding: String {
    split(separator: " ").joined(separator: " ")
  }
}
