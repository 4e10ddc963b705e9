import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

#if DEBUG
  @Suite("Faults while packs are written") struct PackFaultTests {
    /// Groups whose commit returned, by what they hold.
    private final class Acknowledged {
      var groups: [[UInt8]] = []
      var sealed: SealedPack?
    }

    /// Creates a pack, commits three groups (the last one larger than the buffer, so that it is written in pieces),
    /// opens it again, commits one more, and seals it.
    private func work(_ sample: PackSample, _ acknowledged: Acknowledged) throws {
      var writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
      writer.bufferByteCount = 100
      func commit(_ bytes: [UInt8]) throws {
        writer.begin()
        _ = try writer.append(.object(PackSample.blob(bytes)))
        if bytes.count > 100 { _ = try writer.append(.journal(bytes)) }
        try writer.commit(.save)
        acknowledged.groups.append(bytes)
      }
      try commit(PackSample.hello)
      try commit(PackSample.world)
      try commit(SeededGenerator.bytes(300, seed: 2))
      writer = try sample.reopen()
      try commit(PackSample.there)
      acknowledged.sealed = try sample.seal([try sample.open()])
    }

    private func check(_ sample: PackSample, _ acknowledged: Acknowledged, _ comment: Comment) throws {
      if acknowledged.groups.isEmpty, (try? FileStatus.of(sample.activePath)) == nil { return }
      let writer = try sample.reopen()
      let found = try PackSample.contents(of: try sample.open()).blobs
      // A group that was not acknowledged may be there, but only whole.
      #expect(found.starts(with: acknowledged.groups), comment)
      #expect(found.count <= acknowledged.groups.count + 1, comment)
      #expect(!writer.isBroken, comment)
      guard let sealed = acknowledged.sealed else { return }
      let pack = try sample.openSealed(sealed)
      #expect(pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty, comment)
    }

    private func callCount() throws -> Int {
      let sample = try PackSample()
      let (result, report) = FaultInjection.run(.observing) { try work(sample, Acknowledged()) }
      try result.get()
      return report.calls.count
    }

    @Test("After power loss at any call every group whose commit returned is there, whole")
    func powerLoss() throws {
      let count = try callCount()
      #expect(count > 30)
      for calls in 0...count {
        for (plan, keeping) in [(FaultPlan.crashing(afterCalls: calls), 0), (.tearing(afterCalls: calls), 1)] {
          let sample = try PackSample()
          let acknowledged = Acknowledged()
          let (_, report) = FaultInjection.run(plan) { try work(sample, acknowledged) }
          try report.simulatePowerLoss(keeping: keeping)
          try check(sample, acknowledged, "after \(calls) calls, \(keeping) names kept")
        }
      }
    }

    @Test("A process killed at any call loses no group whose commit returned")
    func killed() throws {
      for calls in 0...(try callCount()) {
        let sample = try PackSample()
        let acknowledged = Acknowledged()
        _ = FaultInjection.run(.tearing(afterCalls: calls)) { try work(sample, acknowledged) }
        try check(sample, acknowledged, "after \(calls) calls")
      }
    }

    @Test("Any single failing call is an error or harmless, and loses nothing", arguments: [5, 28] as [Int32])
    func singleFailures(errno code: Int32) throws {
      for call in 0..<(try callCount()) {
        let sample = try PackSample()
        let acknowledged = Acknowledged()
        let (_, report) = FaultInjection.run(.failing(call: call, errno: code)) { try work(sample, acknowledged) }
        try check(sample, acknowledged, "call \(call)")
        try report.simulatePowerLoss()
        try check(sample, acknowledged, "call \(call), then power loss")
      }
    }

    @Test("After a failed fdatasync the writer is broken and the file is not written on")
    func failedSynchronization() throws {
      let sample = try PackSample()
      let writer = try sample.write()
      let (result, report) = FaultInjection.run(.failing(function: "fdatasync", errno: 5)) {
        writer.begin()
        _ = try writer.append(.journal([1]))
        try writer.commit(.save)
      }
      #expect(throws: ObjectStoreError.self) { try result.get() }
      #expect(report.isInjected && writer.isBroken && writer.byteCount == 449)
      #expect(throws: ObjectStoreError.broken) { try writer.commit(.save) }
      #expect(throws: ObjectStoreError.broken) { _ = try writer.append(.journal([1])) }
      #expect(throws: ObjectStoreError.broken) { try writer.flush() }
      writer.abandon()
      #expect(try FileSystem.read(sample.activePath, limit: 1 << 20) == GoldenPacks.activePack)
    }

    @Test("A failed seal leaves no temporary file and no half pack")
    func failedSeal() throws {
      let sample = try PackSample()
      try sample.write()
      let pack = try sample.open()
      let (_, report) = FaultInjection.run(.observing) { try PackSample().seal([pack]) }
      for call in 0..<report.calls.count {
        let sample = try PackSample()
        let (result, _) = FaultInjection.run(.failing(call: call, errno: 28)) { try sample.seal([pack]) }
        let names = try FileSystem.list(sample.packs).map(\.name)
        if report.calls[call].function != "unlink" {
          #expect(!names.contains { $0.starts(with: TemporaryName.prefix) }, "\(report.calls[call])")
        }
        for folder in names where !folder.starts(with: TemporaryName.prefix) {
          for name in try FileSystem.list(sample.packs.appending(folder)).map(\.name) {
            #expect(String(decoding: name, as: UTF8.self) == GoldenPacks.sealedName)
            let bytes = try FileSystem.read(sample.packs.appending(folder).appending(name), limit: 999)
            #expect(bytes == GoldenPacks.sealedPack)
          }
        }
        _ = try? result.get()
      }
    }
  }
#endif
