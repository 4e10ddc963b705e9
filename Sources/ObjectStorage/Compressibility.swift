/// Whether it pays to deflate bytes, judged by a sample.
public enum Compressibility {
  /// Whether the bytes look random, as those of pictures and archives do: deflate would win nothing.
  ///
  /// Short contents never do, since trying costs little. Cost: about 0.1 ms a megabyte.
  public static func isIncompressible(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= sampleByteCount, let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return false
    }
    let pieces = (bytes.count + pieceByteCount - 1) / pieceByteCount
    var random = 0
    for piece in 0..<pieces {
      // The last piece ends with the content, so that a short rest is not judged by a few bytes.
      let position = max(0, min(piece * pieceByteCount, bytes.count - pieceByteCount))
      let count = min(pieceByteCount, bytes.count - position)
      if isRandom(start + position, count) { random += 1 }
    }
    return random * 8 >= pieces * 7
  }

  private static let pieceByteCount = 16 << 10
  private static let windowByteCount = 64
  private static let windowCount = 16
  private static let sampleByteCount = windowByteCount * windowCount

  /// The sum of the squared frequencies of 1,024 random bytes is 5,116 on average; this much is what 7.45 bits of
  /// entropy a byte give.
  private static let greatestSquareSum = 7000

  private static func isRandom(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 256) { frequencies in
      guard let frequency = frequencies.baseAddress else { return false }
      frequency.initialize(repeating: 0, count: 256)
      let stride = (count - windowByteCount) / (windowCount - 1)
      for window in 0..<windowCount {
        let bytes = start + window * stride
        for offset in 0..<windowByteCount { frequency[Int(bytes[offset])] &+= 1 }
      }
      var squareSum = 0
      for value in 0..<256 { squareSum &+= Int(frequency[value]) &* Int(frequency[value]) }
      return squareSum <= greatestSquareSum
    }
  }
}
