public import Deflate

/// Decides how a blob or a chunk list is stored: as it is, deflated, or against an earlier object.
///
/// Every 64th version of a document is stored against the 64th before it, others against their predecessor, so that any
/// version is about 64 + *n*/64 steps from a whole one.
public enum DeltaPolicy {
  /// The distance of jumps, in versions of a document.
  public static let jumpInterval = 64
  /// The greatest depth that is written.
  public static let maximumDepth: UInt8 = 200
  /// The greatest depth of a chunk of a large content: whoever reads that reads all of its chunks.
  static let maximumChunkDepth: UInt8 = 16
  /// A delta of at most so many bytes is taken without a look at further candidates.
  static let smallDeltaByteCount = 400

  /// Beyond so many bytes a delta is long: a version before the predecessor may be nearer, as where a text goes back and forth
  /// between two shapes.
  public static let longDeltaByteCount = 800
  /// How many versions back such a base is looked for.
  static let furtherVersions = 4

  /// How many versions before its predecessor a version may be stored against instead; counted from 0.
  ///
  /// None of them comes before the last jump, so that no chain gets longer.
  public static func furtherBaseCount(ofVersion number: Int) -> Int {
    min(max(number % jumpInterval - 1, 0), furtherVersions - 1)
  }

  /// Which earlier version of a document to store a version against; both count from 0.
  public static func base(ofVersion number: Int) -> Int? {
    guard number > 0 else { return nil }
    return number.isMultiple(of: jumpInterval) ? number - jumpInterval : number - 1
  }

  /// How some bytes are to be stored.
  public struct Encoded: Equatable, Sendable {
    public let encoding: ObjectEncoding
    public let data: [UInt8]
    /// Which candidate is the base, for a delta.
    public let candidate: Int?
    public let depth: UInt8
  }

  /// Encodes bytes in the smallest way.
  ///
  /// Candidates are tried in order until one gives a small delta; those too deep, and those that cannot be read, are
  /// passed over. Deflating a long text costs far more than a delta, so a delta under a sixteenth is taken without
  /// comparing.
  public static func encode(
    _ bytes: UnsafeRawBufferPointer, candidates: [DeltaCandidate], deflater: Deflater
  ) -> Encoded {
    var best: Encoded?
    for (place, candidate) in candidates.enumerated() where candidate.depth < maximumDepth {
      guard let base = try? candidate.load() else { continue }
      let delta = base.withUnsafeBytes { DeltaCodec.encode(bytes, base: $0, deflater: deflater) }
      if delta.count < best?.data.count ?? .max {
        best = Encoded(encoding: .delta, data: delta, candidate: place, depth: candidate.depth + 1)
      }
      if delta.count <= smallDeltaByteCount { break }
    }
    if let best, bytes.count > 4096, best.data.count < bytes.count / 16 { return best }
    let whole = encodeWhole(bytes, deflater: deflater)
    if let best, best.data.count < whole.data.count { return best }
    return whole
  }

  /// Encodes bytes without a base.
  public static func encodeWhole(_ bytes: UnsafeRawBufferPointer, deflater: Deflater) -> Encoded {
    if !Compressibility.isIncompressible(bytes) {
      let deflated = deflater.deflate(bytes)
      if deflated.count < bytes.count {
        return Encoded(encoding: .deflate, data: deflated, candidate: nil, depth: 0)
      }
    }
    return Encoded(encoding: .raw, data: Array(bytes), candidate: nil, depth: 0)
  }

  /// Encodes bytes without a base; what doesn't get shorter is not copied.
  static func encodeWhole(_ bytes: [UInt8], deflater: Deflater) -> Encoded {
    let deflated = bytes.withUnsafeBytes { raw in
      Compressibility.isIncompressible(raw) ? nil : deflater.deflate(raw)
    }
    if let deflated, deflated.count < bytes.count {
      return Encoded(encoding: .deflate, data: deflated, candidate: nil, depth: 0)
    }
    return Encoded(encoding: .raw, data: bytes, candidate: nil, depth: 0)
  }
}
