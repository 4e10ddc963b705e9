import Hashing
import SystemIO

extension PackFile {
  /// What threads found of the objects of a pack.
  enum AheadCheck {
    /// None is wrong; those at these offsets stand on other packs and were not decoded.
    case sound(left: [UInt64])
    /// Something is wrong, whatever it is.
    case unsound
  }

  /// So many objects are decoded by one thread in a row: what each is stored against is mostly among those just before it.
  private static let checkedTogether = 64
  /// What each thread remembers of what it decoded.
  private static let rememberedByteCount = 12 << 20

  /// Decodes the objects at these offsets and compares each with its id, on as many threads as there are processors.
  ///
  /// - Parameter leastByteCount: a shorter pack is not worth a thread.
  func checkAhead(
    _ places: [UInt64], threadCount: Int = Machine.processorCount, leastByteCount: UInt64 = 1 << 17
  ) -> AheadCheck {
    guard threadCount > 1, byteCount >= leastByteCount else { return .sound(left: places) }
    let parts = parts(of: places)
    return OrderedWork<[UInt64]?>.run(
      count: parts.count, threadCount: threadCount, bounds: .init(pieceCount: 4 * threadCount, weight: .max),
      weight: { _ in 0 },
      makeWorker: {
        let decoded = DecodedObjects(byteCountLimit: Self.rememberedByteCount)
        let blocks = BlockCache()
        return { number in self.left(of: parts[number], decoded, blocks) }
      }
    ) { work in
      var left: [UInt64] = []
      while let part = work.next() {
        guard let part else { return .unsound }
        left += part
      }
      return .sound(left: left)
    }
  }

  /// Objects that one thread decodes, members of a block together.
  private func parts(of places: [UInt64]) -> [ArraySlice<UInt64>] {
    let blocks = blocks
    var parts: [ArraySlice<UInt64>] = []
    var start = 0
    var lastBlock: UInt64?
    for (number, place) in places.enumerated() {
      let block = blocks?.block(holding: place)?.offset
      if number - start >= Self.checkedTogether, block == nil || block != lastBlock {
        parts.append(places[start..<number])
        start = number
      }
      lastBlock = block
    }
    if start < places.count { parts.append(places[start...]) }
    return parts
  }

  /// The offsets of objects that stand on other packs; `nil` where one is wrong.
  private func left(of places: ArraySlice<UInt64>, _ decoded: DecodedObjects, _ blocks: BlockCache) -> [UInt64]? {
    var left: [UInt64] = []
    for offset in places {
      var isLeft = false
      do throws(ObjectStoreError) {
        let object = try blocks.object(at: offset, in: self)
        let bytes = try objectBytes(at: offset, known: decoded, blocks) { (id, _) throws(ObjectStoreError) in
          isLeft = true
          throw .notFound(id)
        }
        guard object.kind == .blob || object.kind.allows(bytes, id: object.id) else { return nil }
        if object.kind == .blob { decoded.insert(object.id, bytes) }
      } catch {
        guard isLeft else { return nil }
        left.append(offset)
      }
    }
    return left
  }
}
