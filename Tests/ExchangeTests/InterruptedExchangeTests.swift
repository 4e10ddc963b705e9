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
    try a.sync(world.remote())
    try b.sync(world.remote())
  }

  enum Ending: CaseIterable, Sendable {
    case killed, killedInAWrite, powerLoss
  }

  private func plan(_ ending: Ending, _ number: Int) -> FaultPlan {
    ending == .killed ? .crashing(afterCalls: number) : .tearing(afterCalls: number)
  }

  /// Every so many calls one exchange is ended, each time at another call in between.
  private static let stride = 13

  /// Gives `a` something to fetch, a file to make and one to replace, and something to send.
  private func prepare(_ number: Int) throws {
    try b.write("first \(number)", to: "b\(number)")
    if number > 0 { try b.write("second", to: "b\(number - 1)") }
    try b.saveAll()
    try b.sync(world.remote())
    try a.save("a \(number)", at: "a\(number)")
  }

  private func expectExchanged(_ number: Int, _ what: String) {
    #expect(a.read("a\(number)") == "a \(number)" && a.read("b\(number)") == "first \(number)", "\(what)")
    #expect(b.read("a\(number)") == "a \(number)", "\(what)")
    if number > 0 { #expect(a.read("b\(number - 1)") == "second", "\(what)") }
  }

  private func expectEqual() throws {
    #expect(try a.versionIDs() == b.versionIDs())
    for device in [a, b] {
      #expect(try device.conflicts().isEmpty)
      #expect(try device.sync(world.remote()).isUpToDate)
      #expect(try device.repository.verify(isQuick: false).damages == [])
    }
  }

  @Test("goes on with the next one, at whatever call it ended", arguments: Ending.allCases)
  func everyCall(_ ending: Ending) throws {
    var generator = SeededGenerator(seed: UInt64(Self.stride))
    var isInjected = true
    var number = 0
    while isInjected && number < 300 {
      try prepare(number)
      let plan = plan(ending, Self.stride * number + Int.random(in: 0..<Self.stride, using: &generator))
      let (_, report) = FaultInjection.run(plan) { () throws(ExchangeError) in _ = try a.sync(world.remote()) }
      isInjected = report.isInjected
      if ending == .powerLoss { try report.simulatePowerLoss() }
      let what = "\(plan)"
      // Nobody else is disturbed by what is half done.
      let during = try b.sync(world.remote())
      #expect(during.failure == nil && during.warnings.isEmpty, "\(what): \(during.warnings)")
      try a.reopen()
      let after = try a.sync(world.remote())
      #expect(after.failure == nil && after.warnings.isEmpty, "\(what): \(after.warnings)")
      try b.sync(world.remote())
      expectExchanged(number, what)
      number += 1
    }
    #expect(!isInjected && number > 20)
    try expectEqual()
  }

  @Test("that failed at one call goes on with the next one", arguments: [5, 28] as [Int32])
  func oneFailedCall(_ code: Int32) throws {
    var isInjected = true
    var number = 0
    while isInjected && number < 300 {
      try prepare(number)
      let plan = FaultPlan.failing(call: 2 * Self.stride * number, errno: code)
      let (_, report) = FaultInjection.run(plan) { () throws(ExchangeError) in _ = try a.sync(world.remote()) }
      isInjected = report.isInjected
      try a.reopen()
      try a.sync(world.remote())
      try b.sync(world.remote())
      expectExchanged(number, "\(plan)")
      number += 1
    }
    #expect(!isInjected)
    try expectEqual()
  }
}
