import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("A file written whole") struct AtomicFileTests {
  let folder: TemporaryDirectory
  let old = [UInt8](repeating: 1, count: 1000)
  let new = [UInt8](repeating: 2, count: 3000)

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("replaces what was there and leaves nothing beside it", arguments: Name.hostile)
  func replacing(_ name: Name) throws {
    let path = folder.appending(name.bytes)
    try AtomicFile.write(old, to: path)
    #expect(try FileSystem.read(path, limit: 10_000) == old)
    try AtomicFile.write(new, to: path, permissions: 0o600)
    #expect(try FileSystem.read(path, limit: 10_000) == new)
    #expect(try FileStatus.of(path).permissions == 0o600)
    try AtomicFile.write([], to: path, isDurable: false)
    #expect(try FileStatus.of(path).size == 0)
    #expect(try folder.names() == [name.bytes])
  }

  @Test("is made only where the name is free")
  func creation() throws {
    let path = folder.appending("f")
    try AtomicFile.create(old, at: path)
    #expect(errorCode { () throws(SystemError) in try AtomicFile.create(new, at: path) } == EEXIST)
    #expect(try FileSystem.read(path, limit: 10_000) == old)
    #expect(try folder.names().count == 1)
  }

  @Test("replaces a link instead of following it")
  func links() throws {
    let target = try folder.write(old, to: "target")
    let link = folder.appending("link")
    try FileSystem.makeSymbolicLink(at: link, target: Array("target".utf8))
    #expect(errorCode { () throws(SystemError) in try AtomicFile.create(new, at: link) } == EEXIST)
    try AtomicFile.write(new, to: link)
    #expect(try FileSystem.read(target, limit: 10_000) == old)
    #expect(try FileStatus.of(link).kind == .file)
  }

  @Test("cannot take the place of a folder, nor lie in none")
  func places() throws {
    try FileSystem.makeFolder(at: folder.appending("folder"))
    #expect(errorCode { () throws(SystemError) in try AtomicFile.write(new, to: folder.appending("folder")) } == EISDIR)
    #expect(errorCode { () throws(SystemError) in try AtomicFile.write(new, to: folder.appending("no/f")) } == ENOENT)
    #expect(errorCode { () throws(SystemError) in try AtomicFile.write(new, to: FilePath("/")) } == EINVAL)
    #expect(try folder.names() == [Array("folder".utf8)])
  }

  #if DEBUG
    /// The two ways to write, on a name that is taken or free as they need.
    enum Way: CaseIterable {
      case write
      case create

      func apply(_ bytes: [UInt8], _ path: FilePath, isDurable: Bool = true) throws(SystemError) {
        switch self {
        case .write: try AtomicFile.write(bytes, to: path, isDurable: isDurable)
        case .create: try AtomicFile.create(bytes, at: path, isDurable: isDurable)
        }
      }
    }

    @Test("is the old or the new one after a failure of any call, and nothing lies about", arguments: Way.allCases)
    func faults(way: Way) throws {
      for code in [EIO, ENOSPC, EACCES] {
        var number = 0
        while true {
          let path = folder.appending("f")
          if way == .write { try AtomicFile.write(old, to: path) }
          let (result, report) = FaultInjection.run(.failing(call: number, errno: code)) { () throws(SystemError) in
            try way.apply(new, path)
          }
          let content = try? FileSystem.read(path, limit: 10_000)
          let before = way == .write ? old : nil
          guard report.isInjected else {
            #expect(content == new && number >= 6)
            try? FileSystem.remove(at: path)
            break
          }
          let function = report.calls[number].function
          if case .failure(let error) = result { #expect(error.code == code) } else { Issue.record("\(function)") }
          // Only the folder's own synchronization comes after the name was taken.
          #expect(content == (function == "fsync" ? new : before), "\(function)")
          #expect(try folder.names() == (content == nil ? [] : [[0x66]]), "\(function)")
          try? FileSystem.remove(at: path)
          number += 1
        }
      }
    }

    @Test(
      "is the old or the new one after a crash at any call and a power loss, and the new one once acknowledged",
      arguments: Way.allCases)
    func powerLoss(way: Way) throws {
      for keeping in 0...2 {
        for crash in 0..<9 {
          let place = try TemporaryDirectory()
          let path = place.appending("f")
          if way == .write { try AtomicFile.write(old, to: path) }
          let (result, report) = FaultInjection.run(.tearing(afterCalls: crash)) { () throws(SystemError) in
            try way.apply(new, path)
          }
          try report.simulatePowerLoss(keeping: keeping)
          let content = try? FileSystem.read(path, limit: 10_000)
          let before = way == .write ? old : nil
          #expect(content == new || content == before)
          if case .success = result { #expect(content == new) }
          let others = try place.names().filter { $0 != [0x66] }
          #expect(others.allSatisfy { $0.starts(with: TemporaryName.prefix) } && others.count <= 1)
        }
      }
    }

    @Test("would be empty after a power loss if its bytes were not synchronized first")
    func withoutSynchronization() throws {
      let path = folder.appending("f")
      try AtomicFile.write(old, to: path)
      let (_, report) = FaultInjection.run(.observing) { () throws(SystemError) in
        try AtomicFile.write(new, to: path, isDurable: false)
      }
      try report.simulatePowerLoss(keeping: 2)
      #expect(try FileSystem.read(path, limit: 10_000) == [])
    }

    @Test("is made by a hard link where the file system cannot rename without replacing")
    func hardLink() throws {
      let path = folder.appending("f")
      for expected in [nil, EEXIST] {
        let (result, report) = FaultInjection.run(.failing(function: "renameat2", errno: EINVAL)) {
          () throws(SystemError) in
          try AtomicFile.create(new, at: path)
        }
        #expect(report.isInjected)
        if case .failure(let error) = result { #expect(error.code == expected) } else { #expect(expected == nil) }
        #expect(try FileSystem.read(path, limit: 10_000) == new)
        #expect(try FileStatus.of(path).linkCount == 1)
        #expect(try folder.names() == [[0x66]])
      }
    }

    @Test("is taken as durable where folders cannot be synchronized at all")
    func folderSynchronization() throws {
      let (result, report) = FaultInjection.run(.failing(function: "fsync", errno: EINVAL)) { () throws(SystemError) in
        try AtomicFile.write(new, to: folder.appending("f"))
      }
      #expect(throws: Never.self) { try result.get() }
      #expect(report.isInjected)
    }
  #endif
}
