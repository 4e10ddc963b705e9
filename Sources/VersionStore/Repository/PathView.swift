import Catalog
public import Versioning

/// A document with its heads.
public struct ClaimingDocument: Hashable, Sendable {
  public let document: DocumentID
  /// All heads, the greatest first; at least one.
  public let heads: [Version]
  public let current: Version
  let family: Int64

  init(_ row: DocumentRow) {
    document = row.document
    heads = row.heads
    current = row.current
    family = row.family
  }

  /// As a row of the catalog, as far as a status needs it.
  var row: DocumentRow {
    DocumentRow(
      document: document, family: family, heads: heads, isPlain: false, hasConflict: !conflicts.isEmpty, versionCount: 0
    )
  }

  /// The other heads that differ from the current version, the greatest first; equal ones as one.
  public var conflicts: [Version] { Array(heads.shown().dropFirst()) }
}

/// A path as it is shown: the documents that claim it (R14), with their conflicts.
public struct PathView: Sendable {
  public let path: DocumentPath
  /// The documents whose current version has the path; the greatest current version first.
  public let claimants: [ClaimingDocument]

  init(path: DocumentPath, claimants: [ClaimingDocument]) {
    self.path = path
    self.claimants = claimants.sorted { $0.current.isGreater(than: $1.current) }
  }

  /// The path's current version; `nil` where no document claims it.
  public var current: Version? { claimants.first?.current }

  /// The document that the path's current version belongs to.
  public var document: ClaimingDocument? { claimants.first }

  /// All heads of the current version's document, and the current versions of other documents at the path.
  var rivals: [Version] {
    var rivals = document?.heads ?? []
    rivals += claimants.dropFirst().map(\.current)
    return rivals
  }

  /// The unresolved conflict versions of the path, the greatest first; equal ones as one, none equal to the current version.
  public var conflicts: [Version] { Array(rivals.greatestFirst().shown().filter { $0.id != current?.id }) }

  public var hasConflict: Bool { !conflicts.isEmpty }

  /// The versions equal to the current one, which are its base together (R9): the current one first, the rest ascending.
  var base: [RecordID] {
    guard let current else { return [] }
    let equal = rivals.filter { $0.record.appearance == current.record.appearance && $0.id != current.id }.map(\.id)
    return [current.id] + Set(equal).sorted()
  }

  /// What somebody sees who is shown the current version: every other head, ascending (R11).
  var seen: [RecordID] {
    Set(rivals.map(\.id)).subtracting(current.map { [$0.id] } ?? []).sorted()
  }
}
