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
    /// None where it is ``stored``.
    var bytes: [UInt8] = []
    /// The entry of a blob that can be stored as it is, where what it is stored against is, and where that entry begins.
    var stored: (entry: ObjectEntry, offset: UInt64)?
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
  /// A blob is not decoded where its entry can be copied: its checksum says that it is as it was written, and every reader
  /// verifies it.
  ///
  /// - Parameters:
  ///   - contents: of the versions that are taken over.
  ///   - known: all objects that the store has; `nil` where it has to be asked.
  func objects(
    in entries: [PackEntry], contents: Set<ObjectID>, known: Set<ObjectID>? = nil
  ) throws(RepositoryError) -> [Object]? {
    var lacked: [(object: ObjectEntry, offset: UInt64)] = []
    for entry in entries {
      guard let object = entry.object else { continue }
      if let known {
        if !known.contains(object.id) { lacked.append((object, entry.offset)) }
        continue
      }
      let isPart = object.kind == .blob && !contents.contains(object.id)
      if try !(isPart ? store.containsPart(object.id) : store.contains(object.id)) {
        lacked.append((object, entry.offset))
      }
    }
    let here = Set(lacked.map(\.object.id))
    var objects: [Object] = []
    do throws(ObjectStoreError) {
      for (object, _) in lacked where object.kind == .archive {
        let bytes = try reader.content(object.id, limit: UInt64(ContentWriter.archiveByteCountLimit))
        objects.append(Object(id: object.id, role: .content, bytes: bytes))
      }
      for (object, offset) in lacked where object.kind != .archive {
        if object.kind == .blob, file.chainEnd(at: offset, of: object.id) == .samePack {
          let role: Object.Role = contents.contains(object.id) ? .content : .part
          objects.append(Object(id: object.id, role: role, stored: (object, offset)))
          continue
        }
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

  /// The bytes of an object.
  func bytes(of object: Object) throws(ObjectStoreError) -> [UInt8] {
    object.stored == nil ? object.bytes : try reader.object(object.id)
  }

  /// A blob's entry with its data.
  func entry(_ stored: ObjectEntry) -> ObjectEntry {
    var entry = stored
    entry.data = .bytes(file.data(of: stored))
    return entry
  }

  private func isHere(_ id: ObjectID) -> Bool {
    (try? store.containsPart(id)) ?? false
  }
}
