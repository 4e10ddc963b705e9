import Deflate
import Hashing

/// An objects block whose streams are inflated: its members are put together one by one.
///
/// Memory: the base, at most 2 MiB of streams, and eight bytes for each piece of the members that were asked for.
final class DecodedBlock {
  let block: ObjectBlock
  let script: BlockScript
  private let base: [UInt8]
  private let inserted: [UInt8]
  /// The members that were asked for so far, and those before them.
  private var lists: [PieceList] = []
  /// The most pieces that are kept.
  private static let pieceLimit = 1 << 20

  /// - Parameter onlyFirst: whether nothing but the first member will be asked for.
  /// - Throws: where a stream is not what the block says.
  init(
    _ block: ObjectBlock, script: BlockScript, base: [UInt8], in bytes: UnsafeRawBufferPointer, onlyFirst: Bool = false,
    _ inflater: Inflater
  ) throws(DeltaError) {
    guard base.count == block.baseByteCount else { throw .wrongLength }
    self.block = block
    self.script = script
    self.base = base
    let wanted = onlyFirst && block.hasFarEnd ? script.steps[0].insertedByteCount : block.insertedByteCount
    guard wanted > 0 else {
      inserted = []
      return
    }
    var lists: [PieceList] = []
    let dictionary = try Self.dictionary(of: block, script, base: base, lists: &lists)
    self.lists = lists
    let stream = UnsafeRawBufferPointer(rebasing: bytes[block.inserted])
    do throws(DeflateError) {
      inserted = try dictionary.withRawBytes { (dictionary) throws(DeflateError) in
        try inflater.inflate(
          stream, dictionary: dictionary, byteCount: wanted, isPrefix: wanted < block.insertedByteCount)
      }
    } catch { throw .inserted(error) }
  }

  /// What the inserted bytes are inflated with.
  private static func dictionary(
    of block: ObjectBlock, _ script: BlockScript, base: [UInt8], lists: inout [PieceList]
  ) throws(DeltaError) -> [UInt8] {
    var edits: [DeltaEdit] = []
    if block.hasFarEnd {
      edits = script.steps[0].edits
    } else {
      lists = try Self.lists(after: [], upTo: block.memberCount - 1, script, block)
      lists[block.memberCount - 1].forEachEdit(baseByteCount: base.count) { edits.append($0) }
    }
    return BlockDictionary.bytes(of: edits, base: base)
  }

  private static func lists(
    after known: [PieceList], upTo number: Int, _ script: BlockScript, _ block: ObjectBlock
  ) throws(DeltaError) -> [PieceList] {
    var lists = known
    var pieceCount = known.reduce(0) { $0 + $1.pieces.count }
    while lists.count <= number {
      let next = lists.count
      let step = script.steps[next]
      let source = BlockScript.source(of: next, hasFarEnd: block.hasFarEnd)
      let earlier = source.map { lists[$0] } ?? PieceList(base: block.baseByteCount)
      guard
        let list = PieceList(
          step.edits, of: earlier, inserted: block.baseByteCount + 1 + step.inserted, tailStart: step.tailStart)
      else { throw .wrongLength }
      pieceCount += list.pieces.count
      guard pieceCount <= pieceLimit else { throw .wrongLength }
      lists.append(list)
    }
    return lists
  }

  /// The bytes of a member, not verified.
  func bytes(of number: Int) throws(DeltaError) -> [UInt8] {
    lists = try Self.lists(after: lists, upTo: number, script, block)
    let list = lists[number]
    guard list.byteCount == script.steps[number].byteCount else { throw .wrongLength }
    return base.withUnsafeBytes { base in
      inserted.withUnsafeBytes { inserted in list.bytes(base: base, inserted: inserted) }
    }
  }
}

/// The dictionary of a block's inserted bytes: what surrounds edits in the base.
enum BlockDictionary {
  static func bytes(of edits: [DeltaEdit], base: [UInt8]) -> [UInt8] {
    let count = edits.reduce(0) { $1.insertByteCount > 0 ? $0 + 1 : $0 }
    return base.withUnsafeBytes { base in
      withUnsafeTemporaryAllocation(byteCount: DictionaryLimits.byteCount, alignment: 16) { buffer in
        var dictionary = DeltaDictionary(base: base, editCount: count, output: buffer)
        for edit in edits where edit.insertByteCount > 0 { dictionary.add(edit) }
        return Array(dictionary.bytes)
      }
    }
  }
}
