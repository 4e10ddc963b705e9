import SystemIO

/// What the program sees of the world besides the file system: its streams, environment and clocks.
struct Surroundings {
  /// Writes all bytes to descriptor 1 or 2.
  var write: ([UInt8], Int32) throws(SystemError) -> Void
  /// The whole of standard input, or an error where it is longer than the limit.
  var readInput: (_ limit: Int) throws(SystemError) -> [UInt8]
  var environment: (String) -> [UInt8]?
  var isTerminal: (Int32) -> Bool
  /// Columns of the terminal on the descriptor, or `nil`.
  var terminalWidth: (Int32) -> Int?
  var wallMilliseconds: () -> Int64
  var monotonicNanoseconds: () -> UInt64

  /// Those of this process.
  static var process: Surroundings {
    Surroundings(
      write: { bytes, descriptor throws(SystemError) in try StandardStream.write(bytes, to: descriptor) },
      readInput: { limit throws(SystemError) in try StandardStream.readAll(limit: limit) },
      environment: { Environment.value($0) },
      isTerminal: { StandardStream.isTerminal($0) },
      terminalWidth: { StandardStream.terminalWidth($0) },
      wallMilliseconds: { Clock.wallMilliseconds },
      monotonicNanoseconds: { Clock.monotonicNanoseconds })
  }
}
