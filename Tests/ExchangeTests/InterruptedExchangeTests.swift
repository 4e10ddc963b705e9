import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("An interrupted exchange") struct InterruptedExchangeTests {
  private let world: SimulatedWorld
  private let a: SimulatedDevice
  private let b: SimulatedDevice

  init() throws {
    world = try SimulatedWorld()
    (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("start", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
  }

  enum Ending: CaseIterable, Sendable {
    case killed, killedInAWrite, powerLoss
  }

  private func plan(_ ending: Ending, _ number: Int) -> FaultPlan {
    ending == .killed ? .crashing(afterCalls: number) : .tearing(afterCalls: number)
  }

  @Test("goes on with the next one, at whatever call it ended", arguments: Ending.allCases)
  func everyCall(_ ending: Ending) throws {
    var number = 0
    var isInjected = true
    var expected: Set<String> = ["start"]
    while isInjected && number < 2000 {
      // `a` has something to fetch, to place and to send.
      try b.save("b \(number)", at: "d")
      try b.sync(world.remote())
      try a.save("a \(number)", at: "x")
      expected.insert("b \(number)")
      let (_, report) = FaultInjection.run(plan(ending, number)) { () throws(ExchangeError) in
        _ = try a.sync(world.remote())
      }
      isInjected = report.isInjected
      if ending == .powerLoss { try report.simulatePowerLoss() }
      // Nobody else is disturbed by what is half done.
      let during = try b.sync(world.remote())
      #expect(during.failure == nil && during.warnings.isEmpty, "call \(number): \(during.warnings)")
      try a.reopen()
      #expect(a.read("x") == "a \(number)", "call \(number)")
      let after = try a.sync(world.remote())
      #expect(after.failure == nil && after.warnings.isEmpty, "call \(number): \(after.warnings)")
      #expect(a.read("d") == "b \(number)", "call \(number)")
      try b.sync(world.remote())
      #expect(b.read("x") == "a \(number)", "call \(number)")
      number += 5
    }
    #expect(number > 100 && !isInjected)
    #expect(try a.versionIDs() == b.versionIDs())
    #expect(try a.contents("d") == expected)
    for device in [a, b] {
      #expect(try device.conflicts().isEmpty)
      #expect(try device.sync(world.remote()).isUpToDate)
      #expect(try device.repository.verify(isQuick: false).damages == [])
    }
  }

  @Test("that failed at one call says so, and the next one goes on", arguments: [5, 28] as [Int32])
  func oneFailedCall(_ code: Int32) throws {
    var number = 0
    var isInjected = true
    while isInjected && number < 2000 {
      try b.save("b \(number)", at: "d")
      try b.sync(world.remote())
      try a.save("a \(number)", at: "x")
      let (_, report) = FaultInjection.run(.failing(call: number, errno: code)) { () throws(ExchangeError) in
        _ = try a.sync(world.remote())
      }
      isInjected = report.isInjected
      try a.reopen()
      try a.sync(world.remote())
      try b.sync(world.remote())
      #expect(a.read("d") == "b \(number)" && b.read("x") == "a \(number)", "call \(number)")
      number += 9
    }
    #expect(try a.versionIDs() == b.versionIDs())
    #expect(try a.conflicts().isEmpty)
  }
}
