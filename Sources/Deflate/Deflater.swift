import CZlib

/// Compresses bytes to raw deflate streams, one after another with the same working memory, by zlib where speed isn't all.
///
/// Not for use from several threads at once. Memory: about 270 KB, from the first stream on that isn't short.
///
/// Source: RFC 1951, without the wrapper of RFC 1950.
public final class Deflater {
  private let level: Int
  // On the heap, as zlib keeps a pointer back to its stream.
  private var begun: UnsafeMutablePointer<z_stream>?
  /// In place of zlib, where much is to be done.
  private let quick: QuickDeflater?

  /// Creates a compressor of a level from 0 (store) over 1 (fastest) to 9 (smallest).
  public init(level: Int = 6) {
    precondition((0...9).contains(level), "deflate has levels 0 to 9")
    self.level = level
    quick = nil
  }

  /// A compressor for bulk work: in 0.3 to 0.4 of the time of level 6, with results 2 to 7 % longer; with a dictionary of the
  /// same kind they are shorter than those of level 6 without.
  public static func forBulk() -> Deflater { Deflater(quick: QuickDeflater()) }

  private init(quick: QuickDeflater) {
    level = 1
    self.quick = quick
  }

  deinit {
    guard let begun else { return }
    deflateEnd(begun)
    begun.deinitialize(count: 1)
    begun.deallocate()
  }

  /// zlib's stream, ready for the next run of bytes.
  private func ready() -> UnsafeMutablePointer<z_stream> {
    if let begun {
      deflateReset(begun)
      return begun
    }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = czlib_deflateInit2(stream, Int32(level), -15, 8, Z_DEFAULT_STRATEGY)
    precondition(status == Z_OK, "zlib cannot start")
    begun = stream
    return stream
  }

  /// The bytes as one raw deflate stream.
  ///
  /// Matches reach into the dictionary, at most 32,506 bytes back; its end is the most useful part. The same dictionary
  /// is needed to inflate. The result is at most about 0.03 % and 13 bytes longer than the input, which must be shorter
  /// than 2 GiB.
  public func deflate(_ bytes: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer? = nil) -> [UInt8] {
    precondition(bytes.count <= Int(Int32.max), "longer than one deflate stream may be")
    if level > 0, let short = short(bytes, dictionary) { return short }
    if let quick { return quick.deflate(bytes, dictionary: dictionary) }
    let stream = ready()
    if let dictionary, let start = dictionary.baseAddress, dictionary.count > 0 {
      let used = min(dictionary.count, 32_768)
      let tail = start.advanced(by: dictionary.count - used).assumingMemoryBound(to: Bytef.self)
      deflateSetDictionary(stream, tail, uInt(used))
    }
    let bound = Int(deflateBound(stream, uLong(bytes.count)))
    return withUnsafeTemporaryAllocation(byteCount: bound, alignment: 16) { output in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
      stream.pointee.avail_in = uInt(bytes.count)
      stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
      stream.pointee.avail_out = uInt(output.count)
      let status = CZlib.deflate(stream, Z_FINISH)
      precondition(status == Z_STREAM_END, "zlib promises that its bound suffices")
      return Array(output[..<(output.count - Int(stream.pointee.avail_out))])
    }
  }

  /// What is short and has a dictionary, as a small edit of a document, needs none of zlib's memory, which costs more than the
  /// rest to touch.
  private func short(_ bytes: UnsafeRawBufferPointer, _ dictionary: UnsafeRawBufferPointer?) -> [UInt8]? {
    guard let dictionary, 1...ShortDeflate.byteCountLimit ~= bytes.count else { return nil }
    let reach = UnsafeRawBufferPointer(rebasing: dictionary.suffix(ShortDeflate.reach))
    return ShortDeflate.deflate(bytes, dictionary: reach)
  }
}
