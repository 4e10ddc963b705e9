import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Makes versions of one document of files, some at a time.
struct HistoryImport {
  /// So many versions become durable together, or fewer where they are long.
  private static let groupedVersionCount = 32
  /// In bytes: what of a group is held in memory.
  private static let groupedByteCount = 8 << 20
  /// The largest file that is taken as a version, in bytes: it is held in memory.
  static let fileByteCountLimit = 1 << 31

  let store: Store
  let files: [FilePath]
  let path: DocumentPath
  let message: [UInt8]
  /// What the next version is made from.
  var parents: [Version]
  private(set) var made: [Version] = []
  /// How many files were taken, those among them that were passed over.
  private(set) var taken: Int
  private(set) var isDone = false
  /// Why it ends before the last file.
  private(set) var failure: RepositoryError?

  /// - Parameter passedOver: how many files are versions already.
  init(
    _ files: [FilePath], passedOver: Int, at path: DocumentPath, on parents: [Version], message: [UInt8],
    in store: Store
  ) {
    taken = passedOver
    self.store = store
    self.files = files
    self.path = path
    self.message = message
    self.parents = parents
  }

  /// Takes the next files; their versions are durable when this returns. Where it throws, it took none.
  mutating func takeGroup(isCancelled: (Int) -> Bool) throws(RepositoryError) {
    var next = self
    let group = try store.write(.none) { (transaction) throws(RepositoryError) in
      var group: [Version] = []
      while group.count < Self.groupedVersionCount, transaction.heldByteCount < Self.groupedByteCount {
        guard next.taken < files.count, !isCancelled(next.taken), let file = next.readNext() else {
          next.isDone = true
          break
        }
        guard let version = try next.add(file, to: transaction) else { continue }
        group.append(version)
        // What the next version can't be stored against before it is durable ends the group.
        guard let content = version.record.content, transaction.held[content] != nil else { break }
      }
      return group
    }
    self = next
    made += group
  }

  private struct File {
    let status: FileStatus
    let bytes: [UInt8]
  }

  private mutating func readNext() -> File? {
    do throws(SystemError) {
      let file = files[taken]
      let status = try FileStatus.of(file, followingLinks: true)
      let bytes = try FileSystem.read(file, limit: Self.fileByteCountLimit)
      taken += 1
      return File(status: status, bytes: bytes)
    } catch {
      failure = .system(error)
      return nil
    }
  }

  /// - Returns: `nil` where the file is as the first parent.
  private mutating func add(_ file: File, to transaction: StoreTransaction) throws(RepositoryError) -> Version? {
    let (status, bytes, parent) = (file.status, file.bytes, parents.first)
    let id = SHA256.hash(bytes)
    if let record = parent?.record, record.content == id, record.kind == .file, record.mode == status.permissions {
      return nil
    }
    let content = try transaction.content(bytes, id: id, after: parent)
    let record = VersionRecord.next(
      on: parents, document: nil, path: path, kind: .file, content: content, size: UInt64(bytes.count),
      mode: status.permissions, modificationTime: status.modificationTime, now: status.modificationMilliseconds,
      device: transaction.device, origin: .import, message: message)
    let version = try transaction.add(record, content, isBase: false)
    try transaction.hold(content, bytes, of: version, after: parent)
    parents = [version]
    return version
  }
}

extension FileStatus {
  /// The modification time as a version has its time; within the years 1 to 9999.
  fileprivate var modificationMilliseconds: Int64 {
    let seconds = min(max(modificationSeconds, LogicalTime.firstMillisecond / 1000), LogicalTime.lastMillisecond / 1000)
    return seconds * 1000 + Int64(modificationNanoseconds / 1_000_000)
  }
}
