import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Writes the files of a large placement ahead of who gives them their names, on several threads.
struct UnfinishedFiles {
  /// A file as the threads see it.
  private struct Piece: Sendable {
    let path: DocumentPath
    let record: VersionRecord
    /// Where its content stands; none where a thread can't read it.
    let places: [Place]
  }

  private struct Place: Sendable {
    let pack: PackFile
    let offset: UInt64
  }

  /// What a thread made of a file: the name that it has meanwhile, or `nil` where who takes it has to write it.
  typealias Taken = [UInt8]?

  /// How many files may wait to be taken.
  private static let waitingFileCount = 4096

  private let tree: WorkingTree
  private let pieces: [Piece]
  private let sharedDevice: UInt64?
  private let end = End()

  /// - Parameters:
  ///   - tree: where the files go.
  ///   - sharedDevice: files on it are made durable by who takes them.
  init(
    _ repository: Repository, _ files: [(path: DocumentPath, record: VersionRecord)], in tree: WorkingTree,
    sharedDevice: UInt64?
  ) throws(RepositoryError) {
    self.tree = tree
    self.sharedDevice = sharedDevice
    let store = repository.store
    pieces = try store.snapshot { () throws(RepositoryError) in try Self.pieces(store, files) }
  }

  private static func pieces(
    _ store: Store, _ files: [(path: DocumentPath, record: VersionRecord)]
  ) throws(RepositoryError) -> [Piece] {
    var pieces: [Piece] = []
    pieces.reserveCapacity(files.count)
    for (path, record) in files {
      var places: [Place] = []
      if record.kind == .file, record.size <= UInt64(WorkingTree.memoryLimit), let content = record.content {
        for place in try store.contentPlaces(content) {
          places.append(Place(pack: try store.file(place.pack), offset: place.offset))
        }
      }
      pieces.append(Piece(path: path, record: record, places: places))
    }
    return pieces
  }

  /// Runs the body with the threads at work; it takes the files in order.
  func run(
    threadCount: Int, _ body: (OrderedWork<Taken>) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let (pieces, tree, sharedDevice, end) = (pieces, tree, sharedDevice, end)
    try OrderedWork<Taken>.run(
      count: pieces.count, threadCount: threadCount,
      bounds: OrderedWork.Bounds(pieceCount: Self.waitingFileCount, weight: 1), weight: { _ in 0 },
      makeWorker: {
        let worker = Worker(tree, sharedDevice: sharedDevice)
        return { number in end.isReached ? nil : worker.write(pieces[number]) }
      }, body)
  }

  func next(_ work: OrderedWork<Taken>) -> Taken { work.next() ?? nil }

  /// Has the threads write no more, and removes what they wrote and nobody took.
  ///
  /// - Parameter number: of the file that would be taken next.
  func discard(_ work: OrderedWork<Taken>, from number: Int) {
    end.reach()
    var number = number
    while let taken = work.next() {
      if let taken, let folder = try? tree.openFolder(of: pieces[number].path) { try? folder.remove(taken) }
      number += 1
    }
  }

  /// Lets go of the memory of what was read.
  func releaseMemory() {
    var seen: Set<ObjectIdentifier> = []
    for piece in pieces {
      for place in piece.places where seen.insert(ObjectIdentifier(place.pack)).inserted { place.pack.releaseMemory() }
    }
  }

  /// Whether nothing more is to be written.
  private final class End: @unchecked Sendable {
    // Unchecked: it is read and changed by the monitor's holder.
    private let monitor = Monitor()
    private var isSet = false

    var isReached: Bool { monitor.hold { isSet } }

    func reach() { monitor.hold { isSet = true } }
  }

  // MARK: On a thread

  /// Writes on one thread; the folder that it wrote to last stays open.
  private final class Worker {
    private let tree: WorkingTree
    private let sharedDevice: UInt64?
    private let reader = BlobReader()
    private var names = TemporaryNames()
    private var folder: (path: DocumentPath?, file: SharedFile, isShared: Bool)?

    init(_ tree: WorkingTree, sharedDevice: UInt64?) {
      self.tree = tree
      self.sharedDevice = sharedDevice
    }

    /// Whatever goes wrong is for who takes it: that thread meets it again and tells of it.
    func write(_ piece: Piece) -> Taken {
      guard let bytes = read(piece), let folder = open(piece.path) else { return nil }
      return try? tree.makeUnfinished(
        piece.record, target: nil, in: folder.file.descriptor, named: names.next(),
        isDurable: !folder.isShared
      ) {
        (file) throws(RepositoryError) in
        try tree.system { () throws(SystemError) in
          var writer = SparseWriter()
          try writer.write(bytes, to: file)
          try writer.finish(file)
        }
      }
    }

    private func read(_ piece: Piece) -> [UInt8]? {
      guard let id = piece.record.content else { return nil }
      for place in piece.places {
        if let bytes = (try? reader.blob(id, at: place.offset, in: place.pack)) ?? nil { return bytes }
      }
      return nil
    }

    private func open(_ path: DocumentPath) -> (file: SharedFile, isShared: Bool)? {
      let place = path.folder
      if let folder, folder.path == place { return (folder.file, folder.isShared) }
      guard let opened = try? tree.openFolder(of: path) else { return nil }
      let file = SharedFile(opened)
      let isShared = sharedDevice != nil && (try? file.descriptor.status())?.device == sharedDevice
      folder = (place, file, isShared)
      return (file, isShared)
    }
  }
}
