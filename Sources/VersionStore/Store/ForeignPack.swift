import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Decodes the records and objects of an active pack that is in no catalog.
struct ForeignPack {
  /// An object that the own store lacks.
  struct Object {
    enum Role {
      /// The content of a version.
      case content
      /// A blob from which something else is put together.
      case part
      /// What says from which chunks.
      case chunkList
    }

    let id: ObjectID
    let role: Role
    let bytes: [UInt8]
  }

  private let file: PackFile
  private let store: Store
  private let reader: ObjectStore
  private let places: [ObjectID: [UInt64]]
  private var cache = RecordCache()

  /// - Parameter store: has what the pack's objects are stored against, or put together from, beside the pack itself.
  init(_ file: PackFile, besides store: Store) {
    var places: [ObjectID: [UInt64]] = [:]
    _ = file.forEachCommittedGroup { (entries, _, _) in
      for entry in entries {
        if let object = entry.object { places[object.id, default: []].append(entry.offset) }
      }
    }
    self.file = file
    self.store = store
    self.places = places
    reader = ObjectStore(
      packsFolder: store.layout.packs,
      locate: { [places] (id) throws(ObjectStoreError) in
        let own = (places[id] ?? []).map { ObjectLocation(pack: file.name, offset: $0) }
        return try own + store.locations(of: id)
      },
      openPack: { (name) throws(ObjectStoreError) in
        name == file.name ? file : try PackFile.open(store.path(of: name), name: name)
      })
  }

  /// The records of a group, or `nil` where one can't be read.
  mutating func records(in entries: [PackEntry]) -> [IdentifiedRecord]? {
    var records: [IdentifiedRecord] = []
    for entry in entries where entry.record != nil {
      guard let record = try? cache.record(at: RecordPlace(pack: 0, offset: entry.offset), in: file) else { return nil }
      records.append(record)
    }
    return records
  }

  /// The objects of a group that the store lacks, whole, with the chunks of other groups that it lacks too; `nil` where one
  /// can't be read.
  ///
  /// Archives come first, put together: they bring their parts, which are stored against those of the version before.
  ///
  /// - Parameter contents: of the versions that are taken over.
  func objects(in entries: [PackEntry], contents: Set<ObjectID>) throws(RepositoryError) -> [Object]? {
    var lacked: [ObjectEntry] = []
    for object in entries.compactMap(\.object) {
      let isPart = object.kind == .blob && !contents.contains(object.id)
      if try !(isPart ? store.containsPart(object.id) : store.contains(object.id)) { lacked.append(object) }
    }
    let here = Set(lacked.map(\.id))
    var objects: [Object] = []
    do throws(ObjectStoreError) {
      for object in lacked where object.kind == .archive {
        let bytes = try reader.content(object.id, limit: UInt64(ContentWriter.archiveByteCountLimit))
        objects.append(Object(id: object.id, role: .content, bytes: bytes))
      }
      for object in lacked where object.kind != .archive {
        if object.kind == .chunkList {
          for chunk in try reader.chunks(of: object.id) where !here.contains(chunk) && !isHere(chunk) {
            objects.append(Object(id: chunk, role: .part, bytes: try reader.object(chunk)))
          }
        }
        let blobRole: Object.Role = contents.contains(object.id) ? .content : .part
        objects.append(
          Object(
            id: object.id, role: object.kind == .chunkList ? .chunkList : blobRole,
            bytes: try reader.base(object.id, object.kind)))
      }
    } catch {
      return nil
    }
    return objects
  }

  private func isHere(_ id: ObjectID) -> Bool {
    (try? store.containsPart(id)) ?? false
  }
}
