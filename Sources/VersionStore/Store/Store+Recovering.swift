import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

extension Store {
  /// Writes what can still be read of damaged active packs into a new one, and puts the damaged ones aside in `torn/`.
  ///
  /// Only needed before sealing, which would have to guess what the unreadable entries were. What is lost is what nobody
  /// could read before either.
  func recoverDamagedPacks() throws(RepositoryError) {
    guard let device, let folder = privateLayout else { return }
    for number in try activeNumbers() {
      let name = PackName.active(device: device.bytes, number: number)
      guard let row = try catalogued({ () throws(CatalogError) in try catalog.pack(named: .active(device, number)) }),
        let file = try? PackFile.open(path(of: name), name: name), file.isDamagedInside
      else { continue }
      try copyReadable(of: file, row.number)
      for number in try activeNumbers() where number > row.name.activeNumber { try absorbActive(device, number) }
      try transaction { () throws(RepositoryError) in
        try catalogued { () throws(CatalogError) in try catalog.removePack(row.number) }
      }
      objects.forget(name)
      files[row.number] = nil
      try called { () throws(SystemError) in
        try FileSystem.makeFolders(at: folder.torn)
        try FileSystem.rename(
          from: folder.activePack(number), to: folder.torn.appending("damaged-\(number)"), how: .replace)
      }
    }
  }

  private func copyReadable(of file: PackFile, _ pack: Int64) throws(RepositoryError) {
    try beginNextActivePack()
    guard let next = writer else { return }
    let journal = try journalToKeep()
    try stored { () throws(ObjectStoreError) in
      next.begin()
      for (id, kind, bytes) in readableObjects(of: file) {
        let object = ObjectEntry(
          id: id, kind: kind, encoding: .raw, byteCount: UInt64(bytes.count), base: nil, depth: 0, data: .bytes(bytes))
        _ = try next.append(.object(object))
      }
      for record in readableRecords(of: file, pack) {
        _ = try next.append(.record(.full(record.record.encoded())))
      }
      for entry in journal { _ = try next.append(.journal(entry)) }
      try next.commit(.none)
    }
  }

  private func readableObjects(of file: PackFile) -> [(ObjectID, ObjectKind, [UInt8])] {
    var found: [(ObjectID, ObjectKind, [UInt8])] = []
    _ = file.forEachReadableGroup { (entries, _, _) in
      for entry in entries {
        guard let object = entry.object,
          let bytes = try? file.objectBytes(
            at: entry.offset, resolvingFar: { (id, kind) throws(ObjectStoreError) in try self.objects.base(id, kind) })
        else { continue }
        found.append((object.id, object.kind, bytes))
      }
    }
    return found
  }

  private func readableRecords(of file: PackFile, _ pack: Int64) -> [IdentifiedRecord] {
    var found: [IdentifiedRecord] = []
    _ = file.forEachReadableGroup { (entries, _, _) in
      for entry in entries where entry.record != nil {
        guard let record = try? records.record(at: RecordPlace(pack: pack, offset: entry.offset), in: file),
          let families = try? families(ofRecord: record.id), !families.isEmpty
        else { continue }
        found.append(record)
      }
    }
    return found
  }
}

extension CatalogPackName {
  fileprivate var activeNumber: UInt64 {
    if case .active(_, let number) = self { return number }
    return 0
  }
}
