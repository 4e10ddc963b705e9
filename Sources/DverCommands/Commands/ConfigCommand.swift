import ArgumentParsing
import VersionStore
import Versioning

/// Shows or changes settings that all devices share.
struct ConfigCommand: Command {
  private static let keys = SettingKey.all.map { String(decoding: $0, as: UTF8.self) }

  static let usage = CommandUsage(
    "config", operands: [.optional("KEY", .choices(keys)), .optional("VALUE")],
    abstract: "Show or change settings that all devices share",
    options: [OptionUsage("--unset", help: "Go back to the default of KEY")],
    details: [
      "Without VALUE the value of KEY is shown, without KEY every setting.",
      "merge.granularity: line, or word, by which edits in different sentences of one line merge; line by default.",
      "packages: patterns of folders that are one document each, separated by blanks; empty by default.",
      "merge.tool: the tool that dver merge --with-tool runs, one of "
        + KnownMergeTool.allCases.map(\.rawValue).joined(separator: ", ") + ".",
    ],
    examples: [CommandExample("dver config packages '*.rtfd *.bundle'", "Keeps such folders as documents.")])

  private static let valueLimit = 65_536

  let key: [UInt8]?
  let value: [UInt8]?
  let isUnset: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    key = arguments.operands.first
    value = arguments.operands.dropFirst().first
    isUnset = arguments.contains("--unset")
    if isUnset, let value { throw .unexpectedOperand(value) }
    if isUnset, key == nil { throw .missingOperand("KEY") }
    if let key, !SettingKey.all.contains(key) {
      throw .invalidOperand("KEY", value: key, expected: "one of " + Self.keys.joined(separator: ", "))
    }
    if let key, let value, let choices = SettingKey.choices(of: key), !choices.contains(value) {
      let expected = choices.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " or ")
      throw .invalidOperand("VALUE", value: value, expected: expected)
    }
    if key == SettingKey.mergeTool, let value, KnownMergeTool(rawValue: String(decoding: value, as: UTF8.self)) == nil {
      let names = KnownMergeTool.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidOperand("VALUE", value: value, expected: "one of \(names): name a command with dver merge --tool")
    }
    if let value, value.count > Self.valueLimit || value.contains(0) {
      throw .other("operand VALUE has more than \(Self.valueLimit) bytes, or a zero byte")
    }
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let isChange = value != nil || isUnset
    let repository = try context.repository(isChange ? .writing : .reading)
    if let key, isChange {
      if try repository.setting(key) != value { try repository.setSetting(key, to: value) }
      return .done
    }
    var settings: [(key: [UInt8], value: [UInt8]?)] = []
    for known in SettingKey.all where key == nil || key == known {
      settings.append((known, try repository.setting(known)))
    }
    if key == nil {
      for other in try repository.settings() where !SettingKey.all.contains(other.key) && other.value != nil {
        settings.append((other.key, other.value))
      }
    }
    for (name, value) in settings {
      if context.output.isJSON {
        context.output.write { json in
          json.text("key", name)
          if let value { json.text("value", value) } else { json.null("value") }
        }
      } else {
        let text = TerminalText.line(value ?? [])
        context.output.write(line: key == nil ? "\(TerminalText.line(name)) = \(text)".droppingTrailingSpaces : text)
      }
    }
    return .done
  }
}
