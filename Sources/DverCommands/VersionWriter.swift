import ArgumentParsing
import Hashing
import VersionStore
import Versioning

/// Writes versions: as the objects of the contract with `--json`, else as lines for people.
final class VersionWriter {
  let output: CommandOutput
  private let repository: Repository
  private var deviceNames: [DeviceID: [UInt8]] = [:]
  /// The settled conflict versions of the documents met so far.
  private var settled: [DocumentID: Set<RecordID>] = [:]

  init(_ repository: Repository, _ output: CommandOutput) {
    self.repository = repository
    self.output = output
  }

  /// What the devices call themselves; empty for an automatic merge.
  func deviceName(of version: Version) throws -> [UInt8] {
    guard let device = version.record.device else { return [] }
    if let name = deviceNames[device] { return name }
    let name = try repository.store.name(of: device)
    deviceNames[device] = name
    return name
  }

  /// Whether a version was in conflict and that is settled; a head isn't settled.
  private func isSettled(_ version: Version, _ state: VersionState) throws -> Bool {
    guard state == .history || state == .removed else { return false }
    if let known = settled[version.record.document] { return known.contains(version.id) }
    let found = try repository.settledVersions(near: version)
    settled[version.record.document] = found
    return found.contains(version.id)
  }

  // MARK: JSON

  /// One version object.
  ///
  /// - Parameter more: members that a command adds at the end.
  func writeObject(
    _ version: Version, state: VersionState, isLocal: Bool, more: (inout JSONWriter) -> Void = { _ in }
  ) throws {
    let isResolved = try isSettled(version, state)
    let name = try deviceName(of: version)
    output.write { json in
      Self.members(of: version, deviceName: name, state: state, isResolved: isResolved, isLocal: isLocal, to: &json)
      more(&json)
    }
  }

  /// The members of a version object, in the order of the contract.
  static func members(
    of version: Version, deviceName: [UInt8], state: VersionState, isResolved: Bool, isLocal: Bool,
    to json: inout JSONWriter
  ) {
    let record = version.record
    json.member("version", version.id.hexadecimal)
    json.member("document", record.document.hexadecimal)
    json.path("path", record.path.bytes)
    json.member("kind", record.kind.word)
    json.member("state", state.rawValue)
    json.member("parents", strings: record.parents.map(\.hexadecimal))
    json.member("content", record.content?.hexadecimal)
    json.member("size", record.size)
    json.member("mode", String(record.mode, radix: 8))
    json.time("modifiedAt", seconds: record.modificationTime.seconds, nanoseconds: record.modificationTime.nanoseconds)
    json.time("savedAt", milliseconds: record.wallTime)
    if let device = record.device {
      json.member(
        "device",
        object: { json in
          json.member("id", device.hexadecimal)
          json.text("name", deviceName)
        })
    } else {
      json.null("device")
    }
    json.member("origin", record.origin.word)
    json.text("message", record.message)
    json.member("isConflict", state == .conflict)
    json.member("isResolved", isResolved)
    json.member("isLocal", isLocal)
  }

  // MARK: What a command made

  /// Versions that a command made, one a line: a verb, the path, the id and the size.
  ///
  /// - Parameters:
  ///   - verb: for instance `saved`; deletions and renames are named as such.
  ///   - isNullTerminated: paths alone, for `-z`.
  func writeMade(_ versions: [Version], verb: String, isNullTerminated: Bool = false) throws {
    if output.isJSON {
      for version in versions { try writeObject(version, state: try repository.state(of: version), isLocal: true) }
      return
    }
    if isNullTerminated {
      for version in versions { output.write(path: version.record.path.bytes, isNullTerminated: true) }
      return
    }
    var table = TextTable()
    for version in versions {
      let (verb, path) = try description(of: version, verb: verb)
      table.add(Self.cells(version, verb, path, output.color))
    }
    for line in table.lines() { output.write(line: line) }
  }

  /// The line of one version that was saved at the path where its document was before.
  static func writeSaved(_ version: Version, to output: CommandOutput) {
    var table = TextTable()
    table.add(cells(version, "saved", TerminalText.path(version.record.path.bytes), output.color))
    for line in table.lines() { output.write(line: line) }
  }

  private static func cells(_ version: Version, _ verb: String, _ path: String, _ color: Color) -> [TextTable.Cell] {
    let isDeletion = version.record.isDeletion
    return [
      TextTable.Cell(verb) { isDeletion ? color.red($0) : color.green($0) }, TextTable.Cell(path),
      TextTable.Cell(version.id.shortText, paint: color.yellow),
      TextTable.Cell(isDeletion ? "" : ByteCount.text(version.record.size), isRight: true),
    ]
  }

  private func description(of version: Version, verb: String) throws -> (verb: String, path: String) {
    let path = TerminalText.path(version.record.path.bytes)
    if version.record.isDeletion { return ("deleted", path) }
    guard [.save, .rename].contains(version.record.origin), let parent = version.record.parents.first,
      let earlier = try repository.store.version(parent), earlier.record.path != version.record.path,
      !earlier.record.isDeletion
    else { return (verb, path) }
    return ("renamed", TerminalText.path(earlier.record.path.bytes) + " -> " + path)
  }
}

extension Repository {
  /// How a version stands among the others of its path now.
  func state(of version: Version) throws -> VersionState {
    let view = try view(of: version.record.path)
    if let current = view.current {
      if current.id == version.id { return .current }
      if view.conflicts.contains(where: { $0.id == version.id }) { return .conflict }
      let isEqualHead = view.claimants.contains { $0.heads.contains { $0.id == version.id } }
      return isEqualHead && version.record.appearance == current.record.appearance ? .current : .history
    }
    let isCurrent = try deletedDocuments(at: version.record.path).contains { $0.current.id == version.id }
    return isCurrent ? .current : .history
  }
}

/// `-z`: paths as their bytes, with zero bytes behind.
enum NullOption {
  static let usage = OptionUsage("-z", "--null", help: "Write paths only, each as its bytes with a zero byte behind")

  static func isGiven(_ arguments: ParsedArguments) -> Bool { arguments.contains("--null") }
}

/// `--reread`.
enum RereadOption {
  static let name = "--reread"
  static let usage = OptionUsage(name, help: "Read every file again, even where its times say that it is unchanged")
}

/// `-m TEXT`.
enum MessageOption {
  static let usage = OptionUsage("-m", "--message", value: "TEXT", help: "Keep this text with the version")

  static func value(_ arguments: ParsedArguments) throws(UsageError) -> [UInt8] {
    let message = arguments.value("--message") ?? []
    if message.count > VersionRecord.maximumMessageByteCount {
      throw .other("option --message: a message has at most \(VersionRecord.maximumMessageByteCount) bytes")
    }
    return message
  }
}
