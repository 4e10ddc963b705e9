/// A command's options and operands, checked against its usage.
///
/// Options may stand before, between and behind operands; `--` ends them. A value follows its option or is joined to
/// it (`-m TEXT`, `-mTEXT`, `--message TEXT`, `--message=TEXT`); flags of one letter combine (`-qz`). A long option
/// may be shortened as long as only one begins so. A lone `-` is an operand.
public struct ParsedArguments: Sendable {
  public private(set) var operands: [[UInt8]] = []
  private let declared: [OptionUsage]
  private var given: [(name: String, value: [UInt8]?)] = []

  /// Parses what follows a command's name.
  ///
  /// - Parameters:
  ///   - usage: the command's; its options hide global ones of the same spelling.
  ///   - invocation: what stood before the command's name, and the global options.
  public init(_ invocation: Invocation, usage: CommandUsage) throws(UsageError) {
    try self.init(
      invocation.remaining, options: usage.options + invocation.globalOptions, given: invocation.given,
      hasEnded: invocation.hasEndedOptions, operands: usage.operands)
  }

  /// Parses arguments of a command without global options.
  public init(_ arguments: [[UInt8]], usage: CommandUsage) throws(UsageError) {
    try self.init(arguments[...], options: usage.options, given: [], hasEnded: false, operands: usage.operands)
  }

  init(
    _ arguments: ArraySlice<[UInt8]>, options: [OptionUsage], given: [(name: String, value: [UInt8]?)],
    hasEnded: Bool, operands: [OperandUsage]
  ) throws(UsageError) {
    declared = options
    self.given = given
    var scanner = OptionScanner(arguments, options: options, hasEnded: hasEnded)
    while let token = try scanner.next() {
      switch token {
      case .operand(let operand): self.operands.append(operand)
      case .option(let name, let value): try note(name, value)
      }
    }
    let asksForInformation = options.contains { $0.isInformational && contains($0.name) }
    if !asksForInformation { try check(operands) }
  }

  /// Whether the option is given.
  public func contains(_ option: String) -> Bool {
    let name = canonicalName(of: option)
    return given.contains { $0.name == name }
  }

  /// The option's value, or `nil` where it isn't given.
  public func value(_ option: String) -> [UInt8]? {
    values(option).last
  }

  /// The values of an option that repeats, in the order given.
  public func values(_ option: String) -> [[UInt8]] {
    let name = canonicalName(of: option)
    return given.compactMap { $0.name == name ? $0.value : nil }
  }

  /// The value as one of these words, or `nil` where the option isn't given.
  public func choice(_ option: String, of words: [String]) throws(UsageError) -> String? {
    guard let value = value(option) else { return nil }
    for word in words where word.utf8.elementsEqual(value) { return word }
    throw .invalidValue(option: option, value: value, expected: "one of " + words.joined(separator: ", "))
  }

  /// The value as a decimal number in the range, or `nil` where the option isn't given.
  public func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = value(option) else { return nil }
    if let number = Self.number(value), range.contains(number) { return number }
    let upper =
      range.upperBound == .max ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    throw .invalidValue(option: option, value: value, expected: "a number \(upper)")
  }

  /// Refuses two options that exclude each other.
  public func checkExclusive(_ options: String...) throws(UsageError) {
    let found = options.filter { contains($0) }
    if found.count > 1 { throw .conflictingOptions(found[0], found[1]) }
  }

  private static func number(_ digits: [UInt8]) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func note(_ name: String, _ value: [UInt8]?) throws(UsageError) {
    guard let option = declared.first(where: { $0.name == name }) else { return }
    if value != nil, !option.repeats, given.contains(where: { $0.name == name }) { throw .repeatedOption(name) }
    given.append((name, value))
  }

  private func check(_ declared: [OperandUsage]) throws(UsageError) {
    let required = declared.filter(\.isRequired)
    if operands.count < required.count { throw .missingOperand(required[operands.count].name) }
    let repeats = declared.contains { $0.repeats }
    if !repeats, operands.count > declared.count { throw .unexpectedOperand(operands[declared.count]) }
  }

  private func canonicalName(of option: String) -> String {
    let declaration = declared.first { $0.names.contains(option) }
    precondition(declaration != nil, "an option that the command doesn't declare is asked for")
    return declaration?.name ?? option
  }
}
