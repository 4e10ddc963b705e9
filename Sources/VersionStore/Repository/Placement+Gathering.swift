import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Many files are placed together: threads write them under other names, then they become durable at once, get their names,
/// and when these are durable too the journal says so.
///
/// At any moment a path has what was there before or a file that is complete and durable, as where files are placed one by
/// one; after a crash some files are left under reserved names.
extension Placement {
  /// Keeps a file for later; the folders on its way are made now, so that what comes after it finds them.
  mutating func gather(_ file: WaitingFile) throws(RepositoryError) {
    if waiting.isEmpty { pending.openVolume() }
    try givingUp(file.path) { (placement) throws(RepositoryError) in
      _ = try placement.pending.openFolder(of: file.path)
      placement.waiting.append(file)
    }
  }

  /// Places the files that wait.
  mutating func placeWaiting() throws(RepositoryError) {
    let files = waiting
    waiting = []
    if files.isEmpty { return }
    let wasGathering = isGathering
    isGathering = false
    defer {
      isGathering = wasGathering
      pending.closeFolders()
    }
    if files.count >= repository.placing.leastFileCount {
      return try store.inBulk { () throws(RepositoryError) in try placeTogether(files) }
    }
    for file in files {
      try attempt(file.path) { (placement) throws(RepositoryError) in try placement.putNow(file) }
      try flush(atLeast: Self.batch)
    }
  }

  /// Files that have all but their names.
  private struct Batch {
    var files: [(file: WaitingFile, temporary: [UInt8], folder: TargetFolder)] = []
    /// How many have their names.
    var namedCount = 0
    var byteCount: UInt64 = 0
  }

  private mutating func placeTogether(_ files: [WaitingFile]) throws(RepositoryError) {
    let limits = repository.placing
    let unfinished = try UnfinishedFiles(
      repository, files.map { ($0.path, $0.version.record) }, in: tree, sharedDevice: pending.sharedDevice)
    try unfinished.run(threadCount: limits.threadCount) { (work) throws(RepositoryError) in
      var batch = Batch()
      var takenCount = 0
      do throws(RepositoryError) {
        for file in files {
          let taken = unfinished.next(work)
          takenCount += 1
          progress(takenCount, files.count)
          try take(file, taken, &batch)
          if batch.files.count < limits.batchFileCount && batch.byteCount < limits.batchByteCount { continue }
          try finish(&batch)
          unfinished.releaseMemory()
        }
        try finish(&batch)
      } catch {
        for (_, temporary, folder) in batch.files[batch.namedCount...] { try? folder.file.descriptor.remove(temporary) }
        unfinished.discard(work, from: takenCount)
        throw error
      }
    }
  }

  /// Takes a file that a thread has written, or writes it where none has.
  private mutating func take(
    _ file: WaitingFile, _ taken: [UInt8]?, _ batch: inout Batch
  ) throws(RepositoryError) {
    let path = file.path
    var made: (temporary: [UInt8], folder: TargetFolder)?
    try attempt(path) { (placement) throws(RepositoryError) in
      try placement.givingUp(path) { (placement) throws(RepositoryError) in
        let folder = try placement.pending.openFolder(of: path)
        if let taken {
          made = (taken, folder)
          return
        }
        let temporary = try placement.repository.makeUnfinished(
          file.version.record, at: path, in: folder.file.descriptor, isDurable: !folder.isShared)
        made = (temporary, folder)
      }
    }
    guard let made else { return }
    pending.note(path, in: made.folder)
    batch.files.append((file, made.temporary, made.folder))
    batch.byteCount += file.version.record.size
  }

  /// Makes files durable and gives them their names; the journal is written of those before, whose names are durable now.
  private mutating func finish(_ batch: inout Batch) throws(RepositoryError) {
    try pending.synchronize()
    try flush(atLeast: 1)
    while batch.namedCount < batch.files.count {
      let (file, temporary, folder) = batch.files[batch.namedCount]
      batch.namedCount += 1
      try attempt(file.path) { (placement) throws(RepositoryError) in
        try placement.givingUp(file.path) { (placement) throws(RepositoryError) in
          try placement.name(file, temporary, in: folder)
        }
      }
    }
    batch = Batch()
  }

  private mutating func name(_ file: WaitingFile, _ temporary: [UInt8], in folder: TargetFolder) throws(RepositoryError)
  {
    var rescued: [Version] = []
    defer { report.rescued += rescued }
    let repository = repository
    pending.note(file.path, in: folder)
    let outcome = try tree.swap(
      temporary, with: file.path, over: file.base == nil ? .nothing : .file, in: folder.file.descriptor
    ) { (folder, name) throws(RepositoryError) in
      guard let base = file.base else { return }
      try repository.settle(folder, name, at: file.path, base: base, &rescued)
    }
    // Something is there by now, or answers to the name: another look tells.
    guard case .placed(let status) = outcome else { return try place(file.path, file.view, file.version) }
    note(file, outcome, checkedAt: Clock.wallNanoseconds)
    if let status { pending.noteLook(file.path, folder.file, status) }
  }
}
