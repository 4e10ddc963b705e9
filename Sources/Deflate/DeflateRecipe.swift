/// How a deflate stream comes out of its content again, bit for bit, by a ``ReproducibleDeflater``.
public struct DeflateRecipe: Hashable, Sendable {
  public let settings: DeflateSettings
  public let flushes: [DeflateFlush]

  public init(settings: DeflateSettings, flushes: [DeflateFlush] = []) {
    self.settings = settings
    self.flushes = flushes
  }
}

/// Finds recipes of streams, with the same working memory for one after another.
///
/// Flushes and the size of blocks are read off the stream; settings are tried in turn.
/// Not for use from several threads at once.
public final class DeflateRecipeFinder {
  /// Settings that programs write zip documents with, the most frequent first.
  public static let knownSettings: [DeflateSettings] =
    [DeflateSettings(level: 6), .word, .excel] + [9, 1, 5, 8, 7, 4, 3, 2].map { DeflateSettings(level: $0) }
    + [6, 9, 1].map { DeflateSettings(level: $0, memoryLevel: 9) }

  private let settings: [DeflateSettings]
  private var deflaters: [DeflateSettings: ReproducibleDeflater] = [:]

  public init(settings: [DeflateSettings] = knownSettings) {
    self.settings = settings
  }

  /// The recipe by which a stream comes out of its content; found is proved.
  ///
  /// Costs about one reading of the stream and for each setting tried the compression of a block, for the right one of all.
  ///
  /// - Parameter likely: settings to try before all others.
  public func recipe(
    for stream: UnsafeRawBufferPointer, of content: UnsafeRawBufferPointer, likely: DeflateSettings? = nil
  ) -> DeflateRecipe? {
    guard content.count <= Int(Int32.max), let blocks = DeflateBlock.blocks(of: stream),
      blocks.reduce(0, { $0 + $1.byteCount }) == content.count
    else { return nil }
    let flushes = Self.flushes(blocks)
    let hasSync = flushes.contains { $0.kind == .sync }
    let full = flushes.map { $0.kind == .sync ? DeflateFlush(.full, at: $0.position) : $0 }
    let ordered = (likely.map { [$0] } ?? []) + settings.filter { $0 != likely }
    for settings in ordered where Self.fits(settings, blocks) {
      let deflater = deflaters[settings] ?? ReproducibleDeflater(settings)
      deflaters[settings] = deflater
      if deflater.makes(stream, of: content, flushes: flushes) {
        return DeflateRecipe(settings: settings, flushes: flushes)
      }
      if hasSync && deflater.makes(stream, of: content, flushes: full) {
        return DeflateRecipe(settings: settings, flushes: full)
      }
    }
    return nil
  }

  /// Where empty blocks tell of a flush; which of sync and full it was, they don't.
  private static func flushes(_ blocks: [DeflateBlock]) -> [DeflateFlush] {
    var flushes: [DeflateFlush] = []
    var position = 0
    for block in blocks {
      position += block.byteCount
      guard block.byteCount == 0, !block.isLast else { continue }
      switch block.kind {
      case .stored: flushes.append(DeflateFlush(.sync, at: position))
      case .fixed: flushes.append(DeflateFlush(.partial, at: position))
      case .dynamic: break
      }
    }
    return flushes
  }

  /// Whether blocks are full where nothing else ended them.
  private static func fits(_ settings: DeflateSettings, _ blocks: [DeflateBlock]) -> Bool {
    if settings.search == .none { return blocks.allSatisfy { $0.kind == .stored } }
    let capacity = (1 << (settings.memoryLevel + 6)) - 1
    for (block, next) in zip(blocks, blocks.dropFirst()) {
      guard let count = block.symbolCount, block.byteCount > 0 else { continue }
      let isEndedByFlush = next.byteCount == 0
      guard isEndedByFlush ? count <= capacity : count == capacity else { return false }
    }
    return blocks.last?.symbolCount ?? 0 <= capacity
  }
}
