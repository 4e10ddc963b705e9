/// A text as pieces of a base and of inserted bytes: edits are followed without copying the text at each step.
///
/// Places are those of the base; inserted bytes begin one behind its end, so that no piece reaches from one into the other.
struct PieceList {
  /// Bytes of the base or of the inserted bytes.
  struct Piece: Equatable {
    var start: UInt32
    var byteCount: UInt32

    var end: UInt32 { start + byteCount }
  }

  /// The most pieces that one text may have.
  static let countLimit = 1 << 16

  private static let capacityStep = 1 << 16

  private(set) var pieces: [Piece] = []
  private(set) var byteCount = 0

  /// A whole base.
  init(base byteCount: Int) {
    append(start: 0, byteCount)
  }

  /// Follows the edits of a text against another one.
  ///
  /// - Parameters:
  ///   - inserted: where the bytes that these edits insert begin, as a place.
  ///   - tailStart: where the end of the other text begins that follows the last edit.
  /// - Returns: `nil` where there are more than ``countLimit`` pieces.
  init?(_ edits: [DeltaEdit], of earlier: PieceList, inserted: Int, tailStart: Int) {
    pieces.reserveCapacity(earlier.pieces.count + 2 * edits.count)
    var cursor = PieceCursor(earlier.pieces)
    var inserted = inserted
    for edit in edits {
      copy(edit.copyStart, edit.copyByteCount, &cursor)
      append(start: inserted, edit.insertByteCount)
      inserted += edit.insertByteCount
      guard pieces.count <= Self.countLimit else { return nil }
    }
    copy(tailStart, earlier.byteCount - tailStart, &cursor)
    guard pieces.count <= Self.countLimit else { return nil }
  }

  private mutating func append(start: Int, _ count: Int) {
    guard count > 0 else { return }
    byteCount += count
    if let last = pieces.last, Int(last.end) == start {
      pieces[pieces.count - 1].byteCount += UInt32(count)
    } else {
      pieces.append(Piece(start: UInt32(start), byteCount: UInt32(count)))
    }
  }

  private mutating func copy(_ start: Int, _ count: Int, _ cursor: inout PieceCursor) {
    var left = count
    cursor.seek(start)
    while left > 0, let (start, count) = cursor.next(limit: left) {
      append(start: start, count)
      left -= count
      // Whole pieces of one text don't adjoin, so that they can be taken at once.
      let (whole, wholeByteCount) = cursor.passWhole(limit: left)
      pieces.append(contentsOf: whole)
      byteCount += wholeByteCount
      left -= wholeByteCount
    }
  }

  /// The text, put together.
  ///
  /// - Parameter inserted: the inserted bytes, the first of which has the place one behind the base's end.
  func bytes(base: UnsafeRawBufferPointer, inserted: UnsafeRawBufferPointer) -> [UInt8] {
    // At least one: all arrays without room are one object, and setting its count is a data race. By steps, so that the next
    // such text, a little longer, may take the memory that the last one left.
    let capacity =
      byteCount < Self.capacityStep ? max(byteCount, 1) : (byteCount / Self.capacityStep + 1) * Self.capacityStep
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      guard let target = UnsafeMutableRawPointer(output.baseAddress) else { return }
      for piece in pieces {
        let source = Self.bytes(at: Int(piece.start), Int(piece.byteCount), base: base, inserted: inserted)
        (target + count).copyMemory(from: source, byteCount: Int(piece.byteCount))
        count += Int(piece.byteCount)
      }
    }
  }

  /// Where bytes of one piece lie in memory.
  fileprivate static func bytes(
    at place: Int, _ count: Int, base: UnsafeRawBufferPointer, inserted: UnsafeRawBufferPointer
  ) -> UnsafeRawPointer {
    let (memory, start) = place < base.count ? (base, place) : (inserted, place - base.count - 1)
    precondition(start >= 0 && count <= memory.count - start, "a piece of what is there")
    guard let first = memory.baseAddress else { preconditionFailure("a piece has bytes") }
    return first + start
  }

  /// Calls `body` with each edit that makes this text from the base in one step, as a delta would have it.
  func forEachEdit(baseByteCount: Int, _ body: (DeltaEdit) -> Void) {
    var edit = DeltaEdit(copyStart: 0, copyByteCount: 0, insertByteCount: 0, next: 0)
    for piece in pieces {
      let start = Int(piece.start)
      if start > baseByteCount {
        edit.insertByteCount += Int(piece.byteCount)
        continue
      }
      edit.next = start
      if edit.copyByteCount > 0 || edit.insertByteCount > 0 { body(edit) }
      edit = DeltaEdit(copyStart: start, copyByteCount: Int(piece.byteCount), insertByteCount: 0, next: baseByteCount)
    }
    edit.next = baseByteCount
    if edit.insertByteCount > 0 { body(edit) }
  }
}

/// A place in a text that is given by pieces.
struct PieceCursor {
  private let pieces: [PieceList.Piece]
  private var index = 0
  /// Where the piece begins in the text.
  private var pieceStart = 0
  /// The place within the piece.
  private var offset = 0

  init(_ pieces: [PieceList.Piece]) {
    self.pieces = pieces
  }

  /// Goes to a place that the text has, its end included.
  mutating func seek(_ place: Int) {
    while place < pieceStart {
      index -= 1
      pieceStart -= Int(pieces[index].byteCount)
    }
    while index < pieces.count, place >= pieceStart + Int(pieces[index].byteCount) {
      pieceStart += Int(pieces[index].byteCount)
      index += 1
    }
    offset = place - pieceStart
  }

  /// The rest of the piece here, at most `limit` bytes of it.
  mutating func next(limit: Int) -> (start: Int, byteCount: Int)? {
    guard index < pieces.count else { return nil }
    let piece = pieces[index]
    let count = min(Int(piece.byteCount) - offset, limit)
    let start = Int(piece.start) + offset
    offset += count
    if offset == Int(piece.byteCount) {
      pieceStart += offset
      index += 1
      offset = 0
    }
    return (start, count)
  }

  /// The whole pieces from here on that have at most `limit` bytes together, which are passed over.
  mutating func passWhole(limit: Int) -> (pieces: ArraySlice<PieceList.Piece>, byteCount: Int) {
    guard offset == 0 else { return ([], 0) }
    let first = index
    var count = 0
    while index < pieces.count, count + Int(pieces[index].byteCount) <= limit {
      count += Int(pieces[index].byteCount)
      index += 1
    }
    pieceStart += count
    return (pieces[first..<index], count)
  }
}

/// A text given by pieces, to look up what a delta against it needs.
struct PieceReader: DeltaBase {
  let count: Int
  private var cursor: PieceCursor
  private let base: UnsafeRawBufferPointer
  private let inserted: UnsafeRawBufferPointer

  init(_ list: PieceList, base: UnsafeRawBufferPointer, inserted: UnsafeRawBufferPointer) {
    count = list.byteCount
    cursor = PieceCursor(list.pieces)
    self.base = base
    self.inserted = inserted
  }

  mutating func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
    cursor.seek(range.lowerBound)
    var done = 0
    while done < range.count, let (start, count) = cursor.next(limit: range.count - done) {
      let source = PieceList.bytes(at: start, count, base: base, inserted: inserted)
      (target + done).copyMemory(from: source, byteCount: count)
      done += count
    }
  }
}
