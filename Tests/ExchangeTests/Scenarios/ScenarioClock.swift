/// The wall clock of a simulated device: the common time of a run, which moves with every step, or wrong by a setting.
final class ScenarioClock: @unchecked Sendable {
  enum Setting: Sendable {
    case offset(milliseconds: Int64)
    case frozen(milliseconds: Int64)
  }

  /// The time that all devices of a run have in common.
  final class CommonTime: @unchecked Sendable {
    private(set) var now: Int64 = 1_764_460_800_000

    func advance(_ milliseconds: Int64) { now += milliseconds }
  }

  private let common: CommonTime
  var setting = Setting.offset(milliseconds: 0)

  init(_ common: CommonTime) {
    self.common = common
  }

  var now: Int64 {
    switch setting {
    case .offset(let milliseconds): common.now + milliseconds
    case .frozen(let milliseconds): milliseconds
    }
  }
}
