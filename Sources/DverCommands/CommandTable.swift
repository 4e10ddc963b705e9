import ArgumentParsing

/// Every command, in the order in which the help shows them.
enum CommandTable {
  struct Section {
    let title: String
    let commands: [any Command.Type]
  }

  static var sections: [Section] {
    [
      Section(title: "Start", commands: [InitCommand.self, CloneCommand.self]),
      Section(
        title: "Every day",
        commands: [
          SaveCommand.self, StatusCommand.self, LogCommand.self, ShowCommand.self, CatCommand.self, DiffCommand.self,
          RestoreCommand.self, MvCommand.self, RmCommand.self, UndoCommand.self,
        ]),
      Section(
        title: "Conflicts",
        commands: [
          ConflictsCommand.self, ResolveCommand.self, MergeCommand.self, MergeFileCommand.self, RemoveCommand.self,
          RemoveOtherCommand.self,
        ]),
      Section(
        title: "Devices and remotes",
        commands: [
          SyncCommand.self, RemoteAddCommand.self, RemoteListCommand.self, RemoteRemoveCommand.self,
          DeviceListCommand.self, DeviceRenameCommand.self, DeviceRetireCommand.self,
        ]),
      Section(
        title: "The store",
        commands: [VerifyCommand.self, RepairCommand.self, StatsCommand.self, ConfigCommand.self]),
      Section(title: "Help", commands: [HelpCommand.self, CompletionCommand.self]),
    ]
  }

  static var commands: [any Command.Type] { sections.flatMap(\.commands) }

  static var usages: [CommandUsage] { commands.map { $0.usage } }

  /// The command of that name, of one word or two.
  static func command(_ name: String) -> (any Command.Type)? {
    commands.first { $0.usage.name == name }
  }

  /// The help pages of all of them.
  static var helpText: HelpText {
    HelpText(program: "dver", globalOptions: GlobalOptions.usages)
  }

  /// The page that `dver help` shows.
  static var overview: String {
    helpText.overview(
      abstract: "dver keeps every saved version of your documents, on all your devices, without a server.",
      sections: sections.map { ($0.title, $0.commands.map { $0.usage }) },
      closing: "See dver help COMMAND for a command's options. PATH@VERSION names a version: "
        + VersionSelector.expectation.dropFirst("a version: ".count) + ".")
  }

  /// The page of a command or of a group, or `nil` where there is none.
  static func page(of name: String) -> String? {
    if let command = command(name) { return helpText.page(of: command.usage) }
    guard usages.contains(where: { $0.group == name }) else { return nil }
    return helpText.page(ofGroup: name, commands: usages)
  }
}
