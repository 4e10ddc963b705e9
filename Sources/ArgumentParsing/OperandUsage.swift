/// An operand that a command takes.
public struct OperandUsage: Sendable {
  /// Upper case, as the help writes it: `PATH`.
  public let name: String
  public let isRequired: Bool
  /// May stand more than once; only a command's last operand does.
  public let repeats: Bool
  public let completion: Completion

  public init(_ name: String, isRequired: Bool, repeats: Bool = false, completion: Completion = .nothing) {
    self.name = name
    self.isRequired = isRequired
    self.repeats = repeats
    self.completion = completion
  }

  /// Exactly one.
  public static func required(_ name: String, _ completion: Completion = .nothing) -> OperandUsage {
    OperandUsage(name, isRequired: true, completion: completion)
  }

  /// None or one.
  public static func optional(_ name: String, _ completion: Completion = .nothing) -> OperandUsage {
    OperandUsage(name, isRequired: false, completion: completion)
  }

  /// Any number, none too.
  public static func any(_ name: String, _ completion: Completion = .nothing) -> OperandUsage {
    OperandUsage(name, isRequired: false, repeats: true, completion: completion)
  }

  /// One or more.
  public static func some(_ name: String, _ completion: Completion = .nothing) -> OperandUsage {
    OperandUsage(name, isRequired: true, repeats: true, completion: completion)
  }

  /// As a usage line writes it: `PATH`, `[PATH]`, `PATH...`, `[PATH...]`.
  public var synopsis: String {
    let text = repeats ? name + "..." : name
    return isRequired ? text : "[\(text)]"
  }
}
