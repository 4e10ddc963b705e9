import Catalog
public import Hashing
import ObjectStorage
import SystemIO

/// Packs that were compacted into others: log entries name them for ever.
extension Store {
  private static func replacementKey(_ id: ObjectID) -> String { "replaced \(id.hexadecimal)" }

  /// Notes that a pack which was taken in stands for others.
  func noteReplacements(by id: ObjectID, _ replaced: [PackID]) throws(RepositoryError) {
    for old in replaced {
      try catalogued { () throws(CatalogError) in try catalog.setMeta(Self.replacementKey(old.digest), Array(id.digest))
      }
    }
  }

  /// The pack that was taken in and says that it replaces this one.
  func knownReplacement(of id: ObjectID) throws(RepositoryError) -> ObjectID? {
    guard let bytes = try catalogued({ () throws(CatalogError) in try catalog.meta(Self.replacementKey(id)) }),
      let replacement = ObjectID(digest: bytes), try holdsRow(replacement)
    else { return nil }
    return replacement
  }

  func holdsRow(_ id: ObjectID) throws(RepositoryError) -> Bool {
    try catalogued { () throws(CatalogError) in try catalog.pack(named: .sealed(id)) } != nil
  }

  /// A pack in this store that says that it replaces a missing one, whether it was taken in or not; its hash is right.
  ///
  /// Cost: where it was not taken in, all headers of sealed packs are read.
  public func replacement(of id: ObjectID) throws(RepositoryError) -> ObjectID? {
    if let known = try knownReplacement(of: id) { return known }
    for pack in try sealedPacks() where inspectedPacks.insert(pack.digest).inserted {
      let name = PackName.sealed(pack)
      guard let file = try? PackFile.open(path(of: name), name: name) else { continue }
      for old in file.header.replaces { replacements[old.digest, default: []].append(pack.digest) }
    }
    for found in replacements[id] ?? [] {
      let name = PackName.sealed(PackID(found))
      if let file = try? PackFile.open(path(of: name), name: name), file.hasItsName() { return found }
    }
    return nil
  }

  /// The length of a sealed pack in this store, or `nil` where it isn't there.
  public func byteCount(ofPack id: ObjectID) -> UInt64? { (try? FileStatus.of(packFile(id)))?.size }
}
