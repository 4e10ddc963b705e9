import Glibc
import Synchronization

/// An exclusive advisory lock that one process holds, with a note in the file of who that is.
///
/// The file stays; whoever holds the lock has written `boot <boot id>` and `pid <process id>` into it, and empties it
/// on release. A note found on acquiring therefore is of a holder that did not get to release: the system has taken
/// back its lock since.
public final class FileLock: Sendable {
  /// Who held the lock without releasing it.
  public struct Holder: Equatable, Sendable {
    /// The boot id of the machine's run; see ``Machine/bootID``.
    public let boot: [UInt8]
    public let process: Int32

    public init(boot: [UInt8], process: Int32) {
      self.boot = boot
      self.process = process
    }

    /// Reads a note; `nil` where it is none.
    init?(note: [UInt8]) {
      let lines = note.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard lines.count == 3, lines[2].isEmpty, lines[0].starts(with: Array("boot ".utf8)),
        lines[1].starts(with: Array("pid ".utf8)),
        let process = Int32(String(decoding: lines[1].dropFirst(4), as: UTF8.self))
      else { return nil }
      self.init(boot: Array(lines[0].dropFirst(5)), process: process)
    }

    var note: [UInt8] { Array("boot ".utf8) + boot + Array("\npid \(process)\n".utf8) }
  }

  public let path: FilePath
  /// `nil` where the lock was free and released properly, or the note cannot be read.
  public let previousHolder: Holder?
  private let file: FileDescriptor
  private let isReleased = Atomic<Bool>(false)

  private let hasNote: Bool

  private init(path: FilePath, file: consuming FileDescriptor, previousHolder: Holder?, hasNote: Bool) {
    self.path = path
    self.file = file
    self.hasNote = hasNote
    self.previousHolder = previousHolder
  }

  deinit {
    release()
  }

  /// Waits for the lock, asking again after 5 to 50 ms. The file is made where it is missing.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: 0 asks once.
  ///   - isBrief: the lock is held for milliseconds: no note is worth its time, and one that is there stays.
  /// - Returns: `nil` where somebody else held it all the time.
  /// - Throws: An `isUnsupported` error where the file system has no locks; `EINTR` where an interruption was requested
  ///   while waiting; `EINVAL` where the path is no file.
  public static func acquire(
    at path: FilePath, timeoutMilliseconds: Int, isBrief: Bool = false
  ) throws(SystemError) -> FileLock? {
    let start = Clock.monotonicNanoseconds
    let timeout = UInt64(max(timeoutMilliseconds, 0)).multipliedReportingOverflow(by: 1_000_000)
    let limit = timeout.overflow ? .max : timeout.partialValue
    var pause: UInt64 = 5_000_000
    while true {
      if let lock = try tryOnce(at: path, isBrief: isBrief) { return lock }
      let elapsed = Clock.monotonicNanoseconds &- start
      guard elapsed < limit else { return nil }
      if Interruption.isRequested { throw SystemError(function: "flock", path: path, code: EINTR) }
      usleep(UInt32(min(pause, limit - elapsed) / 1000))
      pause = min(pause * 2, 50_000_000)
    }
  }

  private static func tryOnce(at path: FilePath, isBrief: Bool) throws(SystemError) -> FileLock? {
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .noFollow, .nonBlocking], permissions: 0o644)
    let status = try file.status()
    guard status.kind == .file else { throw SystemError(function: "flock", path: path, code: EINVAL) }
    guard try file.tryLock(exclusive: true) else { return nil }
    // Somebody may have removed or replaced the file between opening and locking: that lock would guard nothing.
    guard let present = try statusIfPresent(path), present.inode == status.inode, present.device == status.device
    else { return nil }
    if isBrief { return FileLock(path: path, file: file, previousHolder: nil, hasNote: false) }
    let longest = 512
    let previous = status.size <= UInt64(longest) ? Holder(note: try file.readAll(limit: longest)) : nil
    let note = Holder(boot: Machine.bootID, process: Machine.processID).note
    try file.write(note, at: 0)
    try file.truncate(to: UInt64(note.count))
    return FileLock(path: path, file: file, previousHolder: previous, hasNote: true)
  }

  private static func statusIfPresent(_ path: FilePath) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus.of(path)
    } catch  where error.isNotFound {
      return nil
    }
  }

  /// Empties the file and gives the lock up; a second call does nothing. The end of the object's life does the same.
  public func release() {
    guard !isReleased.exchange(true, ordering: .sequentiallyConsistent) else { return }
    if hasNote { try? file.truncate(to: 0) }
    try? file.unlock()
  }
}
