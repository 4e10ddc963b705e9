import Hashing

/// Finds where large content is cut, so that equal stretches give equal chunks wherever they stand.
///
/// Cost: about half a millisecond a megabyte.
///
/// Source: docs/format.md, "Chunking"; Xia et al., "FastCDC: a Fast and Efficient Content-Defined Chunking Approach"
/// (2016), with the chunk sizes normalised by two bits.
public struct Chunker: Sendable {
  public let minimum: Int
  public let average: Int
  public let maximum: Int
  private let maskBeforeAverage: UInt64
  private let maskAfterAverage: UInt64

  /// Creates a chunker; sizes are in bytes, and the average is a power of two from 64 to 2^32.
  public init(minimum: Int = 16 << 10, average: Int = 64 << 10, maximum: Int = 256 << 10) {
    precondition(average.nonzeroBitCount == 1 && average >= 64 && average <= 1 << 32, "a power of two")
    precondition(minimum >= 0 && minimum <= average && average <= maximum, "sizes ascend")
    self.minimum = minimum
    self.average = average
    self.maximum = maximum
    // The top bits have seen the last 64 bytes.
    let bits = UInt64(average.trailingZeroBitCount)
    maskBeforeAverage = ~0 << (64 - (bits + 2))
    maskAfterAverage = ~0 << (64 - (bits - 2))
  }

  /// The number that the hash adds for each byte value.
  static let gear: [UInt64] = (0..<256).map { SHA256.hash(Array("dver gear \($0)".utf8)).prefix }

  /// How far a chunk is.
  struct State {
    var byteCount = 0
    var hash: UInt64 = 0
  }

  /// Goes on with a chunk in the bytes that follow.
  ///
  /// - Returns: how many of them belong to it, and whether it ends there.
  func goOn(_ state: inout State, in bytes: UnsafeRawBufferPointer) -> (byteCount: Int, isCut: Bool) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return (0, false) }
    return Self.gear.withUnsafeBufferPointer { buffer in
      guard let gear = buffer.baseAddress else { preconditionFailure("the table is not empty") }
      let before = state.byteCount
      let end = min(bytes.count, maximum - before)
      let middle = max(0, min(end, average - before))
      var position = max(0, min(end, minimum - before))
      var hash = state.hash
      while position < middle {
        hash = hash &<< 1 &+ gear[Int(start[position])]
        position &+= 1
        if hash & maskBeforeAverage == 0 {
          state.byteCount = before + position
          return (position, true)
        }
      }
      while position < end {
        hash = hash &<< 1 &+ gear[Int(start[position])]
        position &+= 1
        if hash & maskAfterAverage == 0 {
          state.byteCount = before + position
          return (position, true)
        }
      }
      state = State(byteCount: before + end, hash: hash)
      return (end, before + end == maximum)
    }
  }

  /// The length of the first chunk of content that begins with these bytes and ends with them, or goes on where there
  /// are at least ``maximum`` of them.
  public func firstCut(in bytes: UnsafeRawBufferPointer) -> Int {
    var state = State()
    return goOn(&state, in: bytes).byteCount
  }
}
