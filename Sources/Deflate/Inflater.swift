import CZlib

/// Inflates raw deflate streams whose length is known, one after another with the same working memory.
///
/// Not for use from several threads at once. Memory: about 40 KB.
///
/// Source: RFC 1951, without the wrapper of RFC 1950.
public final class Inflater {
  // On the heap, as zlib keeps a pointer back to its stream.
  private let stream: UnsafeMutablePointer<z_stream>

  /// A byte of deflate stands for at most this many: 258 bytes take at least two bits.
  private static let greatestRatio = 1032

  public init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = czlib_inflateInit2(stream, -15)
    precondition(status == Z_OK, "zlib cannot start")
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Whether a stream of so many bytes can stand for `byteCount` bytes.
  public static func canInflate(_ streamByteCount: Int, to byteCount: Int) -> Bool {
    byteCount / greatestRatio <= streamByteCount
  }

  /// The `byteCount` bytes that a whole raw deflate stream stands for.
  ///
  /// Allocates `byteCount` bytes, and nothing where the stream is too short to stand for so many.
  ///
  /// - Parameter isPrefix: whether the stream may go on: only its beginning is inflated.
  /// - Throws: unless the stream is valid, ends with the input and gives exactly `byteCount` bytes.
  public func inflate(
    _ bytes: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer? = nil, byteCount: Int, isPrefix: Bool = false
  ) throws(DeflateError) -> [UInt8] {
    guard byteCount >= 0, Self.canInflate(bytes.count, to: byteCount) else { throw .wrongLength }
    var failure: DeflateError?
    // At least one: all arrays without room are one object, and setting its count is a data race.
    let result = [UInt8](unsafeUninitializedCapacity: max(byteCount, 1)) { output, initializedCount in
      do throws(DeflateError) {
        let raw = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: byteCount)
        try inflate(bytes, dictionary: dictionary, into: raw, isPrefix: isPrefix)
        initializedCount = byteCount
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Fills `output` with the bytes that a whole raw deflate stream stands for.
  ///
  /// - Parameter isPrefix: whether the stream may go on: only its beginning is inflated.
  /// - Throws: unless the stream is valid, ends with the input and gives exactly as many bytes as `output` has; these
  ///   are undefined then.
  public func inflate(
    _ bytes: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer? = nil,
    into output: UnsafeMutableRawBufferPointer, isPrefix: Bool = false
  ) throws(DeflateError) {
    guard bytes.count <= Int(Int32.max), output.count <= Int(Int32.max) else { throw .tooLong }
    inflateReset(stream)
    if let dictionary, let start = dictionary.baseAddress, dictionary.count > 0 {
      let used = min(dictionary.count, 32_768)
      let tail = start.advanced(by: dictionary.count - used).assumingMemoryBound(to: Bytef.self)
      inflateSetDictionary(stream, tail, uInt(used))
    }
    // One byte that is never written stands in for an empty output, whose address zlib would refuse when it is nil.
    var spare: UInt8 = 0
    let status = withUnsafeMutableBytes(of: &spare) { spare in
      let start = output.count > 0 ? output.baseAddress : spare.baseAddress
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
      stream.pointee.avail_in = uInt(bytes.count)
      stream.pointee.next_out = start?.assumingMemoryBound(to: Bytef.self)
      stream.pointee.avail_out = uInt(output.count)
      return CZlib.inflate(stream, Z_FINISH)
    }
    if isPrefix, output.count > 0, stream.pointee.avail_out == 0, [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(status) {
      return
    }
    switch status {
    case Z_STREAM_END:
      guard stream.pointee.avail_out == 0 else { throw .wrongLength }
      guard stream.pointee.avail_in == 0 else { throw .trailingBytes }
    case Z_BUF_ERROR, Z_OK:
      throw stream.pointee.avail_in == 0 ? .truncated : .wrongLength
    default: throw .malformed
    }
  }
}
