public import SystemIO

/// Runs the `dver` program that was built together with the tests.
public struct CommandRunner: Sendable {
  /// The program's path.
  public let program: FilePath
  /// The program's whole environment, by name; see ``init(program:)``.
  public var environment: [String: String]
  public var folder: FilePath?
  /// After that time the program is killed, and the result says so.
  public var timeoutMilliseconds = 60_000

  /// Runs the program beside the test bundle unless another is given, with no environment but a fixed `PATH`, `HOME`,
  /// `LANG` and `TZ`.
  public init(program: FilePath? = nil, folder: FilePath? = nil) throws(SystemError) {
    // The running test bundle lies in the folder of built products.
    let bundle = FilePath(bytes: try FileSystem.readLink(FilePath("/proc/self/exe")))
    self.program = program ?? (bundle?.parent ?? FilePath(".")).appending("dver")
    self.folder = folder
    environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "TZ": "UTC",
    ]
  }

  /// Runs with arguments as bytes.
  public func run(_ arguments: [[UInt8]], input: [UInt8] = []) throws(SystemError) -> ProcessResult {
    try ChildProcess.run(
      program: program, arguments: arguments, environment: environmentBytes, folder: folder, input: input,
      timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Runs with arguments as text.
  public func run(_ arguments: String..., input: String = "") throws(SystemError) -> ProcessResult {
    try run(arguments.map { Array($0.utf8) }, input: Array(input.utf8))
  }

  /// Starts the program and returns while it runs, with all streams as pipes: for tests that kill it.
  public func spawn(_ arguments: [[UInt8]]) throws(SystemError) -> ChildProcess {
    try ChildProcess.spawn(
      program: program, arguments: arguments, environment: environmentBytes, folder: folder, input: .pipe,
      output: .pipe, errors: .pipe)
  }

  private var environmentBytes: [[UInt8]] {
    environment.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
  }
}

extension ProcessResult {
  /// The output as text; bytes that are no UTF-8 are replaced.
  public var outputText: String { String(decoding: output, as: UTF8.self) }

  /// The errors as text; bytes that are no UTF-8 are replaced.
  public var errorText: String { String(decoding: errors, as: UTF8.self) }
}
