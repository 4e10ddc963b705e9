import ArgumentParsing

/// Every command, in the order in which the help shows them.
enum CommandTable {
  /// A command with the name that its usage has: choosing one by name makes no other's usage.
  struct Entry {
    let name: String
    let command: any Command.Type

    init(_ name: String, _ command: any Command.Type) {
      self.name = name
      self.command = command
    }
  }

  struct Section {
    let title: String
    let entries: [Entry]

    var commands: [any Command.Type] { entries.map(\.command) }
  }

  static var sections: [Section] {
    [
      Section(title: "Start", entries: [Entry("init", InitCommand.self), Entry("clone", CloneCommand.self)]),
      Section(
        title: "Every day",
        entries: [
          Entry("save", SaveCommand.self), Entry("status", StatusCommand.self), Entry("log", LogCommand.self),
          Entry("show", ShowCommand.self), Entry("cat", CatCommand.self), Entry("diff", DiffCommand.self),
          Entry("restore", RestoreCommand.self), Entry("mv", MvCommand.self), Entry("rm", RmCommand.self),
          Entry("undo", UndoCommand.self),
        ]),
      Section(
        title: "Conflicts",
        entries: [
          Entry("conflicts", ConflictsCommand.self), Entry("resolve", ResolveCommand.self),
          Entry("merge", MergeCommand.self), Entry("merge-file", MergeFileCommand.self),
          Entry("remove", RemoveCommand.self),
          Entry("remove-other", RemoveOtherCommand.self),
        ]),
      Section(
        title: "Devices and remotes",
        entries: [
          Entry("sync", SyncCommand.self), Entry("remote add", RemoteAddCommand.self),
          Entry("remote list", RemoteListCommand.self), Entry("remote remove", RemoteRemoveCommand.self),
          Entry("device list", DeviceListCommand.self), Entry("device rename", DeviceRenameCommand.self),
          Entry("device retire", DeviceRetireCommand.self),
        ]),
      Section(
        title: "The store",
        entries: [
          Entry("verify", VerifyCommand.self), Entry("repair", RepairCommand.self), Entry("stats", StatsCommand.self),
          Entry("compact", CompactCommand.self), Entry("import-history", ImportHistoryCommand.self),
          Entry("config", ConfigCommand.self),
        ]),
      Section(title: "Help", entries: [Entry("help", HelpCommand.self), Entry("completion", CompletionCommand.self)]),
    ]
  }

  static var commands: [any Command.Type] { sections.flatMap(\.commands) }

  /// The names of all commands, in this order.
  static var names: [String] { sections.flatMap { $0.entries.map(\.name) } }

  static var usages: [CommandUsage] { commands.map { $0.usage } }

  /// The command of that name, of one word or two.
  static func command(_ name: String) -> (any Command.Type)? {
    for section in sections {
      if let entry = section.entries.first(where: { $0.name == name }) { return entry.command }
    }
    return nil
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
