import Hashing

/// The latest decoded blobs, so that what is stored against one of them need not decode it again.
///
/// Only bytes whose digest was verified go in.
final class DecodedObjects {
  private var bytes: [ObjectID: [UInt8]] = [:]
  private var order: [ObjectID] = []
  private var byteCount = 0
  private let byteCountLimit: Int

  init(byteCountLimit: Int = 32 << 20) {
    self.byteCountLimit = byteCountLimit
  }

  subscript(id: ObjectID) -> [UInt8]? { bytes[id] }

  /// Keeps a blob, and forgets the oldest ones beyond the limit.
  func insert(_ id: ObjectID, _ blob: [UInt8]) {
    guard blob.count <= byteCountLimit / 4, bytes[id] == nil else { return }
    bytes[id] = blob
    order.append(id)
    byteCount += blob.count
    var dropped = 0
    while byteCount > byteCountLimit {
      byteCount -= bytes.removeValue(forKey: order[dropped])?.count ?? 0
      dropped += 1
    }
    order.removeFirst(dropped)
  }
}
