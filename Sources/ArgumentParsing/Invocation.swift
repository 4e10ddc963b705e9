/// The first part of a command line: global options, then the words that choose a command.
public struct Invocation: Sendable {
  /// The chosen command's name; `nil` where the line holds no word, or only a group's.
  public private(set) var command: String?
  /// The group where its action is missing, for instance `remote`.
  public private(set) var group: String?
  public let globalOptions: [OptionUsage]
  /// Whatever follows the command's name.
  public private(set) var remaining: ArraySlice<[UInt8]> = []
  private(set) var given: [(name: String, value: [UInt8]?)] = []
  private(set) var hasEndedOptions = false

  /// Reads up to the command's name.
  ///
  /// - Parameter commands: every command's name, of one or two words.
  public init(_ arguments: [[UInt8]], commands: [String], globalOptions: [OptionUsage]) throws(UsageError) {
    self.globalOptions = globalOptions
    var scanner = OptionScanner(arguments[...], options: globalOptions)
    while command == nil, let token = try scanner.next() {
      switch token {
      case .option(let name, let value):
        let repeats = globalOptions.contains { $0.name == name && $0.repeats }
        if value != nil, !repeats, given.contains(where: { $0.name == name }) { throw .repeatedOption(name) }
        given.append((name, value))
      case .operand(let word):
        try choose(word, among: commands)
      }
    }
    remaining = scanner.remaining
    hasEndedOptions = scanner.hasEnded
  }

  /// The global options alone, where no command is chosen.
  public func globalArguments() throws(UsageError) -> ParsedArguments {
    try ParsedArguments([], options: globalOptions, given: given, hasEnded: false, operands: [])
  }

  private mutating func choose(_ word: [UInt8], among commands: [String]) throws(UsageError) {
    if let group {
      let actions = Self.actions(of: group, in: commands)
      guard let action = actions.first(where: { $0.utf8.elementsEqual(word) }) else {
        throw .unknownAction(group: group, action: word, actions: actions)
      }
      command = "\(group) \(action)"
      self.group = nil
      return
    }
    guard let found = commands.first(where: { Self.firstWord(of: $0).elementsEqual(word) }) else {
      let firstWords = commands.map { String(Self.firstWord(of: $0)) ?? $0 }
      throw .unknownCommand(word, suggestion: EditDistance.closest(to: word, among: firstWords))
    }
    if found.utf8.count == word.count { command = found } else { group = String(Self.firstWord(of: found)) }
  }

  private static func firstWord(of command: String) -> Substring.UTF8View {
    command.utf8.prefix { $0 != UInt8(ascii: " ") }
  }

  /// The second words of a group's commands.
  static func actions(of group: String, in commands: [String]) -> [String] {
    commands.compactMap { $0.hasPrefix(group + " ") ? String($0.dropFirst(group.utf8.count + 1)) : nil }
  }
}
