import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// What a group saved, as far as quick saves could go on from it.
struct RecentOffer {
  var documents: [RecentDocument]
  /// Where the group began in the active pack.
  var start: UInt64
  /// Whether the group is one save of a document that stays where it was: it changes nothing for other documents.
  var isAlone: Bool
}

extension Store {
  /// How many documents saved together are kept for quick saves.
  static let offerLimit = 4

  /// Takes away what quick saves rely on, before anything changes that they don't know of.
  func suspendQuickSaves(in folder: PrivateLayout) throws(SystemError) {
    recentOffer = nil
    let recent = RecentSaves(folder)
    recentState = recent.state()
    do throws(SystemError) { try recent.invalidate() } catch {
      // What nobody can read nobody relies on.
      if recentState != nil { throw error }
    }
  }

  /// Brings into the catalog what quick saves knew of working files, once it has their groups.
  ///
  /// - Returns: the state with nothing left to take in, or `nil` where it doesn't fit the active pack.
  @discardableResult
  func takeOver(
    _ state: RecentSaves.State, in folder: PrivateLayout
  ) throws(RepositoryError) -> RecentSaves.State? {
    guard let size = try? FileStatus.of(folder.activePack(state.pack)).size, size == state.byteCount else { return nil }
    guard state.groupCount > 0 else { return state }
    caughtUpGroupCount += state.groupCount
    try transaction { () throws(RepositoryError) in
      for document in RecentSaves(folder).documents(in: state) {
        let path = document.version.record.path
        guard let status = document.status,
          var row = try catalogued({ () throws(CatalogError) in try catalog.file(at: path) }),
          row.base == [document.version.id], row.status == nil
        else { continue }
        row.status = status
        try catalogued { () throws(CatalogError) in try catalog.setFile(row) }
      }
    }
    var caughtUp = state
    caughtUp.groupCount = 0
    return caughtUp
  }

  /// Leaves the saves of the last group for quick ones, at the end of everything else that is done under the lock.
  ///
  /// A failure costs time, no more.
  func resumeQuickSaves() {
    guard lockDepth == 1, let folder = privateLayout, let offer = recentOffer, let writer, !writer.isBroken else {
      return
    }
    let recent = RecentSaves(folder)
    do {
      var kept: [RecentDocument] = []
      for var document in offer.documents.prefix(Self.offerLimit) {
        guard let versionCount = try versionCount(whereAlone: document.version) else { continue }
        if document.version.record.size > RecentDocument.shortByteCount {
          let pack = try PackFile.open(writer.path, name: writer.name)
          guard let end = pack.chainEnd(at: document.object.offset, of: document.version.record.content),
            document.leaveOutContent(where: end)
          else { continue }
        }
        document.versionCount = versionCount
        kept.append(document)
      }
      // A state without documents would only make the next save take the lock twice.
      if kept.isEmpty { return }
      var random = SystemRandom()
      var state = RecentSaves.State(
        generation: random.next(), pack: writer.number, byteCount: writer.byteCount, groupCount: 0)
      // Whatever else the group made, and a document that isn't kept this time, must not leave an older one counting.
      if let known = recentState, offer.isAlone, kept.count == 1, known.pack == writer.number,
        known.byteCount == offer.start
      {
        state.generation = known.generation
      } else {
        recent.clearIfFull()
      }
      for var document in kept {
        document.generation = state.generation
        try recent.keep(document)
      }
      try recent.set(state)
    } catch {}
  }

  /// How many versions a document has, or `nil` unless a version is its only head, no other document claims the path or
  /// belongs to its family, and the working file has it alone as its base.
  private func versionCount(whereAlone version: Version) throws(RepositoryError) -> Int? {
    let path = version.record.path
    return try catalogued { () throws(CatalogError) in
      let claims = try catalog.documents(claiming: path)
      guard let row = claims.first, claims.count == 1, row.isPlain, !row.hasConflict, !row.hasRemovals,
        row.heads.map(\.id) == [version.id], try catalog.documents(inFamily: row.family).count == 1,
        let file = try catalog.file(at: path), file.base == [version.id], file.seen.isEmpty,
        file.unplacedReason == nil, file.spelling == nil
      else { return nil }
      return row.versionCount
    }
  }
}
