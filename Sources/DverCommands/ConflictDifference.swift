import Diffing
import VersionStore
import Versioning

/// What the current version and one in conflict with it made of what they have in common.
struct ConflictDifference {
  /// One text, link or entry of a package.
  private struct Part {
    let entry: DocumentPath?
    let description: String?
    /// What is compared: the names of the two, and their contents, `nil` where there is nothing.
    let comparisons: [(role: Role, old: Side, new: Side)]
  }

  private struct Side {
    let name: String
    let bytes: [UInt8]?
  }

  private enum Role: String {
    case current = "currentDiff"
    case conflict = "conflictDiff"
  }

  private let merge: ProposedMerge
  private let names: ConflictNames
  private let parts: [Part]

  /// Content beyond this many bytes is not compared.
  private static let limit: UInt64 = 1 << 28

  init(_ entry: ConflictEntry, in repository: Repository, _ writer: VersionWriter) throws {
    let merge = try repository.proposedMerge(at: entry.path, with: entry.version)
    let names = try ConflictNames(merge, writer)
    self.merge = merge
    self.names = names
    var conflicts = merge.conflicts
    if conflicts.isEmpty, let whole = merge.wholeContent { conflicts = [whole] }
    parts = try conflicts.map { conflict in
      func side(_ name: String, _ entry: PackageEntry?) throws -> Side? {
        if let entry, entry.kind == .folder || entry.size > Self.limit { return nil }
        return Side(name: name, bytes: try entry.map { try repository.content(of: $0) })
      }
      let current = try side(names.current, conflict.current), other = try side(names.other, conflict.other)
      let base = merge.base == nil ? nil : try side(names.base, conflict.base)
      var comparisons: [(role: Role, old: Side, new: Side)] = []
      if let base {
        if let current { comparisons.append((.current, base, current)) }
        if let other { comparisons.append((.conflict, base, other)) }
      } else if let current, let other {
        comparisons = [(.conflict, current, other)]
      }
      let isListed = merge.conflicts.contains(conflict) && (conflict.entry != nil || merge.isChoiceOfVersions)
      return Part(
        entry: conflict.entry, description: isListed ? conflict.description : nil,
        comparisons: merge.isChoiceOfVersions && conflict.reason == .kindsDiffer ? [] : comparisons)
    }
  }

  // MARK: For people

  func write(to output: CommandOutput, isTerminal: Bool) {
    for line in heading() { output.write(line: "    " + line) }
    for part in parts {
      if let description = part.description {
        let name = part.entry.map { TerminalText.path($0.bytes) + ": " } ?? ""
        output.write(line: output.color.bold("  \(name)\(description)"))
      }
      for (_, old, new) in part.comparisons {
        guard let text = text(old, new) else {
          output.write(line: "  \(old.name) and \(new.name): \(Self.size(old)) and \(Self.size(new))")
          continue
        }
        if output.color.isOn || isTerminal {
          output.write(bytes: DiffText.painted(text, output.color).utf8)
        } else {
          output.write(bytes: text)
        }
      }
    }
  }

  /// What the versions come from, and fields that differ.
  private func heading() -> [String] {
    var lines: [String] = []
    switch merge.commonVersionCount {
    case 0: lines.append("no common version")
    case 1 where merge.base == nil: lines.append("the common version is deleted or was removed")
    case 1: break
    default: lines.append("\(merge.commonVersionCount) nearest common versions")
    }
    let (mine, other) = (merge.current.record, merge.other.record)
    if other.isDeletion { return lines }
    if mine.path != other.path {
      lines += field("path", TerminalText.path(mine.path.bytes), TerminalText.path(other.path.bytes)) {
        TerminalText.path($0.path.bytes)
      }
    }
    if mine.kind != other.kind { lines += field("kind", mine.kind.word, other.kind.word) { $0.kind.word } }
    if mine.mode != other.mode, mine.kind == other.kind {
      lines += field("mode", String(mine.mode, radix: 8), String(other.mode, radix: 8)) { String($0.mode, radix: 8) }
    }
    return lines
  }

  private func field(_ name: String, _ mine: String, _ other: String, _ text: (VersionRecord) -> String) -> [String] {
    let before = merge.base.map { ", \(text($0.record)) before" } ?? ""
    return ["\(name): \(mine) in the current, \(other) in the conflict version\(before)"]
  }

  /// The unified diff; `nil` where the contents aren't texts. Empty where they are equal.
  private func text(_ old: Side, _ new: Side) -> [UInt8]? {
    let (before, after) = (old.bytes ?? [], new.bytes ?? [])
    if before == after, old.bytes != nil || new.bytes == nil { return [] }
    if BinaryDetection.isBinary(before) || BinaryDetection.isBinary(after) { return nil }
    return UnifiedDiff.render(
      LineDiff(old: before, new: after), oldLabel: Array(old.name.utf8), newLabel: Array(new.name.utf8))
  }

  private static func size(_ side: Side) -> String {
    side.bytes.map { ByteCount.text(UInt64($0.count)) } ?? "nothing"
  }

  // MARK: JSON

  /// The members that `--diff` adds to a version object.
  func write(to json: inout JSONWriter) {
    json.member("base", merge.base?.id.hexadecimal)
    json.member("commonVersions", merge.commonVersionCount)
    json.member("conflictingFields", strings: merge.fieldConflicts.map(\.rawValue))
    json.member("parts", objects: parts) { json, part in
      if let entry = part.entry { json.path("entry", entry.bytes) } else { json.null("entry") }
      let conflict = merge.conflicts.first { $0.entry == part.entry }
      json.member("reason", conflict?.reason.rawValue)
      for role in [Role.current, .conflict] {
        let found = part.comparisons.first { $0.role == role }.flatMap { text($0.old, $0.new) }
        if let found { json.text(role.rawValue, found) } else { json.null(role.rawValue) }
      }
    }
  }
}
