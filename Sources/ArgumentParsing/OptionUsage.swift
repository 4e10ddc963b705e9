/// An option: its names, its value and what it does.
public struct OptionUsage: Sendable {
  /// Every spelling with its dashes: `-m`, `--message`. Short ones have one ASCII letter or digit.
  public let names: [String]
  /// What the help calls the value, upper case; `nil` where the option takes none.
  public let valueName: String?
  /// One line in the imperative.
  public let help: String
  /// May be given more than once; an option that doesn't repeat and takes a value is refused the second time.
  public let repeats: Bool
  public let completion: Completion
  /// Asks for information in place of the command's work: what operands there are is then not checked.
  public let isInformational: Bool

  public init(
    _ names: String..., value: String? = nil, help: String, repeats: Bool = false,
    completion: Completion = .nothing, isInformational: Bool = false
  ) {
    precondition(!names.isEmpty && names.allSatisfy { Self.isLong($0) || $0.utf8.count == 2 })
    self.names = names
    self.valueName = value
    self.help = help
    self.repeats = repeats
    self.completion = completion
    self.isInformational = isInformational
  }

  /// The name by which it is asked for and reported: the first long one, else the first.
  public var name: String {
    names.first { Self.isLong($0) } ?? names[0]
  }

  public var takesValue: Bool { valueName != nil }

  /// The spellings with two dashes.
  public var longNames: [String] { names.filter { Self.isLong($0) } }

  /// The letters of the spellings with one dash.
  public var shortNames: [UInt8] {
    names.compactMap { name in Self.isLong(name) ? nil : name.utf8.last }
  }

  /// By bytes: where characters begin, as `hasPrefix` finds out first, is much work for a program that runs for a millisecond.
  private static func isLong(_ name: String) -> Bool { name.utf8.starts(with: "--".utf8) }

  /// As a usage line writes it: `[-m TEXT]`, `[--based-on VERSION]...`.
  public var synopsis: String {
    let text = valueName.map { "\(names[0]) \($0)" } ?? names[0]
    return repeats ? "[\(text)]..." : "[\(text)]"
  }
}
