import TestSupport
import Testing

@testable import Deflate

@Suite("The inflater of whole streams") struct FastInflaterTests {
  /// What it makes of a stream; `nil` where it leaves it to zlib.
  private func fast(_ stream: [UInt8], dictionary: [UInt8] = [], byteCount: Int) -> [UInt8]? {
    var inflater = FastInflater()
    defer { inflater.deallocate() }
    // Bytes on both sides tell whether it writes beyond its output.
    var output = [UInt8](repeating: 0xA5, count: byteCount + 64)
    let isDone = stream.withUnsafeBytes { stream in
      dictionary.withUnsafeBytes { dictionary in
        output.withUnsafeMutableBytes { output in
          inflater.inflate(
            stream, dictionary: dictionary,
            into: UnsafeMutableRawBufferPointer(rebasing: output[32..<32 + byteCount]))
        }
      }
    }
    #expect(output.prefix(32).allSatisfy { $0 == 0xA5 } && output.suffix(32).allSatisfy { $0 == 0xA5 })
    return isDone ? Array(output[32..<32 + byteCount]) : nil
  }

  private func zlib(_ stream: [UInt8], dictionary: [UInt8] = [], byteCount: Int) -> Result<[UInt8], DeflateError> {
    var output = [UInt8](repeating: 0, count: byteCount)
    var failure: DeflateError?
    stream.withUnsafeBytes { stream in
      dictionary.withUnsafeBytes { dictionary in
        output.withUnsafeMutableBytes { output in
          do throws(DeflateError) {
            try Inflater().inflateByZlib(stream, dictionary: dictionary, into: output, isPrefix: false)
          } catch { failure = error }
        }
      }
    }
    return failure.map { .failure($0) } ?? .success(output)
  }

  @Test("gives back what zlib compressed, at every level and memory level", arguments: DeflateSample.allCases)
  func everyLevel(sample: DeflateSample) {
    for level in [0, 1, 3, 4, 6, 9] {
      for (memoryLevel, count) in [(8, 1), (8, 7), (8, 300), (9, 5000), (1, 40_000)] {
        let bytes = sample.bytes(count, seed: UInt64(level))
        let stream = ZlibReference.deflate(bytes, DeflateSettings(level: level, memoryLevel: memoryLevel))
        #expect(fast(stream, byteCount: count) == bytes, "level \(level), \(count) bytes")
      }
    }
  }

  @Test("reads streams with blocks of all kinds, flushed anywhere", arguments: DeflateSample.allCases)
  func flushes(sample: DeflateSample) {
    let bytes = sample.bytes(80_000)
    let kinds: [DeflateFlush.Kind] = [.partial, .sync, .full, .sync, .full, .partial]
    let flushes = kinds.enumerated().map { DeflateFlush($0.element, at: 1 + 13_000 * $0.offset) }
    let stream = ZlibReference.deflate(bytes, DeflateSettings(level: 6), flushes: flushes)
    #expect(fast(stream, byteCount: bytes.count) == bytes)
  }

  @Test("goes on from a dictionary", arguments: DeflateSample.allCases, [1, 200, 31_000, 32_768, 40_000])
  func dictionary(sample: DeflateSample, count: Int) {
    for size in [1, 50, 1000, 50_000] {
      let bytes = sample.bytes(count + size)
      let dictionary = Array(bytes[..<count])
      let rest = Array(bytes[count...])
      let stream = ZlibReference.deflate(rest, dictionary: dictionary)
      #expect(fast(stream, dictionary: dictionary, byteCount: size) == rest)
    }
  }

  @Test("takes nothing that zlib doesn't, and makes the same of it", arguments: 0..<100 as Range<UInt64>)
  func damage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sample = DeflateSample.allCases[Int(seed) % DeflateSample.allCases.count]
    let bytes = sample.bytes(Int.random(in: 1...1200, using: &generator), seed: seed)
    let dictionary = seed.isMultiple(of: 2) ? sample.bytes(500, seed: seed &+ 1) : []
    let stream = ZlibReference.deflate(bytes, dictionary: dictionary)
    for _ in 0..<20 {
      var damaged = stream
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      if Int.random(in: 0..<4, using: &generator) == 0 { damaged.removeLast(min(damaged.count, 1 + Int(seed % 9))) }
      if Int.random(in: 0..<8, using: &generator) == 0 { damaged += [0, 1, 2].prefix(Int(seed % 3) + 1) }
      guard let made = fast(damaged, dictionary: dictionary, byteCount: bytes.count) else { continue }
      #expect(zlib(damaged, dictionary: dictionary, byteCount: bytes.count) == .success(made))
    }
  }

  @Test("takes no random bytes that zlib doesn't take", arguments: 0..<200 as Range<UInt64>)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 1...200, using: &generator)
      var stream = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Half of them begin as a last block with codes of its own.
      if Bool.random(using: &generator) { stream[0] = stream[0] & 0xF8 | 5 }
      let byteCount = Int.random(in: 1...300, using: &generator)
      guard let made = fast(stream, byteCount: byteCount) else { continue }
      #expect(zlib(stream, byteCount: byteCount) == .success(made))
    }
  }

  @Test("refuses a stream that is cut anywhere, or goes on", arguments: DeflateSample.allCases)
  func lengths(sample: DeflateSample) {
    let bytes = sample.bytes(600)
    let stream = ZlibReference.deflate(bytes, DeflateSettings(level: 6))
    for count in 0..<stream.count { #expect(fast(Array(stream[..<count]), byteCount: bytes.count) == nil) }
    for extra in [1, 7, 8, 9] {
      #expect(fast(stream + [UInt8](repeating: 0, count: extra), byteCount: bytes.count) == nil)
    }
    for count in [1, 599, 601, 700] { #expect(fast(stream, byteCount: count) == nil) }
  }
}
