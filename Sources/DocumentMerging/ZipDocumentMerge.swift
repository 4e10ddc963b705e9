internal import Archives
internal import Merging

/// A three-way merge of zip documents by the names of their members.
///
/// What one side changed is taken as that side stored it. What both changed is merged by content. One member in conflict
/// makes the whole document one; nothing is ever half merged.
struct ZipDocumentMerge {
  /// Where a member of the result comes from.
  enum Part {
    case ours
    case theirs
    case merged([UInt8])
  }

  private let base: ZipDocumentSide
  private let ours: ZipDocumentSide
  private let theirs: ZipDocumentSide
  private let format: ZipDocumentFormat
  private var parts: [[UInt8]: Part] = [:]
  private var changes = ChangedMembers()
  private var conflictCount = 0

  /// Merges three archives; conflicts have no regions.
  static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> MergeOutcome {
    let refused = MergeOutcome.conflict(count: 1, regions: [])
    guard let base = ZipDocumentSide(base), let ours = ZipDocumentSide(ours), let theirs = ZipDocumentSide(theirs),
      let comment = FieldMerge(
        base: base.archive.comment, ours: ours.archive.comment, theirs: theirs.archive.comment
      ).value
    else { return refused }
    let format = ZipDocumentFormat(ours.archive)
    guard format == ZipDocumentFormat(theirs.archive), format == ZipDocumentFormat(base.archive) else {
      return refused
    }
    var merge = ZipDocumentMerge(base: base, ours: ours, theirs: theirs, format: format)
    do throws(ZipError) {
      let names = merge.names
      for name in names { try merge.decide(name) }
      guard merge.conflictCount == 0 else { return .conflict(count: merge.conflictCount, regions: []) }
      guard merge.changes.areIndependent else { return refused }
      let result = try merge.write(names, comment: comment)
      return try merge.isWhole(result) ? .clean(result) : refused
    } catch {
      return refused
    }
  }

  private init(
    base: ZipDocumentSide, ours: ZipDocumentSide, theirs: ZipDocumentSide, format: ZipDocumentFormat
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.format = format
  }

  /// All names: in the order of ours, each that only others have behind the one it follows there.
  private var names: [[UInt8]] {
    var names = ours.archive.members.map(\.name)
    for other in [theirs, base] {
      var after: [[UInt8]?: [[UInt8]]] = [:]
      var anchor: [UInt8]?
      let known = Set(names)
      for member in other.archive.members {
        if known.contains(member.name) { anchor = member.name } else { after[anchor, default: []].append(member.name) }
      }
      names = (after[nil] ?? []) + names.flatMap { [$0] + (after[$0] ?? []) }
    }
    return names
  }

  /// Decides about one member.
  private mutating func decide(_ name: [UInt8]) throws(ZipError) {
    if ours.storesAlike(name, theirs) || base.storesAlike(name, theirs) {
      if !base.storesAlike(name, ours) {
        changes.note(name, base: try base.content(name), ours: try ours.content(name), theirs: try theirs.content(name))
      }
      return take(name, .ours)
    }
    let old = try base.content(name)
    let mine = try ours.content(name)
    let other = try theirs.content(name)
    changes.note(name, base: old, ours: mine, theirs: other)
    if base.storesAlike(name, ours) || (mine == old && other != old) { return take(name, .theirs) }
    if other == old || mine == other { return take(name, .ours) }
    guard let old, let mine, let other else { return conflictCount += 1 }
    guard let merged = merged(name, old, mine, other) else { return conflictCount += 1 }
    switch merged {
    case mine: take(name, .ours)
    case other: take(name, .theirs)
    default: parts[name] = .merged(merged)
    }
  }

  private mutating func take(_ name: [UInt8], _ part: Part) {
    let side = if case .theirs = part { theirs } else { ours }
    if side[name] != nil { parts[name] = part }
  }

  /// The member merged by its content.
  private func merged(_ name: [UInt8], _ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    let text = String(decoding: name, as: UTF8.self)
    if format.isBookkeeping(text) { return ours }
    if [base, ours, theirs].allSatisfy(XMLTags.isLikely) {
      return XMLMerge.merge(base: base, ours: ours, theirs: theirs, volatile: format.volatileElements(of: text))
    }
    guard case .clean(let merged) = MergeDriver.mergeContents(path: name, base: base, ours: ours, theirs: theirs) else {
      return nil
    }
    return merged
  }

  private func write(_ names: [[UInt8]], comment: [UInt8]) throws(ZipError) -> [UInt8] {
    var writer = ZipWriter()
    let mimetype = Array("mimetype".utf8)
    var rest = names
    if format.needsMimetypeFirst, parts[mimetype] != nil {
      rest.removeAll { $0 == mimetype }
      try write(mimetype: mimetype, to: &writer)
    }
    for name in rest {
      guard let part = parts[name] else { continue }
      switch part {
      case .ours: if let member = ours[name] { try writer.append(member, of: ours.archive) }
      case .theirs: if let member = theirs[name] { try writer.append(member, of: theirs.archive) }
      case .merged(let content):
        guard let mine = ours[name], let other = theirs[name] else { continue }
        try writer.append(other.modified > mine.modified ? other : mine, content: content)
      }
    }
    return try writer.finish(comment: comment)
  }

  /// Writes the member by which programs know the format: its bytes begin at offset 38.
  private func write(mimetype name: [UInt8], to writer: inout ZipWriter) throws(ZipError) {
    let side = if case .theirs? = parts[name] { theirs } else { ours }
    guard let member = side[name] else { return }
    if member.method == .stored, member.localExtra.isEmpty, !member.flags.contains(.hasDescriptor) {
      return try writer.append(member, of: side.archive)
    }
    let content: [UInt8]
    if case .merged(let merged)? = parts[name] {
      content = merged
    } else {
      content = try side.archive.content(of: member)
    }
    var new = ZipMember(name: name, method: .stored, modified: member.modified)
    new.externalAttributes = member.externalAttributes
    new.versionMadeBy = member.versionMadeBy
    try writer.append(new, content: content)
  }

  /// Whether the archive that was written reads back as what was decided.
  private func isWhole(_ bytes: [UInt8]) throws(ZipError) -> Bool {
    guard let result = ZipDocumentSide(bytes), result.archive.members.count == parts.count else { return false }
    for (name, part) in parts {
      let content = try result.content(name)
      let expected: [UInt8]?
      switch part {
      case .ours: expected = try ours.content(name)
      case .theirs: expected = try theirs.content(name)
      case .merged(let merged): expected = merged
      }
      guard content != nil, content == expected else { return false }
    }
    return true
  }
}

extension FieldMerge {
  fileprivate var value: Value? {
    if case .clean(let value) = self { return value }
    return nil
  }
}
