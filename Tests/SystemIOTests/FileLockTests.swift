import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("A lock") struct FileLockTests {
  let folder: TemporaryDirectory
  let path: FilePath

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.appending("lock")
  }

  @Test("is held by one at a time and free after release")
  func exclusion() throws {
    let first = try #require(try FileLock.acquire(at: path, timeoutMilliseconds: 0))
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 0) == nil)
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 12) == nil)
    first.release()
    first.release()
    let second = try #require(try FileLock.acquire(at: path, timeoutMilliseconds: 0))
    first.release()
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 0) == nil)
    second.release()
  }

  @Test("ends with the object's life")
  func lifetime() throws {
    do {
      let lock = try FileLock.acquire(at: path, timeoutMilliseconds: 0)
      #expect(lock != nil)
    }
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 0) != nil)
  }

  @Test("says in its file who holds it, and nothing once released")
  func note() throws {
    let lock = try #require(try FileLock.acquire(at: path, timeoutMilliseconds: 0))
    let boot = String(decoding: Machine.bootID, as: UTF8.self)
    let text = String(decoding: try FileSystem.read(path, limit: 1000), as: UTF8.self)
    #expect(text == "boot \(boot)\npid \(getpid())\n")
    #expect(lock.previousHolder == nil)
    lock.release()
    #expect(try FileSystem.read(path, limit: 1000) == [])
  }

  @Test(
    "tells who did not get to release it",
    arguments: [
      ("boot abc\npid 42\n", FileLock.Holder(boot: Array("abc".utf8), process: 42)),
      (
        "boot a much longer boot id than ours is, so that the note must be cut\npid 1234567\n",
        FileLock.Holder(
          boot: Array("a much longer boot id than ours is, so that the note must be cut".utf8), process: 1_234_567)
      ),
      ("", nil), ("boot abc\npid 42", nil), ("boot abc\npid x\n", nil), ("pid 42\nboot abc\n", nil),
      ("boot abc\npid 99999999999\n", nil), ("boot abc\npid 42\nmore\n", nil),
      (String(repeating: "x", count: 600), nil),
    ])
  func previousHolder(note: String, holder: FileLock.Holder?) throws {
    try folder.write(Array(note.utf8), to: "lock")
    let lock = try #require(try FileLock.acquire(at: path, timeoutMilliseconds: 0))
    #expect(lock.previousHolder == holder)
    let text = String(decoding: try FileSystem.read(path, limit: 1000), as: UTF8.self)
    #expect(text == "boot \(String(decoding: Machine.bootID, as: UTF8.self))\npid \(getpid())\n")
  }

  @Test("loses no update among threads that wait for it")
  func contention() async throws {
    let counter = try folder.write([0], to: "counter")
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<5 {
            guard let lock = try FileLock.acquire(at: path, timeoutMilliseconds: 60_000) else { continue }
            let value = try FileSystem.read(counter, limit: 1)
            try AtomicFile.write([value[0] + 1], to: counter, isDurable: false)
            lock.release()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileSystem.read(counter, limit: 1) == [20])
  }

  @Test("is taken from a process that was killed")
  func killedHolder() throws {
    try folder.write([], to: "lock")
    let child = try ChildProcess.spawn(
      program: FilePath("flock"), arguments: [path.bytes, Array("-c".utf8), Array("echo held; exec cat".utf8)],
      input: .pipe, output: .pipe)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
    defer { piece.deallocate() }
    try #require(try child.read(into: piece) > 0)
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 0) == nil)
    child.kill()
    // The shell that became `cat` holds the lock too; the end of its input ends it.
    child.closeInput()
    try child.wait()
    #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 60_000) != nil)
  }

  @Test("is no link, folder or FIFO")
  func otherKinds() throws {
    try FileSystem.makeSymbolicLink(at: folder.appending("link"), target: Array("lock".utf8))
    try FileSystem.makeFolder(at: folder.appending("folder"))
    try #require(mkfifo(folder.appending("fifo").description, 0o600) == 0)
    for (name, code) in [("link", ELOOP), ("folder", EISDIR), ("fifo", EINVAL)] {
      let got = errorCode { () throws(SystemError) in
        _ = try FileLock.acquire(at: folder.appending(name), timeoutMilliseconds: 0)
      }
      #expect(got == code)
    }
  }

  #if DEBUG
    @Test("is not held after a failure of any call")
    func faults() throws {
      var number = 0
      while true {
        let (result, report) = FaultInjection.run(.failing(call: number, errno: EIO)) { () throws(SystemError) in
          let lock = try FileLock.acquire(at: path, timeoutMilliseconds: 0)
          lock?.release()
        }
        guard report.isInjected else { break }
        let isReleasing = number >= report.calls.count - 2 && (try? result.get()) != nil
        if case .success = result { #expect(isReleasing) }
        #expect(try FileLock.acquire(at: path, timeoutMilliseconds: 0) != nil)
        number += 1
      }
      #expect(number >= 7)
    }

    @Test("says where a file system has no locks", arguments: [ENOLCK, EOPNOTSUPP, ENOSYS])
    func unsupported(code: Int32) throws {
      let (result, _) = FaultInjection.run(.failing(function: "flock", errno: code)) { () throws(SystemError) in
        _ = try FileLock.acquire(at: path, timeoutMilliseconds: 0)
      }
      if case .failure(let error) = result { #expect(error.isUnsupported) } else { Issue.record("no failure") }
    }
  #endif
}
