/// What a command is called, takes and does: the one source of its parsing, its help and its completion.
public struct CommandUsage: Sendable {
  /// One word, or two where the first is a group: `save`, `remote add`.
  public let name: String
  public let operands: [OperandUsage]
  /// One line in the imperative, without a full stop.
  public let abstract: String
  public let options: [OptionUsage]
  /// Paragraphs that the help shows below the abstract.
  public let details: [String]
  public let examples: [CommandExample]

  public init(
    _ name: String, operands: [OperandUsage] = [], abstract: String, options: [OptionUsage] = [],
    details: [String] = [], examples: [CommandExample] = []
  ) {
    self.name = name
    self.operands = operands
    self.abstract = abstract
    self.options = options
    self.details = details
    self.examples = examples
  }

  /// The words of the name.
  public var words: [String] {
    name.split(separator: " ").map(String.init)
  }

  /// The first word where there are two.
  public var group: String? {
    let words = words
    return words.count > 1 ? words[0] : nil
  }
}
