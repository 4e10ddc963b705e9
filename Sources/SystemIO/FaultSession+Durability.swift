#if DEBUG
  import Glibc

  /// A file whatever its name.
  struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
      device = status.device
      inode = status.inode
    }
  }

  /// A file that was opened for writing. It is held open, so that its inode number stays its own and renames do not
  /// matter.
  final class TrackedFile {
    let descriptor: Int32
    var durableLength: UInt64
    /// The system forgets which bytes a failed synchronization was about, so a later success means nothing.
    var hasFailed = false

    init(descriptor: Int32, durableLength: UInt64) {
      self.descriptor = descriptor
      self.durableLength = durableLength
    }

    deinit {
      close(descriptor)
    }
  }

  /// What stood under a name before it went.
  enum SavedFile {
    case file([UInt8], permissions: UInt16)
    case link([UInt8])
    case folder
    case other
  }

  /// A change to a folder that is not durable yet.
  struct PendingChange {
    let change: Change
    let folder: FileIdentity?
    let saved: SavedFile?
  }

  extension FaultSession {
    /// Looks at what a change is about to overwrite; `nil` where the change will be none to undo.
    func prepare(_ change: Change) -> PendingChange? {
      durability.hold { FaultInjection.suspended { lookAtWhatGoes(change) } }
    }

    private func lookAtWhatGoes(_ change: Change) -> PendingChange? {
      switch change {
      case .creation(let path):
        guard (try? FileStatus.of(path)) == nil else { return nil }
        return PendingChange(change: change, folder: identity(of: path.parent), saved: nil)
      case .removal(let path):
        return PendingChange(change: change, folder: identity(of: path.parent), saved: save(path))
      case .rename(_, let path, let mode):
        let saved = mode == .replace ? save(path) : nil
        return PendingChange(change: change, folder: identity(of: path.parent), saved: saved)
      case .synchronization, .volumeSynchronization, .truncation:
        return PendingChange(change: change, folder: nil, saved: nil)
      }
    }

    func finish(_ prepared: PendingChange?) {
      guard let prepared else { return }
      durability.hold { note(prepared) }
    }

    private func note(_ prepared: PendingChange) {
      switch prepared.change {
      case .creation, .removal, .rename: pending.append(prepared)
      case .synchronization(let fd): synchronized(fd)
      case .volumeSynchronization: synchronizedEverything()
      case .truncation(let fd, let length):
        guard let status = status(fd), let file = files[FileIdentity(status)] else { return }
        file.durableLength = min(file.durableLength, length)
      }
    }

    func fail(_ prepared: PendingChange?) {
      durability.hold {
        switch prepared?.change {
        case .synchronization(let fd)?:
          if let status = status(fd) { files[FileIdentity(status)]?.hasFailed = true }
        case .volumeSynchronization?:
          for file in files.values { file.hasFailed = true }
        default: break
        }
      }
    }

    private func synchronized(_ fd: Int32) {
      guard let status = status(fd) else { return }
      let identity = FileIdentity(status)
      if status.kind == .folder {
        pending.removeAll { $0.folder == identity }
      } else if let file = files[identity], !file.hasFailed {
        file.durableLength = status.size
      }
    }

    private func synchronizedEverything() {
      pending = []
      for file in files.values where !file.hasFailed {
        if let status = status(file.descriptor) { file.durableLength = status.size }
      }
    }

    /// Begins to follow a file that was opened for writing.
    func track(_ fd: Int32) {
      durability.hold { follow(fd) }
    }

    private func follow(_ fd: Int32) {
      guard let status = status(fd), status.kind == .file, files[FileIdentity(status)] == nil else { return }
      let own = open("/proc/self/fd/\(fd)", O_RDWR | O_CLOEXEC)
      guard own >= 0 else { return }
      files[FileIdentity(status)] = TrackedFile(descriptor: own, durableLength: status.size)
    }

    /// See ``FaultReport/simulatePowerLoss(keeping:)``.
    func loseWhatIsNotDurable(keeping: Int) throws(SystemError) {
      for file in files.values {
        guard let status = status(file.descriptor), status.size > file.durableLength else { continue }
        try call("ftruncate", nil) { Int(ftruncate(file.descriptor, off_t(file.durableLength))) }
      }
      while pending.count > max(keeping, 0), let change = pending.popLast() { try undo(change) }
      pending = []
      files = [:]
    }

    private func undo(_ pending: PendingChange) throws(SystemError) {
      do throws(SystemError) {
        switch pending.change {
        case .creation(let path): try FileSystem.removeTree(at: path)
        case .removal(let path): try restore(pending.saved, at: path)
        case .rename(let old, let new, let mode):
          try FileSystem.rename(from: new, to: old, how: mode == .exchange ? .exchange : .replace)
          try restore(pending.saved, at: new)
        case .synchronization, .volumeSynchronization, .truncation: break
        }
      } catch  where error.isNotFound {
        // A later change that is durable has moved it on.
      }
    }

    private func save(_ path: FilePath) -> SavedFile? {
      guard let status = try? FileStatus.of(path) else { return nil }
      switch status.kind {
      case .file:
        guard var bytes = try? FileSystem.read(path, limit: 1 << 28) else { return .other }
        if let file = files[FileIdentity(status)], file.durableLength < UInt64(bytes.count) {
          bytes.removeLast(bytes.count - Int(file.durableLength))
        }
        return .file(bytes, permissions: status.permissions)
      case .symbolicLink: return (try? FileSystem.readLink(path)).map { .link($0) }
      case .folder: return .folder
      case .fifo, .socket, .device, .other: return .other
      }
    }

    private func restore(_ saved: SavedFile?, at path: FilePath) throws(SystemError) {
      switch saved {
      case .file(let bytes, let permissions):
        try AtomicFile.write(bytes, to: path, isDurable: false)
        try FileSystem.setPermissions(permissions, at: path)
      case .link(let target): try FileSystem.makeSymbolicLink(at: path, target: target)
      case .folder: try FileSystem.makeFolder(at: path)
      case .other, nil: break
      }
    }

    private func identity(of path: FilePath) -> FileIdentity? {
      (try? FileStatus.of(path, followingLinks: true)).map { FileIdentity($0) }
    }

    private func status(_ fd: Int32) -> FileStatus? {
      var status = stat()
      return fstat(fd, &status) == 0 ? FileStatus(status) : nil
    }
  }
#endif
