import Hashing

/// An earlier version of an archive, against whose parts those of a new one can be stored.
public struct ArchiveBase {
  let id: ObjectID
  let archive: ArchiveObject
  private let items: [[UInt8]: ArchiveObject.Item]
  private let find: (ObjectID) -> [DeltaCandidate]

  init(id: ObjectID, archive: ArchiveObject, names: [[UInt8]], find: @escaping (ObjectID) -> [DeltaCandidate]) {
    self.id = id
    self.archive = archive
    self.find = find
    items = Dictionary(zip(names, archive.items), uniquingKeysWith: { first, _ in first })
  }

  /// The member of this name.
  func item(named name: [UInt8]) -> ArchiveObject.Item? {
    items[name]
  }

  /// Earlier objects to store something in place of this content against.
  func candidates(for content: ObjectID) -> [DeltaCandidate] {
    find(content)
  }
}
