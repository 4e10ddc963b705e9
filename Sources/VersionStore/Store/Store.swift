import Catalog
public import Hashing
import ObjectStorage
import SystemIO
public import Versioning

/// The records and objects of one store as one device sees them.
///
/// A store is used by one thread. Several processes may have it open: whoever writes holds the device's lock for one
/// operation (``withLock(_:)``), readers hold none.
public final class Store {
  public let layout: RepositoryLayout
  public let environment: StoreEnvironment
  /// The device that this store is on this machine; `nil` where it is only read and no private folder fits.
  public internal(set) var device: DeviceID?
  /// The device's name, for people.
  public internal(set) var deviceName: [UInt8] = []
  var privateLayout: PrivateLayout?
  var catalog: CatalogDatabase
  var writer: ActivePackWriter?
  var lock: FileLock?
  var lockDepth = 0
  var isCatalogDamaged = false
  /// Whether the packs that the catalog names were there.
  var hasLookedForPacks = false
  /// What quick saves could rely on when the lock was taken; they can't while this process has it.
  var recentState: RecentSaves.State?
  /// How many groups of quick saves this process brought into the catalog.
  var caughtUpGroupCount: UInt32 = 0
  /// The saves of the last group, where quick ones can go on from them.
  var recentOffer: RecentOffer?
  var files: [Int64: PackFile] = [:]
  var names: [Int64: PackName] = [:]
  /// Sealed packs whose headers were looked at, and what they say they replace.
  var inspectedPacks: Set<ObjectID> = []
  var replacements: [ObjectID: [ObjectID]] = [:]
  /// How long an active pack gets before a save seals it, in bytes.
  var activeByteCount: UInt64 = 1 << 30
  /// Is told how much of a pack that came from elsewhere is taken in, of how much.
  public var absorbing: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  /// How much was checked since memory was last let go of.
  var checkedByteCount: UInt64 = 0
  var records = RecordCache()
  lazy var objects = makeObjectStore()

  init(
    layout: RepositoryLayout, environment: StoreEnvironment, device: DeviceID?, privateLayout: PrivateLayout?,
    catalog: CatalogDatabase
  ) {
    self.layout = layout
    self.environment = environment
    self.device = device
    self.privateLayout = privateLayout
    self.catalog = catalog
  }

  /// Forgets what is remembered by the numbers of packs, which stand for others from now on.
  func forgetPacks() {
    records.forget()
    files = [:]
    names = [:]
  }

  /// Forgets what is remembered of a sealed pack whose file was put back.
  public func forgetPack(_ id: ObjectID) {
    objects.forget(.sealed(PackID(id)))
    forgetPacks()
  }

  /// Runs a call of the catalog.
  func catalogued<Value>(_ body: () throws(CatalogError) -> Value) throws(RepositoryError) -> Value {
    do { return try body() } catch {
      if error.isDamage { dropDamagedCatalog() }
      throw .catalog(error)
    }
  }

  /// Deletes a catalog that is damaged, so that the next one who opens the store makes it anew.
  ///
  /// Where another process is writing that is left to it, and where this one is to the end of its work.
  private func dropDamagedCatalog() {
    isCatalogDamaged = true
    guard lockDepth == 0, let folder = privateLayout,
      let acquired = (try? FileLock.acquire(at: folder.lock, timeoutMilliseconds: 0)) ?? nil
    else { return }
    // One that was made anew since is another's work.
    if !catalog.isDetached { try? CatalogDatabase.delete(at: folder.catalog) }
    acquired.release()
  }

  /// Runs a body that asks the catalog much and changes nothing, on one state of it.
  func snapshot<Value>(_ body: () throws(RepositoryError) -> Value) throws(RepositoryError) -> Value {
    try catalog.snapshot(failure: { .catalog($0) }, body)
  }

  /// Runs a body that changes much of the catalog in some transactions.
  func inBulk<Value>(_ body: () throws(RepositoryError) -> Value) throws(RepositoryError) -> Value {
    try catalog.inBulk(body)
  }

  /// Runs a system call.
  func called<Value>(_ body: () throws(SystemError) -> Value) throws(RepositoryError) -> Value {
    do { return try body() } catch { throw .system(error) }
  }

  /// Runs a call of the object store.
  func stored<Value>(_ body: () throws(ObjectStoreError) -> Value) throws(RepositoryError) -> Value {
    do { return try body() } catch { throw .objects(error) }
  }

  // MARK: Packs

  func path(of name: PackName) -> FilePath {
    name.path(inStore: layout.store)
  }

  /// A pack by its number in the catalog.
  func file(_ pack: Int64) throws(RepositoryError) -> PackFile {
    if let open = files[pack] { return open }
    let name = try name(of: pack)
    let file = try stored { () throws(ObjectStoreError) in try PackFile.open(path(of: name), name: name) }
    files[pack] = file
    return file
  }

  func name(of pack: Int64) throws(RepositoryError) -> PackName {
    if let name = names[pack] { return name }
    for row in try catalogued({ () throws(CatalogError) in try catalog.packs() }) {
      names[row.number] = PackName(row.name)
    }
    guard let name = names[pack] else { throw .damaged("the catalog names a pack that it doesn't list") }
    return name
  }

  private func makeObjectStore() -> ObjectStore {
    ObjectStore(packsFolder: layout.packs) { [unowned self] (id) throws(ObjectStoreError) in
      try self.locations(of: id)
    }
  }

  func locations(of id: ObjectID) throws(ObjectStoreError) -> [ObjectLocation] {
    do {
      var found: [ObjectLocation] = []
      for place in try catalogued({ () throws(CatalogError) in try catalog.objects(prefix: id.prefix) }) {
        found.append(ObjectLocation(pack: try name(of: place.pack), offset: place.offset))
      }
      return found
    } catch { throw .notFound(id) }
  }

  /// Where an object of this identity may stand, by the numbers of packs.
  func contentPlaces(_ id: ObjectID) throws(RepositoryError) -> [(pack: Int64, offset: UInt64)] {
    try catalogued { () throws(CatalogError) in try catalog.objects(prefix: id.prefix) }
  }

  // MARK: Records

  func remember(_ record: IdentifiedRecord, at place: RecordPlace) {
    records.remember(record, at: place)
  }

  func record(at place: RecordPlace) throws(RepositoryError) -> IdentifiedRecord {
    try reading(place.pack) { (file) throws(RepositoryError) in try records.record(at: place, in: file) }
  }

  /// The entry that begins at a place.
  func entry(at place: RecordPlace) throws(RepositoryError) -> PackEntry {
    try reading(place.pack) { (file) throws(RepositoryError) in
      do throws(ObjectStoreError) { return try file.entry(at: place.offset) } catch { throw .objects(error) }
    }
  }

  /// Reads from a pack; once more where another process has lengthened it since it was mapped.
  private func reading<Value>(
    _ pack: Int64, _ body: (PackFile) throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> Value {
    let known = try file(pack)
    do throws(RepositoryError) { return try body(known) } catch {
      guard case .objects(.damagedPack(_, _, .truncated)) = error, !known.header.isSealed else { throw error }
      files[pack] = nil
      let grown = try file(pack)
      guard grown.byteCount > known.byteCount else { throw error }
      return try body(grown)
    }
  }

  /// The families that a record belongs to; none where it is unknown.
  func families(ofRecord id: RecordID) throws(RepositoryError) -> [Int64] {
    var families: [Int64] = []
    for place in try places(of: id) where !families.contains(place.family) { families.append(place.family) }
    return families
  }

  func places(of id: RecordID) throws(RepositoryError) -> [RecordLocation] {
    try lookingAgain { () throws(RepositoryError) in
      var found: [RecordLocation] = []
      for place in try catalogued({ () throws(CatalogError) in try catalog.records(prefix: id.digest.prefix) }) {
        if try record(at: RecordPlace(pack: place.pack, offset: place.offset)).id == id { found.append(place) }
      }
      return found
    }
  }

  /// A version, or `nil` where no record has this identity.
  public func version(_ id: RecordID) throws(RepositoryError) -> Version? {
    try lookingAgain { () throws(RepositoryError) in
      for place in try places(of: id) {
        if let version = try record(at: RecordPlace(pack: place.pack, offset: place.offset)).version { return version }
      }
      return nil
    }
  }

  /// Looks up and reads; once more where a pack went in between, since another process compacted it.
  private func lookingAgain<Value>(
    _ body: () throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> Value {
    do throws(RepositoryError) { return try body() } catch {
      guard case .objects(.system(let cause)) = error, cause.isNotFound, lockDepth == 0 else { throw error }
      forgetPacks()
      return try body()
    }
  }

  /// A record of any type, or `nil` where none has this identity.
  func record(_ id: RecordID) throws(RepositoryError) -> Record? {
    try places(of: id).first.map { (place) throws(RepositoryError) in
      try record(at: RecordPlace(pack: place.pack, offset: place.offset)).record
    }
  }

  /// The versions of these identities that are known, in this order.
  func versions(_ ids: [RecordID]) throws(RepositoryError) -> [Version] {
    var found: [Version] = []
    for id in ids {
      if let version = try version(id) { found.append(version) }
    }
    return found
  }

  /// Everything known of a family. Cost: proportional to its records.
  public func graph(ofFamily family: Int64) throws(RepositoryError) -> VersionGraph {
    // What follows in a pack stands on what is before it, but for packs that came from elsewhere: those wait.
    var (graph, waiting) = try lookingAgain { () throws(RepositoryError) in
      let places = try catalogued { () throws(CatalogError) in try catalog.records(inFamily: family) }
      var graph = VersionGraph(capacity: places.count)
      var waiting: [IdentifiedRecord] = []
      records.reserve(places.count)
      for place in places {
        let record = try record(at: RecordPlace(pack: place.pack, offset: place.offset))
        if !graph.insertIfPossible(record) { waiting.append(record) }
      }
      return (graph, waiting)
    }
    while !waiting.isEmpty {
      var missing: [IdentifiedRecord] = []
      for record in waiting where !graph.insertIfPossible(record) { missing.append(record) }
      guard missing.count < waiting.count else { throw .damaged("versions lack their parents") }
      waiting = missing
    }
    return graph
  }

  /// Where the records of a family lie. Cost: reads them.
  func records(inFamily family: Int64) throws(RepositoryError) -> [RecordLocation] {
    var locations: [RecordLocation] = []
    for place in try catalogued({ () throws(CatalogError) in try catalog.records(inFamily: family) }) {
      let record = try record(at: RecordPlace(pack: place.pack, offset: place.offset))
      locations.append(
        RecordLocation(prefix: record.id.digest.prefix, pack: place.pack, offset: place.offset, family: family))
    }
    return locations
  }

  /// The graph that a version belongs to.
  public func graph(around id: RecordID) throws(RepositoryError) -> VersionGraph {
    guard let family = try families(ofRecord: id).first else { return VersionGraph() }
    return try graph(ofFamily: family)
  }
}

extension VersionGraph {
  /// Inserts a record unless something that it needs is missing.
  fileprivate mutating func insertIfPossible(_ record: IdentifiedRecord) -> Bool {
    do {
      switch record.record {
      case .version(let fields): try insert(Version(id: record.id, record: fields))
      // What they name may be of another family: it is not waited for.
      case .removal(let fields): try insert(fields, id: record.id, ignoringMissing: true)
      case .retraction(let fields): try insert(fields, id: record.id, ignoringMissing: true)
      case .device, .setting: break
      }
      return true
    } catch { return false }
  }
}

extension PackName {
  init(_ name: CatalogPackName) {
    switch name {
    case .sealed(let id): self = .sealed(PackID(id))
    case .active(let device, let number): self = .active(device: device.bytes, number: number)
    }
  }
}

extension CatalogError {
  /// Whether the catalog should be made anew.
  var isDamage: Bool {
    switch self {
    case .unusable, .damagedRow: true
    case .busy, .full, .system: false
    }
  }
}
