/// A command line that the help shows, with what it does.
public struct CommandExample: Sendable {
  public let line: String
  public let explanation: String

  public init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
