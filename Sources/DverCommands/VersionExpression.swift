import ArgumentParsing

/// A path, perhaps with the version of it that is meant: `PATH`, `PATH@VERSION`.
struct VersionExpression: Equatable, Sendable {
  let path: [UInt8]
  /// `nil` where only a path is given.
  let selector: VersionSelector?

  /// Splits at the last `@`; without one the whole is a path.
  init(parsing text: [UInt8], operand: String = "PATH@VERSION") throws(UsageError) {
    guard let sign = text.lastIndex(of: UInt8(ascii: "@")) else {
      try self.init(path: text, selector: nil, operand: operand)
      return
    }
    guard let selector = VersionSelector(parsing: Array(text[(sign + 1)...])) else {
      throw .invalidOperand(
        operand, value: text,
        expected: VersionSelector.expectation + " behind the last @ (for a path with an @: --at VERSION PATH)")
    }
    try self.init(path: Array(text[..<sign]), selector: selector, operand: operand)
  }

  /// A path as it is, with what `--at` says.
  init(path: [UInt8], selector: VersionSelector?, operand: String = "PATH") throws(UsageError) {
    guard !path.isEmpty, !path.contains(0) else {
      throw .invalidOperand(operand, value: path, expected: "a path")
    }
    self.path = path
    self.selector = selector
  }

  /// Every operand; with `--at` the operands are whole paths, whatever they hold, and each is meant at that version.
  static func operands(of arguments: ParsedArguments) throws(UsageError) -> [VersionExpression] {
    let selector = try VersionSelector(option: "--at", in: arguments)
    var expressions: [VersionExpression] = []
    for operand in arguments.operands {
      if let selector {
        expressions.append(try VersionExpression(path: operand, selector: selector))
      } else {
        expressions.append(try VersionExpression(parsing: operand))
      }
    }
    return expressions
  }

  /// The declaration of `--at`, for commands whose operands may name a version.
  static let atOption = OptionUsage(
    "--at", value: "VERSION", help: "Mean this version; the operand is then a path even if it holds an @")
}
