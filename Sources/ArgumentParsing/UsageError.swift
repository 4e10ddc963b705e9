/// A command line that can't be understood.
///
/// Cases carry what was given as the bytes it was given in; ``message(quoting:)`` makes one line of them.
public enum UsageError: Error, Equatable, Sendable {
  case unknownOption([UInt8], suggestion: String?)
  case ambiguousOption([UInt8], candidates: [String])
  case missingValue(option: String, valueName: String)
  case unexpectedValue(option: String)
  case repeatedOption(String)
  case conflictingOptions(String, String)
  /// One of these must be given.
  case missingOption([String])
  /// `expected` completes "is not …": `a number from 1 to 127`.
  case invalidValue(option: String, value: [UInt8], expected: String)
  case missingOperand(String)
  case unexpectedOperand([UInt8])
  /// `expected` completes "is not …".
  case invalidOperand(String, value: [UInt8], expected: String)
  /// An environment variable; `expected` completes "is not …".
  case invalidVariable(String, value: [UInt8], expected: String)
  case missingCommand
  case unknownCommand([UInt8], suggestion: String?)
  /// A group such as `remote` without what to do, or with a word it doesn't have.
  case missingAction(group: String, actions: [String])
  case unknownAction(group: String, action: [UInt8], actions: [String])
  /// Anything else that only the command can know, as one safe line of our own.
  case other(String)

  /// What is wrong and, where that can be guessed, what was meant; one line if `quote` gives one.
  ///
  /// - Parameter quote: makes text for people of bytes that may hold anything.
  public func message(quoting quote: ([UInt8]) -> String) -> String {
    switch self {
    case .unknownOption(let given, let suggestion):
      "unknown option \(quote(given))" + Self.didYouMean(suggestion)
    case .ambiguousOption(let given, let candidates):
      "ambiguous option \(quote(given)): it may stand for \(Self.list(candidates))"
    case .missingValue(let option, let valueName):
      "option \(option) needs a value, \(valueName)"
    case .unexpectedValue(let option):
      "option \(option) takes no value"
    case .repeatedOption(let option):
      "option \(option) is given twice"
    case .conflictingOptions(let first, let second):
      "options \(first) and \(second) exclude each other"
    case .missingOption(let options):
      "one of the options \(Self.list(options)) is needed"
    case .invalidValue(let option, let value, let expected):
      "option \(option): \(quote(value)) is not \(expected)"
    case .missingOperand(let name):
      "operand \(name) is missing"
    case .unexpectedOperand(let given):
      "unexpected operand \(quote(given))"
    case .invalidOperand(let name, let value, let expected):
      "operand \(name): \(quote(value)) is not \(expected)"
    case .invalidVariable(let name, let value, let expected):
      "variable \(name): \(quote(value)) is not \(expected)"
    case .missingCommand:
      "no command is given"
    case .unknownCommand(let given, let suggestion):
      "unknown command \(quote(given))" + Self.didYouMean(suggestion)
    case .missingAction(let group, let actions):
      "\(group) needs one of \(Self.list(actions))"
    case .unknownAction(let group, let action, let actions):
      "\(group) has no \(quote(action)), only \(Self.list(actions))"
    case .other(let text):
      text
    }
  }

  private static func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { ", did you mean \($0)?" } ?? ""
  }

  private static func list(_ names: [String]) -> String {
    names.joined(separator: ", ")
  }
}
