import ArgumentParsing

/// One command: parses, calls the library, prints.
protocol Command {
  static var usage: CommandUsage { get }

  /// The status of every failure, usage errors too, where the command's statuses are not the usual ones.
  static var failureStatus: ExitStatus? { get }

  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work. Errors of the library are thrown as they are: `CommandFailure.init(describing:)` makes a line of them.
  func run(in context: inout CommandContext) throws -> ExitStatus
}

extension Command {
  static var failureStatus: ExitStatus? { nil }
}
