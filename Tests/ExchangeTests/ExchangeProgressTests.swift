import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore

@Suite("The progress of an exchange") struct ExchangeProgressTests {
  private let world: SimulatedWorld
  private let a: SimulatedDevice
  /// More than are placed one by one.
  private static let count = 200

  init() throws {
    world = try SimulatedWorld()
    a = try world.device("a")
    for number in 0..<Self.count { try a.write("text \(number)", to: "folder/\(number)") }
    try a.saveAll()
  }

  private func last(_ stage: ExchangeProgress.Stage, in told: [ExchangeProgress]) -> ExchangeProgress? {
    told.last { $0.stage == stage }
  }

  /// The stages in the order in which they were told first.
  private func stages(_ told: [ExchangeProgress]) -> [ExchangeProgress.Stage] {
    var stages: [ExchangeProgress.Stage] = []
    for progress in told where !stages.contains(progress.stage) { stages.append(progress.stage) }
    return stages
  }

  private func expectNothingTooMuch(_ told: [ExchangeProgress]) {
    for progress in told { #expect(progress.done <= progress.total ?? .max, "\(progress)") }
  }

  /// Packs are told of, and not one log entry.
  private func expectPacks(_ progress: ExchangeProgress?, of byteCount: UInt64) throws {
    let progress = try #require(progress)
    #expect(progress.total == nil && (byteCount - 200..<byteCount).contains(progress.done))
  }

  @Test("tells the bytes that are sent") func sending() throws {
    var told: [ExchangeProgress] = []
    let session = ExchangeSession(a.repository, with: try RemoteURL(world.remote().bytes))
    session.progress = { told.append($0) }
    let report = try session.run()
    #expect(stages(told) == [.sending] && report.sentBytes > 0)
    try expectPacks(last(.sending, in: told), of: report.sentBytes)
    told = []
    _ = try session.run()
    #expect(told.isEmpty)
  }

  @Test("tells what a clone receives, takes in and places") func clone() throws {
    try a.sync(world.remote())
    var told: [ExchangeProgress] = []
    let (repository, report) = try Clone.run(
      from: RemoteURL(world.remote().bytes), relativeTo: world.directory.path,
      into: world.directory.appending("copy"), isMetadataOnly: false, environment: a.repository.store.environment
    ) { told.append($0) }
    #expect(stages(told) == [.receiving, .takingIn, .placing])
    expectNothingTooMuch(told)
    try expectPacks(last(.receiving, in: told), of: report.fetchedBytes)
    let count = UInt64(Self.count)
    #expect(last(.placing, in: told) == ExchangeProgress(.placing, done: count, of: count))
    #expect(told.filter { $0.stage == .takingIn }.count >= 2 * Self.count)
    // It is told no more of what comes later.
    told = []
    try repository.store.rebuild()
    #expect(told.isEmpty)
  }

  @Test("tells of few files and of both ways") func bothWays() throws {
    let b = try world.device("b")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.save("more", at: "folder/1")
    try a.sync(world.remote())
    try b.save("other", at: "folder/2")
    var told: [ExchangeProgress] = []
    let session = ExchangeSession(b.repository, with: try RemoteURL(world.remote().bytes))
    session.progress = { told.append($0) }
    _ = try session.run()
    #expect(stages(told) == [.receiving, .takingIn, .placing, .sending])
    expectNothingTooMuch(told)
    for stage in [ExchangeProgress.Stage.takingIn, .placing] {
      let end = try #require(last(stage, in: told))
      #expect(end.done == end.total, "\(end)")
    }
    #expect(b.read("folder/1") == "more")
  }
}
