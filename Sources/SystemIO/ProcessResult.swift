/// How a program ended, and what it wrote.
public struct ProcessResult: Equatable, Sendable {
  /// The exit status; where a signal ended the program, 128 + its number, as shells count.
  public let status: Int32
  /// The signal that ended the program, if one did.
  public let signal: Int32?
  public let output: [UInt8]
  public let errors: [UInt8]
  /// The program was killed because it ran longer than allowed.
  public let isTimedOut: Bool

  public init(status: Int32, signal: Int32?, output: [UInt8], errors: [UInt8], isTimedOut: Bool = false) {
    self.status = status
    self.signal = signal
    self.output = output
    self.errors = errors
    self.isTimedOut = isTimedOut
  }
}
