import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Reads the files of a large save ahead of what is done with them, on several threads, and works out how new ones are
/// to be stored.
///
/// What comes of it depends on the files alone, not on which thread was faster.
struct ReadAhead {
  /// What a thread made of a task.
  fileprivate enum Item: Sendable {
    /// The taker has to read it.
    case left
    case read(Swift.Result<WorkingFile?, WorkingTreeError>)
  }

  /// A task as the threads see it.
  private struct Piece: Sendable {
    let path: DocumentPath
    var isLeft = false
    var isNew = false
    /// The task whose content new content is stored after.
    var neighbour: Int?
    /// Whether it is the neighbour of others.
    var isNeighbour = false
    /// A neighbour that no later task needs.
    var lastUseOf: Int?
  }

  /// In bytes: content that was read and encoded and waits to be taken.
  private static let waitingByteCount = 16 << 20
  private static let waitingFileCount = 2048

  private let repository: Repository
  private let pieces: [Piece]
  private let neighbours = NeighbourTable()

  init(_ repository: Repository, _ plan: SavePlan) {
    self.repository = repository
    pieces = Self.pieces(repository, plan)
  }

  /// Runs the body with the threads at work; it takes the tasks' files in order.
  func run(
    threadCount: Int, _ body: (OrderedWork<Taken>) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let (pieces, tree, neighbours) = (pieces, repository.tree, neighbours)
    try OrderedWork<Taken>.run(
      count: pieces.count, threadCount: threadCount,
      bounds: OrderedWork.Bounds(pieceCount: Self.waitingFileCount, weight: Self.waitingByteCount),
      weight: { $0.byteCount },
      makeWorker: {
        let worker = Worker(tree, neighbours)
        return { number in worker.take(number, pieces[number]) }
      }, body)
  }

  /// The next task's file.
  func next(
    _ work: OrderedWork<Taken>, or read: () throws(RepositoryError) -> WorkingFile?
  ) throws(RepositoryError) -> WorkingFile? {
    guard let taken = work.next() else { return nil }
    let piece = pieces[taken.number]
    if let neighbour = piece.lastUseOf { neighbours.forget(neighbour) }
    switch taken.item {
    case .left: return try read()
    case .read(let result):
      return try repository.tree.reaching(piece.path) { () throws(WorkingTreeError) in try result.get() }
    }
  }

  /// A task that a thread is done with.
  struct Taken: Sendable {
    fileprivate let number: Int
    fileprivate let item: Item

    fileprivate var byteCount: Int {
      guard case .read(.success(let file?)) = item else { return 0 }
      return (file.bytes?.count ?? 0) + (file.prepared?.data.count ?? 0)
    }
  }

  // MARK: Who is whose neighbour

  /// A neighbour has this many bytes at least and at most, and is no further away than so many tasks.
  private static let neighbourByteCounts: ClosedRange<UInt64> = 512...(64 << 10)
  private static let neighbourDistance = 1000

  private static func pieces(_ repository: Repository, _ plan: SavePlan) -> [Piece] {
    var byteCounts: [DocumentPath: UInt64] = [:]
    for item in plan.new where !item.isPackage && item.status.kind == .file { byteCounts[item.path] = item.status.size }
    var pieces: [Piece] = []
    var firsts: [[UInt8]: Int] = [:]
    var lastUses: [Int: Int] = [:]
    for (number, task) in plan.tasks.enumerated() {
      var piece = Piece(path: task.path)
      switch task {
      case .missing: piece.isLeft = true
      case .renamed: piece.isLeft = repository.isPackage(task.path)
      case .file(let path, let row):
        piece.isLeft = repository.isPackage(path)
        guard row == nil, let byteCount = byteCounts[path] else { break }
        piece.isNew = true
        let kin = path.kin
        if let first = firsts[kin], number - first <= neighbourDistance {
          piece.neighbour = first
          lastUses[first] = number
        } else if neighbourByteCounts.contains(byteCount) {
          firsts[kin] = number
        }
      }
      pieces.append(piece)
    }
    for (neighbour, last) in lastUses {
      pieces[neighbour].isNeighbour = true
      pieces[last].lastUseOf = neighbour
    }
    return pieces
  }

  // MARK: On a thread

  /// Reads on one thread; the folder that it read from last stays open.
  private final class Worker {
    private let tree: WorkingTree
    private let neighbours: NeighbourTable
    private let encoder = BlobEncoder()
    private var folder: (path: ArraySlice<UInt8>, file: SharedFile)?

    init(_ tree: WorkingTree, _ neighbours: NeighbourTable) {
      self.tree = tree
      self.neighbours = neighbours
    }

    func take(_ number: Int, _ piece: Piece) -> Taken {
      var neighbour: BlobNeighbour?
      defer { if piece.isNeighbour { neighbours.publish(neighbour, as: number) } }
      if piece.isLeft { return Taken(number: number, item: .left) }
      do throws(WorkingTreeError) {
        guard var file = try read(piece.path) else { return Taken(number: number, item: .left) }
        if piece.isNew, file.kind == .file, let bytes = file.bytes, !ContentWriter.mayBeArchive(bytes) {
          let earlier = piece.neighbour.flatMap { neighbours.wait(for: $0) }
          file.prepared = encoder.encode(bytes, id: file.content, after: earlier)
          if piece.isNeighbour { neighbour = BlobNeighbour(bytes, id: file.content) }
        }
        return Taken(number: number, item: .read(.success(file)))
      } catch { return Taken(number: number, item: .read(.failure(error))) }
    }

    /// Reads a file or link; `nil` where there is none, and where it is too large for memory.
    private func read(_ path: DocumentPath) throws(WorkingTreeError) -> WorkingFile? {
      let folder: SharedFile
      do throws(WorkingTreeError) { folder = try open(path.bytes.parentPath, of: path) } catch {
        if error.isAbsence { return nil }
        throw error
      }
      let name = path.name
      if let status = try? folder.descriptor.status(of: name), status.kind == .file,
        status.size > UInt64(WorkingTree.memoryLimit)
      {
        return nil
      }
      return try tree.read(name, in: folder.descriptor)
    }

    private func open(_ path: ArraySlice<UInt8>, of document: DocumentPath) throws(WorkingTreeError) -> SharedFile {
      if let folder, folder.path == path { return folder.file }
      let file = SharedFile(try tree.openFolder(of: document))
      folder = (path, file)
      return file
    }
  }
}

/// The beginnings of files that others are stored after, from when they were read until nobody needs them.
final class NeighbourTable: Sendable {
  private let monitor = Monitor()
  nonisolated(unsafe) private var known: [Int: BlobNeighbour?] = [:]

  func publish(_ neighbour: BlobNeighbour?, as number: Int) {
    monitor.hold {
      known[number] = .some(neighbour)
      monitor.wakeAll()
    }
  }

  /// Waits until a task that was begun has been read.
  func wait(for number: Int) -> BlobNeighbour? {
    monitor.hold {
      while true {
        if let neighbour = known[number] { return neighbour }
        monitor.wait()
      }
    }
  }

  func forget(_ number: Int) {
    monitor.hold { known[number] = nil }
  }
}

extension [UInt8] {
  /// A path's folder, empty at the root.
  fileprivate var parentPath: ArraySlice<UInt8> { self[..<(lastIndex(of: UInt8(ascii: "/")) ?? 0)] }
}

extension DocumentPath {
  /// What files have in common that are likely to be alike: the folder and the ending of the name.
  var kin: [UInt8] {
    let folder = bytes.parentPath
    let name = bytes[folder.endIndex...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return Array(folder) }
    return Array(folder + name[dot...])
  }
}
