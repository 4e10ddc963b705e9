/// How a command ends, as the caller's shell sees it; docs/cli.md lists the meanings.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
  let rawValue: Int32

  static let done = ExitStatus(rawValue: 0)
  /// The question's other answer: differences, conflicts, changes, damage found.
  static let otherAnswer = ExitStatus(rawValue: 1)
  static let usage = ExitStatus(rawValue: 2)
  /// What was named does not exist.
  static let notFound = ExitStatus(rawValue: 3)
  /// Refused to protect data, or done in part.
  static let refused = ExitStatus(rawValue: 4)
  static let damage = ExitStatus(rawValue: 5)
  static let remote = ExitStatus(rawValue: 6)
  static let interrupted = ExitStatus(rawValue: 130)
}
