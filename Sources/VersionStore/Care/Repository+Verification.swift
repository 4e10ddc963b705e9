import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// What a check of the store found.
public struct VerificationReport: Sendable {
  /// One line for people on each fault.
  public var damages: [String] = []
  public var packs = 0
  public var objects = 0
  public var records = 0
  /// Versions whose content this device doesn't have, though nothing gave it up.
  public var missingContents = 0

  public var isClean: Bool { damages.isEmpty }
}

extension Repository {
  /// Checks every pack, record and link; unless quick, also every content against its hash.
  public func verify(isQuick: Bool, progress: (Int, Int) -> Void = { _, _ in }) throws(RepositoryError)
    -> VerificationReport
  {
    // Packs that go meanwhile, since somebody seals or compacts, are no damage: then it is done once more.
    for _ in 0..<Self.mostVerifications - 1 {
      let before = try packNames()
      let report = try verifyOnce(isQuick: isQuick, progress: progress)
      if report.isClean { return report }
      if try packNames() == before { return report }
      store.forgetPacks()
    }
    return try verifyOnce(isQuick: isQuick, progress: progress)
  }

  private static let mostVerifications = 4

  private func packNames() throws(RepositoryError) -> Set<CatalogPackName> {
    Set(try store.catalogued { () throws(CatalogError) in try store.catalog.packs() }.map(\.name))
  }

  private func verifyOnce(isQuick: Bool, progress: (Int, Int) -> Void) throws(RepositoryError) -> VerificationReport {
    var report = VerificationReport()
    var sound: Set<ObjectID> = []
    let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.packs() }
    for (place, row) in rows.enumerated() {
      progress(place, rows.count)
      sound.formUnion(verify(row, isQuick: isQuick, &report))
    }
    for id in try store.sealedPacks() where !rows.contains(where: { $0.name == .sealed(id.digest) }) {
      let name = PackName.sealed(id)
      guard let file = try? PackFile.open(store.path(of: name), name: name), file.hasItsName() else {
        report.damages.append("pack \(id.digest.hexadecimal.prefix(12)) does not hold what its name says")
        continue
      }
    }
    try verifyPacksLeftOut(&report)
    try verifyLogs(&report)
    try verifyDocuments(isQuick: isQuick, sound, &report)
    progress(rows.count, rows.count)
    return report
  }

  /// - Returns: the blobs of a pack without fault whose bytes were read and have the right hash.
  private func verify(_ row: PackRow, isQuick: Bool, _ report: inout VerificationReport) -> [ObjectID] {
    let name = PackName(row.name)
    report.packs += 1
    var sound: [ObjectID] = []
    do throws(ObjectStoreError) {
      let file = try PackFile.open(store.path(of: name), name: name)
      if file.byteCount < row.absorbedByteCount {
        report.damages.append("\(name) is shorter than it was")
      }
      let damages = file.verify(deep: !isQuick) { (id, kind) throws(ObjectStoreError) in
        try store.objects.base(id, kind)
      }
      for damage in damages {
        let place = damage.offset.map { " at byte \($0)" } ?? ""
        report.damages.append("\(name)\(place): \(damage.reason)")
      }
      var places: [UInt64] = []
      try file.forEachEntry { (entry) throws(ObjectStoreError) in
        if let object = entry.object {
          report.objects += 1
          if !isQuick, damages.isEmpty, object.kind == .blob { sound.append(object.id) }
        }
        if entry.record != nil { places.append(entry.offset) }
      }
      // What another process saved since is in the pack, and not yet in the catalog.
      for offset in places where name.isSealed || offset < row.absorbedByteCount {
        verifyRecord(at: RecordPlace(pack: row.number, offset: offset), in: name, &report)
      }
    } catch {
      report.damages.append("\(name) can't be read: \(RepositoryError.objects(error).summary)")
    }
    return sound
  }

  /// Checks that a record can be read and counts.
  private func verifyRecord(at place: RecordPlace, in pack: PackName, _ report: inout VerificationReport) {
    do throws(RepositoryError) {
      let record = try store.record(at: place)
      guard try store.families(ofRecord: record.id).isEmpty else { return }
      report.damages.append(
        "\(pack) at byte \(place.offset): record \(record.id.hexadecimal.prefix(12)) stands on something that is missing"
      )
    } catch {
      report.damages.append("\(pack) at byte \(place.offset): \(error.summary)")
    }
  }

  /// Checks that packs of this store's own devices which the catalog doesn't list stand on nothing that is missing.
  ///
  /// They are left out by whoever makes the catalog anew, and with them all that stands on them.
  private func verifyPacksLeftOut(_ report: inout VerificationReport) throws(RepositoryError) {
    let owners = Set(try Store.privateFolders(in: store.layout).map { $0.0.bytes })
    var cache = RecordCache()
    var records: [(pack: PackID, record: IdentifiedRecord)] = []
    for (place, id) in try store.sealedPacks().enumerated() where try !store.holdsPack(id.digest) {
      let name = PackName.sealed(id)
      guard let file = try? PackFile.open(store.path(of: name), name: name), owners.contains(file.header.device) else {
        continue
      }
      var offsets: [UInt64] = []
      do throws(ObjectStoreError) {
        try file.forEachRecord { (entry) throws(ObjectStoreError) in offsets.append(entry.offset) }
      } catch { continue }
      for offset in offsets {
        // Numbers that no pack of the catalog has.
        let record = try? cache.record(at: RecordPlace(pack: -1 - Int64(place), offset: offset), in: file)
        if let record { records.append((id, record)) }
      }
    }
    let known = Set(records.map(\.record.id))
    var told: Set<PackID> = []
    for (pack, record) in records where !told.contains(pack) {
      for name in record.record.named where !known.contains(name) {
        guard try store.families(ofRecord: name).isEmpty else { continue }
        told.insert(pack)
        report.damages.append(
          "pack \(pack.digest.hexadecimal.prefix(12)) is left out: it stands on record \(name.hexadecimal.prefix(12)), which is missing"
        )
        break
      }
    }
  }

  /// Checks that every version has its parents and its content.
  private func verifyDocuments(
    isQuick: Bool, _ sound: Set<ObjectID>, _ report: inout VerificationReport
  ) throws(RepositoryError) {
    var families: Set<Int64> = []
    try store.catalogued { () throws(CatalogError) in
      try store.catalog.forEachDocument(below: nil, includingDeleted: true) { (row) throws(CatalogError) in
        families.insert(row.family)
      }
    }
    var checked: Set<ObjectID> = []
    for family in families.sorted() {
      let graph: VersionGraph
      do throws(RepositoryError) { graph = try store.graph(ofFamily: family) } catch {
        report.damages.append("the history of a document can't be read: \(error.summary)")
        continue
      }
      report.records += graph.versions.count + graph.removals.count + graph.retractions.count
      let removed = graph.removed()
      for version in graph.versions where !removed.contains(version.id) {
        guard let content = version.record.content, !sound.contains(content), checked.insert(content).inserted else {
          continue
        }
        check(content, of: version, isQuick: isQuick, &report)
      }
    }
  }

  private func check(_ content: ObjectID, of version: Version, isQuick: Bool, _ report: inout VerificationReport) {
    do throws(RepositoryError) {
      // A check of everything reads it anyhow, and tells what is wrong.
      guard try isQuick ? store.containsWhole(content) : store.contains(content) else {
        report.missingContents += 1
        report.damages.append(
          "\(FilePath.printable(version.record.path.bytes))@\(version.id.hexadecimal.prefix(8)) has no content here")
        return
      }
      if !isQuick { try store.readContent(content) { _ in } }
    } catch {
      let path = FilePath.printable(version.record.path.bytes)
      report.damages.append("\(path)@\(version.id.hexadecimal.prefix(8)): \(error.summary)")
    }
  }
}

extension RepositoryError {
  /// A few words for a line of a report.
  var summary: String {
    switch self {
    case .objects(.notFound(let id)), .notLocal(let id): "object \(id.hexadecimal.prefix(12)) is not there"
    case .objects(.corrupt(let id, _, let offset)):
      "object \(id.hexadecimal.prefix(12)) at byte \(offset) does not hash to its id"
    case .objects(.corruptContent(let id)): "content \(id.hexadecimal.prefix(12)) does not hash to its id"
    case .objects(.unsupportedArchive(let version)): "a zip document has form \(version), a newer dver stored it"
    case .objects(.unsupportedFormat(let version)): "it has format \(version), a newer dver wrote it"
    case .unsupportedFormat(let format): "\(FilePath.printable(format)) is of a newer dver"
    case .objects(.damagedPack(let pack, let offset, let reason)): "\(pack) at byte \(offset): \(reason)"
    case .system(let error), .objects(.system(let error)): error.message
    case .damaged(let text): text
    case .incomplete(let id): "record \(id.hexadecimal.prefix(12)) is not there"
    default: "\(self)"
    }
  }
}
