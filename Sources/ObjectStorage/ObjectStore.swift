public import Hashing
public import SystemIO

/// Reads objects wherever they are. One instance serves one thread.
///
/// Nothing leaves it unverified: a blob hashes to its id before it is returned, a content put together from chunks at
/// its end.
public final class ObjectStore {
  /// Gives the places where an object may stand, the best first; too many do no harm, since every entry names its id.
  public typealias Locate = (ObjectID) throws(ObjectStoreError) -> [ObjectLocation]
  public typealias OpenPack = (PackName) throws(ObjectStoreError) -> PackFile

  private static let openPackLimit = 64

  private let locate: Locate
  private let openPack: OpenPack
  private var packs: [PackName: (pack: PackFile, lastUse: UInt64)] = [:]
  private var useCount: UInt64 = 0
  let decoded = DecodedObjects()
  let blocks = BlockCache()

  /// - Parameters:
  ///   - packsFolder: the folder `packs` of a store.
  ///   - openPack: opens a pack; by default the file in its place in the store.
  public init(packsFolder: FilePath, locate: @escaping Locate, openPack: OpenPack? = nil) {
    self.locate = locate
    if let openPack {
      self.openPack = openPack
      return
    }
    let store = packsFolder.parent
    self.openPack = { (name) throws(ObjectStoreError) in
      if case .sealed(let id) = name { return try PackFile.open(id.path(inPacks: packsFolder), name: name) }
      return try PackFile.open(name.path(inStore: store), name: name)
    }
  }

  /// A pack, mapped as long as it was when it was last opened. The 64 last used ones stay open.
  public func pack(_ name: PackName) throws(ObjectStoreError) -> PackFile {
    useCount += 1
    if let known = packs[name] {
      packs[name] = (known.pack, useCount)
      return known.pack
    }
    let pack = try openPack(name)
    if packs.count >= Self.openPackLimit, let oldest = packs.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      packs[oldest.key] = nil
    }
    packs[name] = (pack, useCount)
    return pack
  }

  /// Forgets a pack that was removed, or cut.
  public func forget(_ name: PackName) {
    packs[name] = nil
  }

  /// A pack that is long enough to hold an entry, which an active pack may have been given since it was mapped.
  func pack(holding location: ObjectLocation) throws(ObjectStoreError) -> PackFile {
    let known = try pack(location.pack)
    guard !location.pack.isSealed else { return known }
    do throws(ObjectStoreError) {
      _ = try known.entry(at: location.offset)
      return known
    } catch .damagedPack(_, _, .truncated) {
      forget(location.pack)
      return try pack(location.pack)
    }
  }

  /// The entry of a record or an object.
  public func entry(at location: ObjectLocation) throws(ObjectStoreError) -> PackEntry {
    try pack(holding: location).entry(at: location.offset)
  }

  /// The places where an entry of this id, and of this kind where one is given, really stands.
  func places(of id: ObjectID) throws(ObjectStoreError) -> (found: [Place], failure: ObjectStoreError?) {
    let places = try lookUp(id)
    guard places.found.isEmpty, case .system(let cause) = places.failure, cause.isNotFound else { return places }
    // Its pack may have been compacted into another one since the place was looked up.
    return try lookUp(id)
  }

  private func lookUp(_ id: ObjectID) throws(ObjectStoreError) -> (found: [Place], failure: ObjectStoreError?) {
    var found: [Place] = []
    var failure: ObjectStoreError?
    for location in try locate(id) {
      do throws(ObjectStoreError) {
        let pack = try pack(holding: location)
        let object = try blocks.object(at: location.offset, in: pack)
        if object.id == id { found.append(Place(location: location, pack: pack, object: object)) }
      } catch {
        failure = failure ?? error
      }
    }
    return (found, failure)
  }

  struct Place {
    let location: ObjectLocation
    let pack: PackFile
    let object: ObjectEntry
  }
}
