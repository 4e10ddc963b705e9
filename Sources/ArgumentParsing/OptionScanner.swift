/// Reads arguments one by one and tells options from operands.
struct OptionScanner {
  enum Token: Equatable {
    /// `name` is the option's ``OptionUsage/name``, however it was spelled.
    case option(name: String, value: [UInt8]?)
    case operand([UInt8])
  }

  private let options: [OptionUsage]
  private(set) var remaining: ArraySlice<[UInt8]>
  /// `--` was read: whatever follows is an operand.
  private(set) var hasEnded: Bool
  private var cluster: ArraySlice<UInt8> = []

  init(_ arguments: ArraySlice<[UInt8]>, options: [OptionUsage], hasEnded: Bool = false) {
    self.options = options
    self.remaining = arguments
    self.hasEnded = hasEnded
  }

  /// The next token, or `nil` at the end.
  mutating func next() throws(UsageError) -> Token? {
    if !cluster.isEmpty { return try nextShort() }
    guard let argument = remaining.popFirst() else { return nil }
    let dash = UInt8(ascii: "-")
    guard !hasEnded, argument.count > 1, argument[0] == dash else { return .operand(argument) }
    if argument == [dash, dash] {
      hasEnded = true
      return try next()
    }
    if argument[1] == dash { return try long(argument) }
    cluster = argument.dropFirst()
    if !options.contains(where: { $0.shortNames.contains(argument[1]) }) {
      throw unknown(argument.count == 2 ? argument : [dash] + argument, given: argument)
    }
    return try nextShort()
  }

  private mutating func nextShort() throws(UsageError) -> Token {
    let letter = cluster.removeFirst()
    guard let option = options.first(where: { $0.shortNames.contains(letter) }) else {
      throw .unknownOption([UInt8(ascii: "-"), letter], suggestion: nil)
    }
    guard option.takesValue else { return .option(name: option.name, value: nil) }
    defer { cluster = [] }
    let value = cluster.isEmpty ? try separateValue(of: option) : Array(cluster)
    return .option(name: option.name, value: value)
  }

  private mutating func long(_ argument: [UInt8]) throws(UsageError) -> Token {
    let parts = argument.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let option = try option(spelled: Array(parts[0]))
    if !option.takesValue {
      if parts.count > 1 { throw .unexpectedValue(option: option.name) }
      return .option(name: option.name, value: nil)
    }
    let value = parts.count > 1 ? Array(parts[1]) : try separateValue(of: option)
    return .option(name: option.name, value: value)
  }

  /// The option of that long name, or of the only one that begins so.
  private func option(spelled given: [UInt8]) throws(UsageError) -> OptionUsage {
    var abbreviated: [OptionUsage] = []
    for option in options {
      for name in option.longNames {
        if name.utf8.elementsEqual(given) { return option }
        if name.utf8.starts(with: given), !abbreviated.contains(where: { $0.name == option.name }) {
          abbreviated.append(option)
        }
      }
    }
    guard let first = abbreviated.first else { throw unknown(given, given: given) }
    if abbreviated.count > 1 { throw .ambiguousOption(given, candidates: abbreviated.map(\.name)) }
    return first
  }

  private mutating func separateValue(of option: OptionUsage) throws(UsageError) -> [UInt8] {
    guard let value = remaining.popFirst() else {
      throw .missingValue(option: option.name, valueName: option.valueName ?? "")
    }
    return value
  }

  private func unknown(_ spelling: [UInt8], given: [UInt8]) -> UsageError {
    let isLong = spelling.count > 2
    let candidates = isLong ? options.flatMap(\.longNames) : []
    return .unknownOption(given, suggestion: EditDistance.closest(to: spelling, among: candidates))
  }
}
