import Hashing
import ObjectStorage
import Versioning

/// Sealed packs of this device that become one.
///
/// Packs come in the order of the device's log, those that no entry brings yet last. A pack joins the ones before it only if its records
/// name nothing but records in packs of this device up to it: so whoever takes in the log entry of the first one can take in the new
/// pack whole, before any other device's entry.
///
/// Source: docs/decisions/0009-compact.md.
struct CompactionPlan {
  /// Work and memory of a step are in proportion to this.
  private static let byteCountLimit: UInt64 = 64 << 20
  private static let recordCountLimit = 100_000
  /// A compacted pack is written again where what came since is at least this part of it, or where it is small.
  private static let growth: UInt64 = 8
  private static let smallByteCount: UInt64 = 1 << 20

  struct Source {
    let file: PackFile
    let row: Int64

    var isCompacted: Bool { file.isCompacted }
  }

  private(set) var batches: [[Source]] = []
  private var current: [Source] = []
  private var known: Set<RecordID> = []

  /// Adds the next pack of the device, of which the records tell what it stands on.
  mutating func add(_ source: Source, _ records: [IdentifiedRecord]) {
    known.formUnion(records.map(\.id))
    let isClosed = records.allSatisfy { $0.record.named.allSatisfy { known.contains($0) } }
    let byteCount = current.reduce(source.file.byteCount) { $0 + $1.file.byteCount }
    let recordCount = current.reduce(source.file.recordCount) { $0 + $1.file.recordCount }
    if !isClosed || byteCount > Self.byteCountLimit || recordCount > Self.recordCountLimit { close() }
    current.append(source)
  }

  /// Ends the batch, and leaves it out where nothing in it is worth it.
  mutating func close() {
    var batch = current
    current = []
    let fresh = batch.reduce(UInt64(0)) { $1.isCompacted ? $0 : $0 + $1.file.byteCount }
    guard fresh > 0 else { return }
    while let first = batch.first, first.isCompacted, first.file.byteCount > Self.smallByteCount,
      first.file.byteCount / Self.growth > fresh
    {
      batch.removeFirst()
    }
    batches.append(batch)
  }
}
