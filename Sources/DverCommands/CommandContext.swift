import SystemIO

/// What a command works with.
struct CommandContext {
  let options: GlobalOptions
  let output: CommandOutput
  let surroundings: Surroundings

  init(options: GlobalOptions, surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
    let color = Color(
      options.isJSON ? .never : options.color, noColor: surroundings.environment("NO_COLOR"),
      isTerminal: surroundings.isTerminal(1))
    output = CommandOutput(
      isJSON: options.isJSON, isQuiet: options.isQuiet, color: color, surroundings: surroundings)
  }

  /// Milliseconds since 1970: the clock's, or what `DVER_NOW` says.
  var now: Int64 { options.fixedNow ?? surroundings.wallMilliseconds() }

  /// The folder that the command was started in or given.
  var folder: FilePath { options.folder.flatMap { FilePath(bytes: $0) } ?? FilePath(".") }

  /// A bar for a piece of work; quiet and JSON commands show none unless it is asked for.
  func progressBar(_ label: String, unit: ProgressBar.Unit) -> ProgressBar {
    let isUnwanted = options.progress == .auto && (options.isQuiet || options.isJSON)
    return ProgressBar(label, unit: unit, when: isUnwanted ? .never : options.progress, surroundings: surroundings)
  }
}
