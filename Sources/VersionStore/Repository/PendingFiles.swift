import Catalog
import SystemIO
import Versioning

/// A folder that files are placed in.
struct TargetFolder {
  let file: SharedFile
  /// Whether what is in it becomes durable together with other files.
  let isShared: Bool
}

/// Files that were placed and are not durable yet, and folders whose names are not.
struct PendingFiles {
  private let tree: WorkingTree
  /// The volume, as it was opened before anything was written to it; `nil` where files are made durable one by one.
  private var volume: SharedFile?
  private var volumeDevice: UInt64 = 0
  private var isVolumeChanged = false
  /// Why something can't become durable any more: asked again, the system would say that all is well.
  private var failure: RepositoryError?
  private var files: [DocumentPath] = []
  private var folders: Set<DocumentPath?> = []
  /// Files as they looked right after they got their names.
  private var looks: [(path: DocumentPath, folder: SharedFile, status: FileStatus)] = []

  /// Folders that files are placed in.
  private(set) var openFolders: [DocumentPath?: TargetFolder] = [:]
  private static let openFolderLimit = 64

  /// So many files are made durable one by one.
  private static let fewFiles = 8

  init(_ tree: WorkingTree) {
    self.tree = tree
  }

  /// Gets ready to make many files durable together.
  mutating func openVolume() {
    guard volume == nil, tree.volume.canBeSynchronizedWhole, FileDescriptor.canSynchronizeVolumes,
      let root = try? FileDescriptor.open(tree.root, .readOnly, options: [.directory]),
      let device = (try? root.status())?.device
    else { return }
    volume = SharedFile(root)
    volumeDevice = device
  }

  /// The device whose files become durable together; `nil` where none do.
  var sharedDevice: UInt64? { volume == nil ? nil : volumeDevice }

  /// The folder of a file, made where it is missing; it stays open for the next one.
  mutating func openFolder(of path: DocumentPath) throws(RepositoryError) -> TargetFolder {
    if let open = openFolders[path.folder] { return open }
    if openFolders.count >= Self.openFolderLimit { closeFolders() }
    let tree = tree
    let isDurable = volume == nil
    let folder = try tree.reaching(path) { () throws(WorkingTreeError) in
      try tree.openFolder(of: path, isCreating: true, isDurable: isDurable)
    }
    let isShared = volume != nil && (try? folder.status())?.device == volumeDevice
    let open = TargetFolder(file: SharedFile(folder), isShared: isShared)
    note(path, in: open)
    openFolders[path.folder] = open
    return open
  }

  mutating func closeFolders() { openFolders.removeAll() }

  /// Notes that names, and what was written for them, are to become durable.
  mutating func note(_ path: DocumentPath, in folder: TargetFolder) {
    if folder.isShared { isVolumeChanged = true } else { folders.insert(path.folder) }
  }

  /// Notes that a file and its name are to become durable.
  mutating func noteFile(_ path: DocumentPath) {
    files.append(path)
    folders.insert(path.folder)
  }

  /// Notes how a file looked right after it got its name.
  mutating func noteLook(_ path: DocumentPath, _ folder: SharedFile, _ status: FileStatus) {
    looks.append((path, folder, status))
  }

  /// Makes everything noted durable. Once that failed it fails for good.
  mutating func synchronize() throws(RepositoryError) {
    if let failure { throw failure }
    do throws(RepositoryError) { try synchronizeAll() } catch {
      failure = error
      throw error
    }
  }

  private mutating func synchronizeAll() throws(RepositoryError) {
    if files.count > Self.fewFiles { openVolume() }
    if let volume, isVolumeChanged || files.count > Self.fewFiles {
      try tree.system { () throws(SystemError) in try volume.descriptor.synchronizeVolume() }
      isVolumeChanged = false
      let (tree, device) = (tree, volumeDevice)
      files.removeAll { ((try? tree.status(of: $0)) ?? nil)?.device == device }
    }
    for path in files { try synchronize(path) }
    files.removeAll()
    for folder in folders { try synchronize(folder: folder) }
    folders.removeAll()
  }

  private func synchronize(_ path: DocumentPath) throws(RepositoryError) {
    try tree.reaching(path) { () throws(WorkingTreeError) in
      do throws(WorkingTreeError) {
        let file = try tree.openFile(path)
        do throws(SystemError) { try file.synchronizeData() } catch { throw .system(error) }
      } catch {
        // A link, or gone since it was looked at.
        if case .system(let cause) = error, cause.isSymbolicLink { return }
        guard error.isAbsence else { throw error }
      }
    }
  }

  private func synchronize(folder: DocumentPath?) throws(RepositoryError) {
    do throws(WorkingTreeError) {
      let open = try tree.openFolder(folder?.components ?? [])
      do throws(SystemError) { try WorkingTree.synchronize(open) } catch { throw .system(error) }
    } catch {
      // Where it is gone its names are too.
      if case .system(let cause) = error, !error.isAbsence { throw .system(cause) }
    }
  }

  /// Looks once more at files that were placed a while ago: what has not changed since can be believed the next time.
  mutating func lookAgain(_ statuses: inout [DocumentPath: CachedStatus]) {
    for (path, folder, status) in looks {
      let now = Clock.wallNanoseconds
      if let again = try? folder.descriptor.status(of: path.name), again.isSameFile(as: status) {
        statuses[path] = CachedStatus(again, checkedAt: now)
      }
    }
    looks.removeAll()
  }
}
