import CZlib
import Deflate

/// The system's zlib with all its settings, to compare with.
enum ZlibReference {
  static func deflate(_ bytes: [UInt8], _ settings: DeflateSettings, flushes: [DeflateFlush] = []) -> [UInt8] {
    let level: Int32 = [.none: 0, .greedy: 1, .lazy: 4][settings.search] ?? 0
    return withStream(level: level, memoryLevel: Int32(settings.memoryLevel)) { stream in
      deflateTune(
        stream, Int32(settings.goodLength), Int32(settings.lazyLength), Int32(settings.niceLength),
        Int32(settings.chainLength))
      return finish(stream, bytes, flushes: flushes)
    }
  }

  /// Level 6 with a preset dictionary.
  static func deflate(_ bytes: [UInt8], dictionary: [UInt8]) -> [UInt8] {
    withStream(level: 6, memoryLevel: 8) { stream in
      if !dictionary.isEmpty { deflateSetDictionary(stream, dictionary, uInt(dictionary.count)) }
      return finish(stream, bytes, flushes: [])
    }
  }

  private static func withStream(
    level: Int32, memoryLevel: Int32, _ body: (UnsafeMutablePointer<z_stream>) -> [UInt8]
  ) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    precondition(czlib_deflateInit2(stream, level, -15, memoryLevel, Z_DEFAULT_STRATEGY) == Z_OK, "zlib")
    defer { deflateEnd(stream) }
    return body(stream)
  }

  private static func finish(
    _ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8], flushes: [DeflateFlush]
  ) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 1000 + 16 * flushes.count)
    var input = bytes + [0]
    let count = output.count
    let left = output.withUnsafeMutableBufferPointer { output in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(output.count)
        stream.pointee.next_in = input.baseAddress
        var position = 0
        for flush in flushes {
          stream.pointee.avail_in = uInt(flush.position - position)
          position = flush.position
          let kind = [.partial: Z_PARTIAL_FLUSH, .sync: Z_SYNC_FLUSH, .full: Z_FULL_FLUSH][flush.kind] ?? Z_BLOCK
          CZlib.deflate(stream, kind)
        }
        stream.pointee.avail_in = uInt(bytes.count - position)
        precondition(CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END, "zlib")
        return Int(stream.pointee.avail_out)
      }
    }
    return Array(output[..<(count - left)])
  }
}
