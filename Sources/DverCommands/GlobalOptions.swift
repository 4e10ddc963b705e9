import ArgumentParsing

/// The options that every command takes, and what the environment says in their place.
struct GlobalOptions: Sendable {
  static let usages = [
    OptionUsage("-C", value: "DIR", help: "Work as if started in DIR", completion: .folders),
    OptionUsage("--json", help: "Write JSON Lines, errors too"),
    OptionUsage("-q", "--quiet", help: "Write results and errors only"),
    OptionUsage(
      "--color", value: "WHEN", help: "Colour the output", completion: .choices(WhenToShow.allCases.map(\.rawValue))),
    OptionUsage(
      "--progress", value: "WHEN", help: "Show progress on standard error",
      completion: .choices(WhenToShow.allCases.map(\.rawValue))),
    OptionUsage("--lock-timeout", value: "SECONDS", help: "Wait so long for another dver in this store"),
    OptionUsage("--help", help: "Show this help", isInformational: true),
    OptionUsage("--version", help: "Show the version of dver", isInformational: true),
  ]

  private static let secondsExpectation = "a number of seconds"
  static let defaultLockTimeoutMilliseconds = 10_000

  var folder: [UInt8]?
  var isJSON = false
  var isQuiet = false
  var color = WhenToShow.auto
  var progress = WhenToShow.auto
  var lockTimeoutMilliseconds = defaultLockTimeoutMilliseconds
  /// The time that stands for the clock's, in milliseconds since 1970.
  var fixedNow: Int64?
  var deviceName: [UInt8]?

  init(_ arguments: ParsedArguments, environment: (String) -> [UInt8]?) throws(UsageError) {
    folder = arguments.value("-C")
    if let folder, folder.isEmpty || folder.contains(0) {
      throw .invalidValue(option: "-C", value: folder, expected: "a folder")
    }
    isJSON = arguments.contains("--json")
    isQuiet = arguments.contains("--quiet")
    color = try Self.when("--color", in: arguments)
    progress = try Self.when("--progress", in: arguments)
    if let value = environment("DVER_LOCK_TIMEOUT"), !value.isEmpty {
      guard let milliseconds = Self.milliseconds(value) else {
        throw .invalidVariable("DVER_LOCK_TIMEOUT", value: value, expected: Self.secondsExpectation)
      }
      lockTimeoutMilliseconds = milliseconds
    }
    if let value = arguments.value("--lock-timeout") {
      guard let milliseconds = Self.milliseconds(value) else {
        throw .invalidValue(option: "--lock-timeout", value: value, expected: Self.secondsExpectation)
      }
      lockTimeoutMilliseconds = milliseconds
    }
    if let value = environment("DVER_NOW"), !value.isEmpty {
      guard let now = TimeParser.instant(value) else {
        throw .invalidVariable("DVER_NOW", value: value, expected: "RFC 3339 or milliseconds since 1970")
      }
      fixedNow = now
    }
    deviceName = environment("DVER_DEVICE_NAME").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether errors are wanted as JSON, for a command line that may be wrong elsewhere.
  static func asksForJSON(_ arguments: [[UInt8]]) -> Bool {
    arguments.prefix { !$0.elementsEqual("--".utf8) }.contains { argument in
      argument.count > 2 && "--json".utf8.starts(with: argument)
    }
  }

  private static func when(_ option: String, in arguments: ParsedArguments) throws(UsageError) -> WhenToShow {
    let word = try arguments.choice(option, of: WhenToShow.allCases.map(\.rawValue))
    return word.flatMap(WhenToShow.init(rawValue:)) ?? .auto
  }

  /// Seconds with at most three digits behind a point.
  private static func milliseconds(_ text: [UInt8]) -> Int? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? Array(parts[1]) : []
    let digits = parts[0] + fraction + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 3 - fraction.count))
    guard 1...7 ~= parts[0].count, fraction.count <= 3, parts.count == 1 || !fraction.isEmpty,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let milliseconds = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return milliseconds
  }
}
