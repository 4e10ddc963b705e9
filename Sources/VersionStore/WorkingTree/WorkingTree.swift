import SystemIO
public import Versioning

/// Why a place in the folder of documents can't be reached or used.
enum WorkingTreeError: Error, Equatable {
  /// A component on the way is a symbolic link: nothing is read or written through it (R5).
  case throughLink
  /// A component on the way is a file, or there is none of its name.
  case noFolder
  /// Something is at the place of a document that can't be one: a pipe, a socket, a device.
  case notADocument(FileKind)
  /// The file kept changing while it was read.
  case changing
  case system(SystemError)

  /// Whether it shows that nothing is at the path, as opposed to that it can't be seen (R4).
  var isAbsence: Bool {
    switch self {
    case .noFolder: true
    case .system(let error): error.code == SystemErrorCode.notFound
    default: false
    }
  }
}

/// The codes of system errors that decide something here.
enum SystemErrorCode {
  /// ENOENT: "not a directory" is told apart, since it may be met at a link.
  static let notFound: Int32 = 2
  static let alreadyExists: Int32 = 17
}

/// The folder of documents: every path is walked component by component, and no link is followed (R5).
struct WorkingTree: Sendable {
  let root: FilePath
  /// Whether what the volume keeps of a file's change time and inode can be relied on.
  let volume: VolumeKind

  init(root: FilePath) {
    self.root = root
    volume = (try? FileSystem.kind(ofVolumeAt: root)) ?? .other
  }

  /// Opens the folder that a document lies in.
  ///
  /// - Parameters:
  ///   - isCreating: whether missing folders are made.
  ///   - isDurable: whether they are on stable storage then.
  func openFolder(
    of path: DocumentPath, isCreating: Bool = false, isDurable: Bool = true
  ) throws(WorkingTreeError) -> FileDescriptor {
    try openFolder(path.components.dropLast(), isCreating: isCreating, isDurable: isDurable)
  }

  /// Opens a folder by its components below the root.
  func openFolder(
    _ components: some Collection<ArraySlice<UInt8>>, isCreating: Bool = false, isDurable: Bool = true
  ) throws(WorkingTreeError) -> FileDescriptor {
    var folder: FileDescriptor
    do { folder = try FileDescriptor.open(root, .readOnly, options: [.directory]) } catch { throw .system(error) }
    for name in components {
      do {
        folder = try folder.open(name, .readOnly, options: [.directory, .noFollow])
      } catch {
        guard error.isNotFound || error.isSymbolicLink else { throw .system(error) }
        if let status = try? folder.status(of: name) {
          throw status.kind == .symbolicLink ? .throughLink : .noFolder
        }
        guard isCreating else { throw .noFolder }
        do {
          do throws(SystemError) { try folder.makeFolder(name, permissions: 0o777) } catch  where error.alreadyExists {}
          // Else a power cut could take the folder, and what was made durable in it would count as deleted.
          if isDurable { try Self.synchronize(folder) }
          let parent = folder
          folder = try parent.open(name, .readOnly, options: [.directory, .noFollow])
        } catch { throw .system(error) }
      }
    }
    return folder
  }

  /// Runs something that reaches a document's place, with the errors of a repository.
  func reaching<Value: ~Copyable>(
    _ path: DocumentPath, _ body: () throws(WorkingTreeError) -> Value
  ) throws(RepositoryError) -> Value {
    do throws(WorkingTreeError) { return try body() } catch { throw RepositoryError(error, at: path) }
  }

  /// What is at a path, without following a link there; `nil` where nothing is.
  ///
  /// - Throws: where it can't be seen, which is no absence (R4).
  func status(of path: DocumentPath) throws(WorkingTreeError) -> FileStatus? {
    let folder: FileDescriptor
    do throws(WorkingTreeError) { folder = try openFolder(of: path) } catch {
      if error.isAbsence { return nil }
      throw error
    }
    do throws(SystemError) { return try folder.status(of: path.name) } catch {
      if error.code == SystemErrorCode.notFound { return nil }
      throw .system(error)
    }
  }

  /// Removes something unfinished that a crash left.
  func clear(_ entry: DirectoryEntry, in folder: borrowing FileDescriptor) {
    guard let path = folder.path?.appending(entry.name) else { return }
    try? FileSystem.removeTree(at: path)
  }

  /// A new name for an unfinished file beside its target.
  static func temporaryName() -> [UInt8] {
    var names = TemporaryNames()
    return names.next()
  }
}

/// New names for unfinished files.
struct TemporaryNames {
  private var number: UInt64

  init() {
    var random = SystemRandom()
    number = random.next()
  }

  mutating func next() -> [UInt8] {
    number &+= 1
    return RepositoryLayout.temporaryPrefix + Array(String(number, radix: 36).utf8)
  }
}

extension DocumentPath {
  /// The last component.
  public var name: [UInt8] { components.last.map(Array.init) ?? [] }

  /// The path of the folder that it lies in, or `nil` at the root.
  public var folder: DocumentPath? {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return DocumentPath(bytes[..<slash])
  }
}
