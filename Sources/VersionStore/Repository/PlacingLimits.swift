import SystemIO

/// How much is placed at once.
struct PlacingLimits: Sendable {
  /// So many threads decode and write beside the one that names and notes.
  var threadCount = Machine.processorCount
  /// From so many files on they are written ahead and become durable together.
  var leastFileCount = 32
  /// How many files, and how many bytes of them, become durable together.
  var batchFileCount = 4096
  var batchByteCount: UInt64 = 64 << 20
}
