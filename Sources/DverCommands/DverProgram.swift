import ArgumentParsing
import SystemIO

/// The program `dver`: from arguments to an exit status.
public enum DverProgram {
  /// As `dver --version` prints it.
  public static let version = "0.1.0"

  /// The arguments of this process, without the program's name.
  public static var processArguments: [[UInt8]] {
    Array(Environment.arguments.dropFirst())
  }

  /// Runs a command of this process and returns its exit status; everything is written when it returns.
  ///
  /// Call it once, from the main thread: it takes over SIGINT, SIGTERM, SIGPIPE and SIGXFSZ.
  public static func run(arguments: [[UInt8]]) -> Int32 {
    Environment.prepareProcess()
    Interruption.install()
    return run(arguments: arguments, surroundings: .process).rawValue
  }

  static func run(arguments: [[UInt8]], surroundings: Surroundings) -> ExitStatus {
    let invocation: Invocation
    do {
      invocation = try Invocation(
        arguments, commands: CommandTable.names, globalOptions: GlobalOptions.usages)
    } catch {
      return refuse(error, command: nil, arguments, surroundings)
    }
    guard let command = invocation.command.flatMap({ CommandTable.command($0) }) else {
      return runWithoutCommand(invocation, arguments, surroundings)
    }
    do throws(UsageError) {
      let parsed = try ParsedArguments(invocation, usage: command.usage)
      let options = try GlobalOptions(parsed, environment: surroundings.environment)
      var context = CommandContext(options: options, surroundings: surroundings)
      if showsInformation(parsed, command: command.usage.name, context.output) { return finish(.done, context.output) }
      return run(try command.init(parsed), in: &context)
    } catch {
      return refuse(error, command: command, arguments, surroundings)
    }
  }

  private static func run<C: Command>(_ command: C, in context: inout CommandContext) -> ExitStatus {
    do {
      return finish(try command.run(in: &context), context.output, failureStatus: C.failureStatus)
    } catch {
      let failure = self.failure(error, of: C.self, context.output)
      guard let failure else { return finish(.done, context.output) }
      context.output.report(failure, command: C.usage.name)
      return C.failureStatus ?? failure.status
    }
  }

  /// What an error comes to; `nil` where the reader of the output has left, which is none.
  private static func failure(
    _ error: any Error, of command: any Command.Type, _ output: CommandOutput
  ) -> CommandFailure? {
    if let error = error as? UsageError {
      return CommandFailure(
        .usage, error.message { TerminalText.quoted($0) },
        advice: "usage: \(CommandTable.helpText.synopsis(of: command.usage))")
    }
    if let failure = output.failure, failure.saysNobodyReads { return nil }
    // A command that says itself what it came to knows better.
    if let failure = error as? CommandFailure, failure.code == .interrupted { return failure }
    return Interruption.isRequested ? CommandFailure(.interrupted, "interrupted") : CommandFailure(describing: error)
  }

  /// Writes what is left; a failure to write is the command's failure, a reader that left is none.
  private static func finish(
    _ status: ExitStatus, _ output: CommandOutput, failureStatus: ExitStatus? = nil
  ) -> ExitStatus {
    output.flush()
    guard let failure = output.failure, !failure.saysNobodyReads else { return status }
    let error = CommandFailure(failure, doing: "writing to standard output")
    output.report(error, command: nil)
    return failureStatus ?? error.status
  }

  /// `dver --help`, `dver --version`, `dver remote --help`; anything else lacks a command.
  private static func runWithoutCommand(
    _ invocation: Invocation, _ arguments: [[UInt8]], _ surroundings: Surroundings
  ) -> ExitStatus {
    do throws(UsageError) {
      let parsed = try invocation.globalArguments()
      let options = try GlobalOptions(parsed, environment: surroundings.environment)
      let output = CommandContext(options: options, surroundings: surroundings).output
      if showsInformation(parsed, command: invocation.group, output) { return finish(.done, output) }
      guard let group = invocation.group else { throw .missingCommand }
      throw .missingAction(
        group: group, actions: CommandTable.usages.filter { $0.group == group }.map { $0.words[1] })
    } catch {
      return refuse(error, command: nil, arguments, surroundings)
    }
  }

  private static func showsInformation(
    _ arguments: ParsedArguments, command: String?, _ output: CommandOutput
  ) -> Bool {
    if arguments.contains("--help") {
      let page = command.flatMap { CommandTable.page(of: $0) } ?? CommandTable.overview
      output.write(bytes: page.utf8)
      return true
    }
    guard arguments.contains("--version") else { return false }
    if output.isJSON {
      output.write(object: { json in
        json.member("program", "dver")
        json.member("version", version)
      })
    } else {
      output.write(line: "dver \(version)")
    }
    return true
  }

  /// Reports a usage error in one line that ends with the usage.
  private static func refuse(
    _ error: UsageError, command: (any Command.Type)?, _ arguments: [[UInt8]], _ surroundings: Surroundings
  ) -> ExitStatus {
    let usage =
      command.map { CommandTable.helpText.synopsis(of: $0.usage) } ?? "dver COMMAND [ARGUMENT]..., see dver help"
    let failure = CommandFailure(
      .usage, error.message { TerminalText.quoted($0) }, advice: "usage: \(usage)")
    let output = CommandOutput(
      isJSON: GlobalOptions.asksForJSON(arguments), isQuiet: false,
      color: Color(.never, noColor: nil, isTerminal: false), surroundings: surroundings)
    output.report(failure, command: command?.usage.name)
    return command?.failureStatus ?? .usage
  }
}
