public import SystemIO
import Versioning

/// What a store takes from outside: the clock and the choices of the person who runs it.
public struct StoreEnvironment: Sendable {
  /// Milliseconds since 1970 by the wall clock.
  public var now: @Sendable () -> Int64
  /// The name of a device that has to be made; the host's name where `nil`.
  public var deviceName: [UInt8]?
  /// How long to wait for another process's lock.
  public var lockTimeoutMilliseconds: Int

  public init(
    now: @escaping @Sendable () -> Int64 = { Clock.wallMilliseconds }, deviceName: [UInt8]? = nil,
    lockTimeoutMilliseconds: Int = 10_000
  ) {
    self.now = now
    self.deviceName = deviceName
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
  }

  /// The time now. Beyond the years that a record can hold the clock means nothing (R10).
  var clampedNow: Int64 { min(max(now(), LogicalTime.firstMillisecond), LogicalTime.lastMillisecond) }

  /// The name for a new device: 1 to 255 bytes.
  var nameOfNewDevice: [UInt8] {
    let name = deviceName ?? Machine.hostName
    return name.isEmpty ? Array("device".utf8) : Array(name.prefix(255))
  }
}
