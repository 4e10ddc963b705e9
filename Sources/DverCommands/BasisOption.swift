import ArgumentParsing
import VersionStore
import Versioning

/// What `--based-on` says: which versions an act starts from or settles.
enum BasisOption: Equatable, Sendable {
  /// Not given: what the command acts on by itself.
  case standard
  case versions([VersionSelector])

  static let usage = OptionUsage(
    "--based-on", value: "VERSION", help: "Start from exactly this version; none: from no version", repeats: true)

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let values = arguments.values("--based-on")
    if values.isEmpty {
      self = .standard
      return
    }
    if values.contains(Array("none".utf8)) {
      guard values.count == 1 else { throw .other("option --based-on: none stands alone") }
      self = .versions([])
      return
    }
    var selectors: [VersionSelector] = []
    for value in values {
      guard let selector = VersionSelector(parsing: value) else {
        throw .invalidValue(option: "--based-on", value: value, expected: "none or " + VersionSelector.expectation)
      }
      selectors.append(selector)
    }
    self = .versions(selectors)
  }

  /// Refuses more than one document where versions of one are named.
  func check(_ operands: [[UInt8]]) throws(UsageError) {
    if self != .standard, operands.count != 1 { throw .other("option --based-on needs exactly one PATH") }
  }

  /// The versions themselves.
  func basis(at path: DocumentPath, in repository: Repository, now: Int64) throws -> Basis {
    guard case .versions(let selectors) = self else { return .workingFile }
    return .versions(try selectors.map { try Self.version($0, at: path, in: repository, now: now) })
  }

  private static func version(
    _ selector: VersionSelector, at path: DocumentPath, in repository: Repository, now: Int64
  ) throws -> RecordID {
    let missing: RepositoryError
    do throws(RepositoryError) {
      return try repository.version(selector.asked(now: now), at: path).id
    } catch { missing = error }
    // A version that is there, but of another document, is a mistake of another kind.
    guard case .identifier(let prefix) = selector else { throw missing }
    switch missing {
    case .noSuchVersion, .noSuchDocument:
      let all = try repository.history(HistoryQuery(includesEverything: true))
      let other = all.first { Array($0.version.id.hexadecimal.utf8).starts(with: prefix) }
      guard let other else { throw missing }
      throw UsageError.other(
        "option --based-on: \(other.version.id.shortText) is no version of \(TerminalText.quoted(path.bytes))")
    default: throw missing
    }
  }
}
