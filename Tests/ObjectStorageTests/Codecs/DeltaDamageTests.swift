import Deflate
import ObjectStorage
import TestSupport
import Testing

private typealias Edit = DeltaReference.Edit

private struct Hostile: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var delta: [UInt8]
  var byteCount = 10
  var error: DeltaError
}

@Suite("DeltaCodec, given hostile deltas") struct DeltaDamageTests {
  private let base = Array("0123456789".utf8)

  @Test(
    "refuses them",
    arguments: [
      Hostile(testDescription: "nothing", delta: [], error: .truncated),
      Hostile(
        testDescription: "more edits than bytes", delta: [0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0], error: .truncated),
      Hostile(testDescription: "the greatest head", delta: .init(repeating: 0xFF, count: 9) + [1], error: .truncated),
      Hostile(testDescription: "a head of 65 bits", delta: .init(repeating: 0xFF, count: 9) + [2], error: .malformed),
      Hostile(testDescription: "a long zero", delta: [0x80, 0], error: .malformed),
      Hostile(testDescription: "a cut edit", delta: [4, 1, 0, 2, 0], error: .truncated),
      Hostile(testDescription: "a copy beyond the base", delta: [2, 11, 0], byteCount: 11, error: .outsideBase),
      Hostile(
        testDescription: "a copy beyond the base, from within",
        delta: DeltaReference.delta([Edit(copy: 5, insert: 0, jump: 1), Edit(copy: 5, insert: 0, jump: 0)]),
        error: .outsideBase),
      Hostile(
        testDescription: "the greatest copy",
        delta: DeltaReference.delta([Edit(copy: .max, insert: .max, jump: 0)]), error: .outsideBase),
      Hostile(
        testDescription: "the greatest insertion",
        delta: DeltaReference.delta([Edit(copy: 1, insert: .max, jump: 0)]), error: .wrongLength),
      Hostile(
        testDescription: "a jump before the base",
        delta: DeltaReference.delta([Edit(copy: 5, insert: 0, jump: -6), Edit(copy: 0, insert: 0, jump: 0)]),
        error: .outsideBase),
      Hostile(
        testDescription: "a jump behind the base",
        delta: DeltaReference.delta([Edit(copy: 5, insert: 0, jump: 6), Edit(copy: 0, insert: 0, jump: 0)]),
        error: .outsideBase),
      Hostile(
        testDescription: "the greatest jump",
        delta: DeltaReference.delta([Edit(copy: 5, insert: 0, jump: .max), Edit(copy: 0, insert: 0, jump: 0)]),
        error: .outsideBase),
      Hostile(
        testDescription: "the least jump",
        delta: DeltaReference.delta([Edit(copy: 5, insert: 0, jump: .min), Edit(copy: 0, insert: 0, jump: 0)]),
        error: .outsideBase),
      Hostile(testDescription: "more than the length", delta: [2, 10, 1, 65], error: .wrongLength),
      Hostile(testDescription: "a rest longer than the base", delta: [0], byteCount: 11, error: .wrongLength),
      Hostile(testDescription: "bytes left over", delta: [0, 0], error: .wrongLength),
      Hostile(testDescription: "inserted bytes missing", delta: [2, 5, 2, 65], error: .wrongLength),
      Hostile(testDescription: "deflate of nothing", delta: [1, 3, 0], error: .wrongLength),
      Hostile(testDescription: "an empty deflate stream", delta: [3, 5, 1], error: .inserted(.truncated)),
      Hostile(testDescription: "no deflate", delta: [3, 5, 1, 7, 0], error: .inserted(.malformed)),
      Hostile(
        testDescription: "a deflate bomb", delta: [3, 0, 0xFF, 0xFF, 0xFF, 0x1F, 3, 0], byteCount: 64 << 20,
        error: .inserted(.wrongLength)),
      Hostile(testDescription: "a negative length", delta: [0], byteCount: -1, error: .wrongLength),
      Hostile(testDescription: "the greatest length", delta: [0], byteCount: .max, error: .wrongLength),
      Hostile(
        testDescription: "more than an object may have", delta: [0], byteCount: 64 << 20 + 1, error: .wrongLength),
    ])
  private func refused(_ row: Hostile) {
    #expect(throws: row.error) { try DeltaCodec.decode(row.delta, base: base, byteCount: row.byteCount) }
    #expect(throws: (any Error).self) {
      // The reference keeps the edits, so it is spared lengths beyond reason.
      guard row.byteCount >= 0, row.byteCount <= 64 << 20 else { throw row.error }
      _ = try DeltaReference.decode(row.delta, base: base, byteCount: row.byteCount)
    }
  }

  @Test("judges changed deltas as the reference does", arguments: 0..<400 as Range<UInt64>)
  func changedBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let base = TextEdits.text(Int.random(in: 0...3000, using: &generator), using: &generator)
    let new = TextEdits.edited(base, count: 3, using: &generator)
    let whole = DeltaCodec.encode(new, base: base)
    for _ in 0..<8 {
      var delta = whole
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: delta.removeLast(Int.random(in: 0...delta.count, using: &generator))
      case 1: delta.append(UInt8.random(in: 0...255, using: &generator))
      default:
        // The edits stand at the front.
        let place = Int.random(in: 0..<min(delta.count, 12), using: &generator)
        delta[place] = Bool.random(using: &generator) ? delta[place] ^ 1 : UInt8.random(in: 0...255, using: &generator)
      }
      let byteCount = max(
        0, new.count + (Bool.random(using: &generator) ? 0 : Int.random(in: -9...9, using: &generator)))
      let expected = try? DeltaReference.decode(delta, base: base, byteCount: byteCount)
      #expect((try? DeltaCodec.decode(delta, base: base, byteCount: byteCount)) == expected)
    }
  }

  @Test("judges noise as the reference does", arguments: 0..<300 as Range<UInt64>)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let delta = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        UInt8.random(in: 0...(Bool.random(using: &generator) ? 255 : 8), using: &generator)
      }
      let byteCount = Int.random(in: 0...20, using: &generator)
      let expected = try? DeltaReference.decode(delta, base: base, byteCount: byteCount)
      #expect((try? DeltaCodec.decode(delta, base: base, byteCount: byteCount)) == expected)
    }
  }
}
