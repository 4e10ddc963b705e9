import Diffing
import Merging
import VersionStore
import Versioning

/// What the three versions have at a place where two of them conflict.
struct ConflictTexts {
  let conflict: ContentConflict
  /// `nil` where the common version has nothing there, or there is none.
  let base: [UInt8]?
  let current: [UInt8]
  let other: [UInt8]

  init(_ conflict: ContentConflict, in repository: Repository) throws {
    self.conflict = conflict
    base = try conflict.base.map { try repository.content(of: $0) }
    current = try repository.content(of: conflict.current)
    other = try repository.content(of: conflict.other)
  }

  /// Whether the sides are texts that can be merged by lines.
  var isText: Bool {
    conflict.isOfFiles && ![base ?? [], current, other].contains(where: BinaryDetection.isBinary)
  }

  /// Both sides with markers around what differs; `nil` where they aren't texts of one encoding.
  func marked(_ labels: ConflictLabels) -> MarkedText? {
    guard conflict.isOfFiles else { return nil }
    return ConflictMarkers.renderDocument(base: base, ours: current, theirs: other, labels: labels)
  }

  /// Why ``marked(_:)`` has nothing, as words that stand behind a path.
  var obstacle: String {
    guard conflict.isOfFiles else { return conflict.description }
    let outcome = MergeDriver.mergeContents(path: [], base: base ?? [], ours: current, theirs: other)
    return outcome == .refused(.encodingsDiffer)
      ? "the versions are in different encodings" : "the versions are no texts"
  }

  /// Whether a text has lines that can only be markers: as long as those that ``marked(_:)`` writes, which are longer than
  /// whatever looks like one in the versions.
  func leavesMarkers(in text: [UInt8]) -> Bool {
    guard let size = marked(ConflictLabels())?.markerSize else { return false }
    return ConflictMarkers.areLeft(in: text, size: size)
  }
}

/// What people call the sides of a conflict.
struct ConflictNames {
  let current: String
  let base: String
  let other: String

  init(_ merge: ProposedMerge, _ writer: VersionWriter) throws {
    current = try Self.name("current", merge.current, writer)
    base = try merge.base.map { try Self.name("base", $0, writer) } ?? ""
    other = try Self.name("conflict", merge.other, writer)
  }

  private static func name(_ role: String, _ version: Version, _ writer: VersionWriter) throws -> String {
    let device = version.record.device == nil ? "" : " " + TerminalText.line(try writer.deviceName(of: version))
    return "\(role) \(version.id.shortText)\(device)"
  }

  var labels: ConflictLabels {
    ConflictLabels(ours: Array(current.utf8), base: Array(base.utf8), theirs: Array(other.utf8))
  }
}

extension ContentConflict {
  /// What happened, as words that stand behind a path.
  var description: String {
    switch reason {
    case .bothChanged: "both changed it"
    case .bothAdded: "both have it, and no common version has"
    case .deletedInCurrent: "the current version deleted it, the other changed it"
    case .deletedInOther: "the other version deleted it, the current one changed it"
    case .movedApart:
      "one moved it to \(Self.place(current)), the other to \(Self.place(other))"
    case .movedAndDeleted: "one moved it here, the other deleted it"
    case .folderMoved: "one added it to a folder that the other moved"
    case .fileAgainstFolder: "one has a file there, the other a folder"
    case .kindsDiffer: "one has a file there, the other a link or a package"
    }
  }

  private static func place(_ entry: PackageEntry?) -> String { TerminalText.path(entry?.path.bytes ?? []) }
}

extension ProposedMerge {
  /// What somebody has to decide, one line each.
  func descriptions() -> [String] {
    var lines: [String] = []
    if fieldConflicts.contains(.path) {
      let (mine, other) = (TerminalText.path(current.record.path.bytes), TerminalText.path(other.record.path.bytes))
      lines.append("renamed to \(mine) in the current version, to \(other) in the other")
    }
    if fieldConflicts.contains(.mode) {
      lines.append(
        "mode \(String(current.record.mode, radix: 8)) in the current version, "
          + "\(String(other.record.mode, radix: 8)) in the other")
    }
    for conflict in conflicts where conflict.entry != nil || isChoiceOfVersions {
      lines.append((conflict.entry.map { TerminalText.path($0.bytes) + ": " } ?? "") + conflict.description)
    }
    if lines.isEmpty, commonVersionCount != 1, !conflicts.isEmpty {
      lines.append(
        commonVersionCount == 0
          ? "there is no common version" : "there are \(commonVersionCount) nearest common versions")
    }
    return lines
  }
}
