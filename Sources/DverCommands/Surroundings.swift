import SystemIO

/// What the program sees of the world besides the file system: its streams, environment and clocks.
struct Surroundings {
  /// Writes all bytes to descriptor 1 or 2.
  var write: (UnsafeRawBufferPointer, Int32) throws(SystemError) -> Void
  /// The whole of standard input, or an error where it is longer than the limit.
  var readInput: (_ limit: Int) throws(SystemError) -> [UInt8]
  /// The next line of standard input without its line feed, or `nil` at the end; no byte behind it is taken.
  var readLine: () throws(SystemError) -> [UInt8]?
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
      readLine: { () throws(SystemError) in try Self.nextLine() },
      environment: { Environment.value($0) },
      isTerminal: { StandardStream.isTerminal($0) },
      terminalWidth: { StandardStream.terminalWidth($0) },
      wallMilliseconds: { Clock.wallMilliseconds },
      monotonicNanoseconds: { Clock.monotonicNanoseconds })
  }

  /// Writes an array as ``write`` does.
  func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      try write(UnsafeRawBufferPointer(buffer), descriptor)
    }
  }

  /// Byte by byte, since what follows may be for a program that is started meanwhile.
  private static func nextLine() throws(SystemError) -> [UInt8]? {
    let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { byte.deallocate() }
    var line: [UInt8] = []
    while try StandardStream.read(into: byte) > 0 {
      if byte[0] == UInt8(ascii: "\n") { return line }
      if line.count < lineLimit { line.append(byte[0]) }
    }
    return line.isEmpty ? nil : line
  }

  private static let lineLimit = 4096
}
