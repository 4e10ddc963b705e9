public import Deflate

extension DeltaCodec {
  /// The `byteCount` bytes that a delta makes of its base.
  ///
  /// Nothing is allocated before the lengths are found to agree, and then `byteCount` bytes.
  public static func decode(
    _ delta: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, byteCount: Int, inflater: Inflater
  ) throws(DeltaError) -> [UInt8] {
    let script = try DeltaScript(delta, baseByteCount: base.count, byteCount: byteCount)
    guard Inflater.canInflate(script.inserted.count, to: script.insertedByteCount) else {
      throw .inserted(.wrongLength)
    }
    var failure: DeltaError?
    // At least one: all arrays without room are one object, and setting its count is a data race.
    let result = [UInt8](unsafeUninitializedCapacity: max(byteCount, 1)) { output, initializedCount in
      guard byteCount > 0 else { return }
      let raw = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: byteCount)
      do throws(DeltaError) {
        try readInserted(of: script, base: base, into: raw, inflater: inflater)
        try apply(script, base: base, to: raw)
        initializedCount = byteCount
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Puts the inserted bytes at the end of the output.
  private static func readInserted(
    of script: DeltaScript, base: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    inflater: Inflater
  ) throws(DeltaError) {
    let end = UnsafeMutableRawBufferPointer(rebasing: output[(output.count - script.insertedByteCount)...])
    guard script.isDeflated else { return end.copyMemory(from: script.inserted) }
    var failure: DeltaError?
    withUnsafeTemporaryAllocation(byteCount: DictionaryLimits.byteCount, alignment: 16) { buffer in
      var dictionary = DeltaDictionary(base: base, editCount: script.insertingEditCount, output: buffer)
      do throws(DeltaError) {
        try script.forEachEdit { if $0.insertByteCount > 0 { dictionary.add($0) } }
      } catch {
        return failure = error
      }
      do throws(DeflateError) {
        try inflater.inflate(script.inserted, dictionary: dictionary.bytes, into: end)
      } catch {
        failure = .inserted(error)
      }
    }
    if let failure { throw failure }
  }

  /// Fills the output from its beginning.
  ///
  /// The inserted bytes not yet placed stay at its end: before them there is room for just the copies that follow.
  private static func apply(
    _ script: DeltaScript, base: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer
  ) throws(DeltaError) {
    guard let start = output.baseAddress else { return }
    var position = 0
    var inserted = output.count - script.insertedByteCount
    func copy(_ base: UnsafeRawBufferPointer, from offset: Int, _ count: Int) {
      guard count > 0, let source = base.baseAddress else { return }
      (start + position).copyMemory(from: source + offset, byteCount: count)
      position += count
    }
    try script.forEachEdit { edit in
      copy(base, from: edit.copyStart, edit.copyByteCount)
      copy(UnsafeRawBufferPointer(output), from: inserted, edit.insertByteCount)
      inserted += edit.insertByteCount
    }
    copy(base, from: script.tailStart, base.count - script.tailStart)
  }
}
