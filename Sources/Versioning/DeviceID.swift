/// The identity of one installation of a store: 128 random bits.
public struct DeviceID: Identifier128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
