import Hashing

/// Which chunks of an earlier content those of a later one took the place of.
///
/// Where a content changed, a few new chunks stand between two that it had before; what stood between those is nearly the same.
/// Long runs are passed over: there everything is new, and looking for what is alike would cost more than it gives.
struct ChunkBases {
  /// How many chunks there may be in the place of how many.
  private static let runLimit = 8

  private var bases: [Int: [ObjectID]] = [:]

  /// Cost: linear in the chunks of both.
  init(of list: ChunkList, in earlier: ChunkList) {
    // A chunk may be there many times: its first place that is still ahead, and for each place the next one.
    var ahead: [ObjectID: Int] = [:]
    ahead.reserveCapacity(earlier.chunks.count)
    var next = [Int](repeating: earlier.chunks.count, count: earlier.chunks.count)
    for (place, chunk) in earlier.chunks.enumerated().reversed() {
      if let later = ahead.updateValue(place, forKey: chunk.id) { next[place] = later }
    }
    var start = 0
    var earlierStart = 0
    for (number, chunk) in list.chunks.enumerated() {
      guard var place = ahead[chunk.id] else { continue }
      while place < earlierStart { place = next[place] }
      ahead[chunk.id] = place
      if place == earlier.chunks.count { continue }
      note(start..<number, earlier.chunks[earlierStart..<place])
      (start, earlierStart) = (number + 1, place + 1)
    }
    note(start..<list.chunks.count, earlier.chunks[earlierStart...])
  }

  /// The ids of the earlier chunks that a chunk, given by its number, may be stored against, the likeliest first.
  subscript(number: Int) -> [ObjectID] { bases[number] ?? [] }

  private mutating func note(_ run: Range<Int>, _ former: ArraySlice<ChunkList.Chunk>) {
    guard !run.isEmpty, !former.isEmpty, run.count <= Self.runLimit, former.count <= Self.runLimit else { return }
    for number in run {
      // Counted from where the run begins, and from where it ends: cuts may have come or gone between.
      let first = former.startIndex + min(number - run.lowerBound, former.count - 1)
      let second = former.endIndex - min(run.upperBound - number, former.count)
      bases[number] = first == second ? [former[first].id] : [former[first].id, former[second].id]
    }
  }
}
