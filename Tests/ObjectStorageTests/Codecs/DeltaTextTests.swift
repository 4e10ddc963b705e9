import Deflate
import TestSupport
import Testing

@testable import ObjectStorage

private typealias Edit = DeltaReference.Edit

/// Deltas applied one after the other must make what each makes of a copy of the text.
@Suite("A text that deltas are applied to") struct DeltaTextTests {
  private struct Step {
    var delta: [UInt8]
    var byteCount: Int
  }

  /// What the steps make when every one copies the text, or why not and where.
  private func copied(_ steps: [Step], from root: [UInt8]) -> Result<[UInt8], Failure> {
    var text = root
    for (number, step) in steps.enumerated() {
      do throws(DeltaError) {
        text = try step.delta.withRawBytes { (delta) throws(DeltaError) in
          try text.withRawBytes { (base) throws(DeltaError) in
            try DeltaCodec.decode(delta, base: base, byteCount: step.byteCount, inflater: Inflater())
          }
        }
      } catch { return .failure(Failure(step: number, error: error)) }
    }
    return .success(text)
  }

  private func composed(_ steps: [Step], from root: [UInt8]) -> Result<[UInt8], Failure> {
    let text = DeltaText(root)
    let inflater = Inflater()
    for (number, step) in steps.enumerated() {
      do throws(DeltaError) {
        try step.delta.withRawBytes { (delta) throws(DeltaError) in
          try text.apply(delta, byteCount: step.byteCount, inflater)
        }
      } catch { return .failure(Failure(step: number, error: error)) }
    }
    return .success(text.bytes())
  }

  private struct Failure: Error, Equatable {
    var step: Int
    var error: DeltaError
  }

  private func delta(_ new: [UInt8], _ base: [UInt8]) -> Step {
    let bytes = new.withUnsafeBytes { new in
      base.withUnsafeBytes { DeltaCodec.encode(new, base: $0, deflater: Deflater()) }
    }
    return Step(delta: bytes, byteCount: new.count)
  }

  /// Edits of a text as no encoder makes them: jumps to and fro, empty ones, long ones.
  private func wildDelta(_ base: [UInt8], using generator: inout SeededGenerator) -> Step {
    var edits: [Edit] = []
    var position = 0
    var made = 0
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let copy = Int.random(in: 0...min(base.count - position, 5000), using: &generator)
      let insert = Bool.random(using: &generator) ? 0 : Int.random(in: 0...400, using: &generator)
      let next = Int.random(in: 0...base.count, using: &generator)
      edits.append(Edit(copy: UInt64(copy), insert: UInt64(insert), jump: Int64(next - position - copy)))
      (position, made) = (next, made + copy + insert)
    }
    let rest = Int.random(in: 0...base.count, using: &generator)
    if !edits.isEmpty { edits[edits.count - 1].jump = 0 }
    let inserted = edits.reduce(0) { $0 + Int($1.insert) }
    let bytes = TextEdits.text(inserted, using: &generator)
    guard inserted > 0, Bool.random(using: &generator) else {
      return Step(delta: DeltaReference.delta(edits, inserted: bytes), byteCount: made + rest)
    }
    return Step(
      delta: DeltaReference.delta(edits, isDeflated: true, inserted: deflated(bytes, edits, base, rest)),
      byteCount: made + rest)
  }

  private func deflated(_ inserted: [UInt8], _ edits: [Edit], _ base: [UInt8], _ rest: Int) -> [UInt8] {
    var places: [(from: Int, to: Int)] = []
    var position = 0
    for (number, edit) in edits.enumerated() {
      let from = position + Int(edit.copy)
      position = number == edits.count - 1 ? base.count - rest : from + Int(edit.jump)
      if edit.insert > 0 { places.append((from, position)) }
    }
    let dictionary = DeltaReference.dictionary(places, base: base)
    return inserted.withUnsafeBytes { inserted in
      dictionary.withUnsafeBytes { Deflater().deflate(inserted, dictionary: $0) }
    }
  }

  private func chain(_ count: Int, from root: [UInt8], using generator: inout SeededGenerator) -> [Step] {
    var text = root
    var steps: [Step] = []
    for _ in 0..<count {
      var step: Step
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where text.count < 60_000: step = wildDelta(text, using: &generator)
      case 1: step = Step(delta: DeltaReference.delta([]), byteCount: text.count)
      case 2 where text.count > 100_000:
        step = Step(delta: DeltaReference.delta([]), byteCount: text.count / 3)
      default:
        let edits = Int.random(in: 0...20, using: &generator)
        step = delta(TextEdits.edited(text, count: edits, using: &generator), text)
      }
      steps.append(step)
      guard case .success(let next) = copied([step], from: text) else {
        Issue.record("no delta of the text")
        return steps
      }
      text = next
    }
    return steps
  }

  @Test("is what each of them makes of a copy of it", arguments: 0..<24 as Range<UInt64>)
  func sameAsCopies(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let root = TextEdits.text([0, 1, 50, 3000, 40_000, 200_000][Int(seed % 6)], using: &generator)
    let steps = chain(30, from: root, using: &generator)
    #expect(composed(steps, from: root) == copied(steps, from: root))
  }

  @Test("is what many edits at once make, and many bytes at once")
  func extremes() {
    var generator = SeededGenerator(seed: 1)
    let root = TextEdits.text(300_000, using: &generator)
    let pairs = (0..<6000).map { _ in Edit(copy: 40, insert: 2, jump: 5) }
    let many = Step(
      delta: DeltaReference.delta(pairs, inserted: [UInt8](repeating: 0x61, count: 12_000)), byteCount: 6000 * 42)
    let long = TextEdits.text(1_500_000, using: &generator)
    var text = root
    var steps = [many]
    for next in [long, Array(long.dropFirst(1000)), root] {
      guard case .success(let base) = copied(steps, from: root) else {
        Issue.record("no delta of the text")
        return
      }
      text = base
      steps.append(delta(next, text))
    }
    #expect(composed(steps, from: root) == copied(steps, from: root))
  }

  @Test("fails where a copy of it would", arguments: 0..<24 as Range<UInt64>)
  func damage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 1000)
    let root = TextEdits.text([10, 800, 20_000][Int(seed % 3)], using: &generator)
    let steps = chain(8, from: root, using: &generator)
    for _ in 0..<40 {
      var damaged = steps
      let number = Int.random(in: 0..<steps.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: damaged[number].byteCount += Int.random(in: -3...3, using: &generator)
      case 1: damaged[number].delta.removeLast()
      default:
        let place = Int.random(in: 0..<min(damaged[number].delta.count, 30), using: &generator)
        damaged[number].delta[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      #expect(composed(damaged, from: root) == copied(damaged, from: root), "step \(number)")
    }
  }
}
