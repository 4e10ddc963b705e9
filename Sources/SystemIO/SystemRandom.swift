import CSystem

/// The kernel's random numbers, fit for identifiers and keys. It ends the process where the kernel has none.
public struct SystemRandom: RandomNumberGenerator, Sendable {
  public init() {}

  public mutating func next() -> UInt64 {
    var value: UInt64 = 0
    csystem_random(&value, MemoryLayout<UInt64>.size)
    return value
  }

  public static func bytes(count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, 0))
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { csystem_random(start, $0.count) } }
    return bytes
  }
}
