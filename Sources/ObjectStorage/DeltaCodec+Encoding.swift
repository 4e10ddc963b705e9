public import Deflate
import Hashing

extension DeltaCodec {
  /// The content as a delta against `base`.
  ///
  /// Without anything in common it is some bytes longer than the deflated content. Cost: about 0.1 ms for a small edit of
  /// a text, up to about 40 ms a megabyte where everything differs. Both contents have at most ``byteCountLimit`` bytes.
  public static func encode(
    _ new: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, deflater: Deflater
  ) -> [UInt8] {
    precondition(max(new.count, base.count) <= byteCountLimit, "longer than an object may be")
    return encode(DeltaMatcher.edits(making: new, from: base), making: new, base: base, deflater: deflater)
  }

  /// The content as one insertion against the beginning of `base`, which serves as a dictionary alone.
  ///
  /// Costs hardly more than deflating the content by itself. Only the first ``dictionaryReach`` bytes of the base matter.
  static func encodeInsertion(
    _ new: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, deflater: Deflater
  ) -> [UInt8] {
    let edit = DeltaEdit(copyStart: 0, copyByteCount: 0, insertByteCount: new.count, next: base.count)
    return encode([edit], making: new, base: base, deflater: deflater)
  }

  /// How much of the beginning of a base the dictionary of a single insertion is made of.
  static let dictionaryReach = 8192 + 8000

  private static func encode(
    _ edits: [DeltaEdit], making new: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, deflater: Deflater
  ) -> [UInt8] {
    var delta = script(of: edits)
    let inserted = insertedBytes(of: edits, in: new)
    guard !inserted.isEmpty else { return delta }
    let deflated = inserted.withUnsafeBytes { inserted in
      withUnsafeTemporaryAllocation(byteCount: DictionaryLimits.byteCount, alignment: 16) { buffer in
        let count = edits.reduce(0) { $1.insertByteCount > 0 ? $0 + 1 : $0 }
        var dictionary = DeltaDictionary(base: base, editCount: count, output: buffer)
        for edit in edits where edit.insertByteCount > 0 { dictionary.add(edit) }
        return deflater.deflate(inserted, dictionary: dictionary.bytes)
      }
    }
    if deflated.count < inserted.count {
      delta[0] |= 1
      delta += deflated
    } else {
      delta += inserted
    }
    return delta
  }

  private static func script(of edits: [DeltaEdit]) -> [UInt8] {
    var writer = ByteWriter(capacity: 2 + 8 * edits.count)
    writer.varint(UInt64(edits.count) << 1)
    for (index, edit) in edits.enumerated() {
      writer.varint(UInt64(edit.copyByteCount))
      writer.varint(UInt64(edit.insertByteCount))
      if index < edits.count - 1 { writer.zigzag(Int64(edit.next - edit.copyEnd)) }
    }
    return writer.bytes
  }

  static func insertedBytes(of edits: [DeltaEdit], in new: UnsafeRawBufferPointer) -> [UInt8] {
    var inserted: [UInt8] = []
    inserted.reserveCapacity(edits.reduce(0) { $0 + $1.insertByteCount })
    var position = 0
    for edit in edits {
      position += edit.copyByteCount
      inserted.append(contentsOf: new[position..<position + edit.insertByteCount])
      position += edit.insertByteCount
    }
    return inserted
  }
}
