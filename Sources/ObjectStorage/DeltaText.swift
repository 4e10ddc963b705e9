import Deflate

/// A text that deltas are applied to one after the other: kept as pieces, so that a step costs what its edits cost and not a
/// copy of the text.
///
/// Memory: the text that it began with, the inserted bytes, and eight bytes for each piece.
final class DeltaText {
  private var base: [UInt8]
  private var inserted = InsertedBytes()
  private var list: PieceList

  /// More edits at once are followed by copying.
  private static let editCountLimit = 4096
  /// With more pieces than one for so many bytes the text is put together: that costs less than passing over them again and
  /// again, and what surrounds an edit comes from few places.
  private static let bytesPerPiece = 256
  private static let fewPieces = 32
  private static let insertedByteCountLimit = 1 << 20

  init(_ base: [UInt8]) {
    self.base = base
    list = PieceList(base: base.count)
  }

  /// Makes of the text what a delta against it makes.
  ///
  /// - Throws: where the delta is none of the text; it is undefined then.
  func apply(_ delta: UnsafeRawBufferPointer, byteCount: Int, _ inflater: Inflater) throws(DeltaError) {
    var edits: [DeltaEdit] = []
    let script = try DeltaScript(
      delta, baseByteCount: list.byteCount, byteCount: byteCount, limit: Self.editCountLimit, edits: &edits)
    guard script.editCount <= Self.editCountLimit else {
      return try replace(applying: delta, byteCount: byteCount, inflater)
    }
    guard Inflater.canInflate(script.inserted.count, to: script.insertedByteCount) else {
      throw .inserted(.wrongLength)
    }
    let start = base.count + 1 + inserted.count
    try readInserted(of: script, edits, inflater)
    guard let next = PieceList(edits, of: list, inserted: start, tailStart: script.tailStart) else {
      throw .wrongLength
    }
    list = next
    if isFragmented { begin(bytes()) }
  }

  /// The text as it is now.
  func bytes() -> [UInt8] {
    if list.pieces.count == 1, let piece = list.pieces.first, piece.start == 0, Int(piece.byteCount) == base.count {
      return base
    }
    return base.withUnsafeBytes { list.bytes(base: $0, inserted: inserted.bytes) }
  }

  private var isFragmented: Bool {
    list.pieces.count > max(list.byteCount / Self.bytesPerPiece, Self.fewPieces)
      || inserted.count > max(Self.insertedByteCountLimit, base.count / 4)
  }

  private func begin(_ text: [UInt8]) {
    base = text
    inserted.removeAll()
    list = PieceList(base: text.count)
  }

  private func replace(
    applying delta: UnsafeRawBufferPointer, byteCount: Int, _ inflater: Inflater
  ) throws(DeltaError) {
    let text = bytes()
    let made = try text.withRawBytes { (text) throws(DeltaError) in
      try DeltaCodec.decode(delta, base: text, byteCount: byteCount, inflater: inflater)
    }
    begin(made)
  }

  /// Puts the inserted bytes of a delta behind those of the deltas before.
  private func readInserted(
    of script: DeltaScript, _ edits: [DeltaEdit], _ inflater: Inflater
  ) throws(DeltaError) {
    guard script.insertedByteCount > 0 else { return }
    let earlier = inserted.count
    inserted.grow(by: script.insertedByteCount)
    let (before, target) = inserted.divided(at: earlier)
    guard script.isDeflated else { return target.copyMemory(from: script.inserted) }
    var failure: DeltaError?
    withUnsafeTemporaryAllocation(byteCount: DictionaryLimits.byteCount, alignment: 16) { buffer in
      base.withUnsafeBytes { base in
        let reader = PieceReader(list, base: base, inserted: before)
        var dictionary = DeltaDictionary(base: reader, editCount: script.insertingEditCount, output: buffer)
        for edit in edits where edit.insertByteCount > 0 { dictionary.add(edit) }
        do throws(DeflateError) {
          try inflater.inflate(script.inserted, dictionary: dictionary.bytes, into: target)
        } catch {
          failure = .inserted(error)
        }
      }
    }
    if let failure { throw failure }
  }
}

/// Bytes that grow at their end, where they are first room and then filled.
private struct InsertedBytes: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private(set) var count = 0

  private static let leastCapacity = 1 << 16

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  mutating func removeAll() { count = 0 }

  /// Adds room at the end, which holds nothing yet.
  mutating func grow(by byteCount: Int) {
    if memory.count - count < byteCount {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(2 * memory.count, count + byteCount, Self.leastCapacity), alignment: 16)
      larger.copyMemory(from: bytes)
      memory.deallocate()
      memory = larger
    }
    count += byteCount
  }

  /// The bytes before a place, and those behind.
  mutating func divided(at place: Int) -> (before: UnsafeRawBufferPointer, behind: UnsafeMutableRawBufferPointer) {
    (
      UnsafeRawBufferPointer(rebasing: memory[..<place]),
      UnsafeMutableRawBufferPointer(rebasing: memory[place..<count])
    )
  }
}
