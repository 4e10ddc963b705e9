import Catalog
import Versioning

@testable import VersionStore

/// What a device shows of one document.
struct ShownDocument: Equatable {
  let name: String
  /// The current version; of a deleted document its deletion.
  let currentID: RecordID
  /// `nil`: the document is deleted.
  let current: String?
  /// All heads, deletions included.
  let heads: Set<RecordID>
  let headContents: Set<String>
  let conflicts: Set<String>
  /// The contents of the versions that can be opened.
  let openable: [RecordID: String]
  let removed: Set<RecordID>

  /// Looks at the document that some versions belong to; `nil` where the device knows none of them.
  init?(of versions: [RecordID], on repository: Repository) throws {
    guard let path = try Self.path(of: versions, on: repository) else { return nil }
    let history = try repository.documentHistory(of: path)
    let view = history.view
    let heads = view.current == nil ? history.documents.flatMap(\.heads) : view.rivals
    self.name = String(decoding: path.bytes, as: UTF8.self)
    let content = { (version: Version) throws -> String in
      String(decoding: try repository.content(of: version, at: path), as: UTF8.self)
    }
    currentID = history.current.id
    current = try view.current.map(content)
    self.heads = Set(heads.map(\.id))
    headContents = Set(try heads.filter { !$0.record.isDeletion }.map(content))
    let conflicts = try repository.conflicts([path])
    guard conflicts.map(\.version) == view.conflicts else {
      throw ScenarioFailure("\(path) lists other conflicts than it shows")
    }
    self.conflicts = Set(try view.conflicts.filter { !$0.record.isDeletion }.map(content))
    var openable: [RecordID: String] = [:]
    var removed: Set<RecordID> = []
    for entry in try repository.history(of: path, HistoryQuery(includesEverything: true)) {
      guard !entry.version.record.isDeletion else { continue }
      guard entry.state != .removed else {
        removed.insert(entry.version.id)
        try Self.checkClosed(entry.version, at: path, on: repository)
        continue
      }
      openable[entry.version.id] = try content(entry.version)
    }
    self.openable = openable
    self.removed = removed
  }

  /// A removed version must be refused whoever asks.
  private static func checkClosed(_ version: Version, at path: DocumentPath, on repository: Repository) throws {
    do throws(RepositoryError) { _ = try repository.content(of: version, at: path) } catch {
      if case .refused(.removedVersion(version.id)) = error { return }
      throw error
    }
    throw ScenarioFailure("a removed version of \(path) can be opened")
  }

  /// The path of the document that some versions belong to.
  static func path(of versions: [RecordID], on repository: Repository) throws -> DocumentPath? {
    var rows: [DocumentRow] = []
    for id in versions { rows += try repository.store.documentRows(around: id) }
    return rows.map(\.current).greatestFirst().first?.record.path
  }
}
