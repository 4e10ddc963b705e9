import Deflate
import ObjectStorage
import TestSupport
import Testing

extension DeltaCodec {
  static func encode(_ new: [UInt8], base: [UInt8], level: Int = 6) -> [UInt8] {
    new.withUnsafeBytes { new in
      base.withUnsafeBytes { encode(new, base: $0, deflater: Deflater(level: level)) }
    }
  }

  static func decode(_ delta: [UInt8], base: [UInt8], byteCount: Int) throws(DeltaError) -> [UInt8] {
    var failure: DeltaError?
    let result = delta.withUnsafeBytes { delta in
      base.withUnsafeBytes { base in
        do throws(DeltaError) {
          return try decode(delta, base: base, byteCount: byteCount, inflater: Inflater())
        } catch {
          failure = error
          return []
        }
      }
    }
    if let failure { throw failure }
    return result
  }
}

private struct Pair: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var base: [UInt8]
  var new: [UInt8]
  var greatestByteCount: Int

  init(_ testDescription: String, base: [UInt8], new: [UInt8], atMost greatestByteCount: Int) {
    self.testDescription = testDescription
    self.base = base
    self.new = new
    self.greatestByteCount = greatestByteCount
  }
}

private let text = {
  var generator = SeededGenerator(seed: 1)
  return TextEdits.text(20_000, using: &generator)
}()

private let otherText = {
  var generator = SeededGenerator(seed: 2)
  return TextEdits.text(20_000, using: &generator)
}()

private let repeated = [UInt8](repeating: 200, count: 9000)

private let pairs = [
  Pair("both empty", base: [], new: [], atMost: 1),
  Pair("base empty", base: [], new: Array("new".utf8), atMost: 6),
  Pair("new empty", base: text, new: [], atMost: 1),
  Pair("identical", base: text, new: text, atMost: 1),
  Pair("appended", base: text, new: text + [1], atMost: 6),
  Pair("beginning cut off", base: text, new: text.suffix(15_000), atMost: 1),
  Pair("end cut off", base: text, new: Array(text.prefix(15_000)), atMost: 4),
  Pair("one byte changed", base: text, new: changed(at: [9000]), atMost: 5),
  Pair("two far bytes changed", base: text, new: changed(at: [900, 19_000]), atMost: 12),
  Pair("halves exchanged", base: text, new: Array(text[10_000...] + text[..<10_000]), atMost: 16),
  Pair("twice itself", base: text, new: text + text, atMost: 12),
  Pair("a line from nearby inserted", base: text, new: withLine(at: 9000), atMost: 20),
  Pair("one byte again and again, another one", base: repeated, new: .init(repeating: 1, count: 9000), atMost: 40),
  Pair("one byte again and again, fewer times", base: repeated, new: Array(repeated.dropLast()), atMost: 1),
  Pair("one byte again and again, more often", base: repeated, new: repeated + repeated + [200], atMost: 12),
  Pair("reversed", base: text, new: text.reversed(), atMost: 12_000),
]

private func changed(at places: [Int]) -> [UInt8] {
  var changed = text
  for place in places { changed[place] = 1 }
  return changed
}

private func withLine(at place: Int) -> [UInt8] {
  var longer = text
  longer.insert(contentsOf: text[6000..<6040], at: place)
  return longer
}

@Suite("DeltaCodec") struct DeltaCodecTests {
  @Test("writes little for what is alike", arguments: pairs)
  private func sizes(_ pair: Pair) throws {
    let delta = DeltaCodec.encode(pair.new, base: pair.base)
    #expect(delta.count <= pair.greatestByteCount)
    #expect(try DeltaCodec.decode(delta, base: pair.base, byteCount: pair.new.count) == pair.new)
    #expect(try DeltaReference.decode(delta, base: pair.base, byteCount: pair.new.count) == pair.new)
  }

  @Test("gives back any edited text, as the reference does", arguments: 0..<150 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = TextEdits.text(Int.random(in: 0...12_000, using: &generator), using: &generator)
    let new = TextEdits.edited(base, count: Int.random(in: 1...6, using: &generator), using: &generator)
    let delta = DeltaCodec.encode(new, base: base, level: Int.random(in: 0...9, using: &generator))
    #expect(try DeltaCodec.decode(delta, base: base, byteCount: new.count) == new)
    #expect(try DeltaReference.decode(delta, base: base, byteCount: new.count) == new)
    let back = DeltaCodec.encode(base, base: new)
    #expect(try DeltaCodec.decode(back, base: new, byteCount: base.count) == base)
  }

  @Test("gives back contents of few different bytes, where everything looks alike", arguments: 0..<300 as Range<UInt64>)
  func fewBytes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let distinct = UInt8.random(in: 0...2, using: &generator)
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0...400, using: &generator)).map { _ in UInt8.random(in: 0...distinct, using: &generator) }
    }
    let base = bytes()
    let new = bytes()
    let delta = DeltaCodec.encode(new, base: base)
    #expect(try DeltaCodec.decode(delta, base: base, byteCount: new.count) == new)
  }

  @Test("uses a dictionary of the text around up to 500 edits", arguments: [1, 2, 499, 500, 501, 700])
  func manyEdits(count: Int) throws {
    var base: [UInt8] = []
    var new: [UInt8] = []
    for number in 0..<count {
      let line = (0..<60).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* $0 &* (number | 1)) }
      base += line
      // A piece of the line before it, which only the dictionary has.
      new += line + line[30..<58] + Array("\(number)".utf8)
    }
    let delta = DeltaCodec.encode(new, base: base)
    #expect(try DeltaCodec.decode(delta, base: base, byteCount: new.count) == new)
    #expect(try DeltaReference.decode(delta, base: base, byteCount: new.count) == new)
  }

  @Test("is never much longer than the deflated content")
  func unrelated() throws {
    let plain = text.withUnsafeBytes { Deflater().deflate($0) }
    #expect(DeltaCodec.encode(text, base: otherText).count < plain.count + 8)
    var generator = SeededGenerator(seed: 3)
    let random = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(DeltaCodec.encode(random, base: text).count == random.count + 4)
  }
}
