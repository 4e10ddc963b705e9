import Hashing

/// The edits of all members of an objects block.
struct BlockScript {
  /// How one member is made from the text before it.
  struct Step {
    let edits: [DeltaEdit]
    let byteCount: Int
    /// Where the end of the text before begins that follows the last edit.
    let tailStart: Int
    /// Where this member's bytes begin in the inserted bytes.
    let inserted: Int

    var insertedByteCount: Int { edits.reduce(0) { $0 + $1.insertByteCount } }
  }

  let steps: [Step]

  /// Reads the edits of a block and checks that each stays in the text that it starts from.
  init(_ bytes: [UInt8], block: ObjectBlock) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    var steps: [Step] = []
    steps.reserveCapacity(block.memberCount)
    var inserted = 0
    for number in 0..<block.memberCount {
      let source = Self.source(of: number, hasFarEnd: block.hasFarEnd)
      let step = try Self.step(
        &reader, sourceByteCount: source.map { steps[$0].byteCount } ?? block.baseByteCount, inserted: inserted)
      inserted += step.insertedByteCount
      guard inserted <= block.insertedByteCount else { throw .invalidValue }
      steps.append(step)
    }
    try reader.finish()
    guard inserted == block.insertedByteCount else { throw .invalidValue }
    self.steps = steps
  }

  /// The member that another one is stored against; `nil` for the block's base.
  static func source(of number: Int, hasFarEnd: Bool) -> Int? {
    number == 0 || (hasFarEnd && number == 1) ? nil : number - 1
  }

  private static func step(
    _ reader: inout ByteReader, sourceByteCount: Int, inserted: Int
  ) throws(DecodingFailure) -> Step {
    // Two numbers an edit at least.
    let count = try reader.varint(limit: UInt64(reader.remaining / 2))
    let (length, overflow) = Int64(sourceByteCount).addingReportingOverflow(try reader.zigzag())
    guard !overflow, length >= 0, length <= Int64(PackFormat.maximumObjectByteCount) else { throw .limitExceeded }
    let byteCount = Int(length)
    var edits: [DeltaEdit] = []
    edits.reserveCapacity(Int(count))
    var rest = byteCount
    var position = 0
    for number in 0..<count {
      let copy = Int(try reader.varint(limit: UInt64(sourceByteCount - position)))
      let insert = Int(try reader.varint(limit: PackFormat.maximumObjectByteCount))
      guard copy + insert <= rest else { throw .invalidValue }
      rest -= copy + insert
      var next = position + copy
      if number < count - 1 {
        let jump = try reader.zigzag()
        guard jump >= Int64(-next), jump <= Int64(sourceByteCount - next) else { throw .invalidValue }
        next += Int(jump)
      }
      edits.append(DeltaEdit(copyStart: position, copyByteCount: copy, insertByteCount: insert, next: next))
      position = next
    }
    guard rest <= sourceByteCount else { throw .invalidValue }
    let tailStart = sourceByteCount - rest
    if count > 0 { edits[edits.count - 1].next = tailStart }
    return Step(edits: edits, byteCount: byteCount, tailStart: tailStart, inserted: inserted)
  }

  /// The edits of one member as they are stored.
  static func encode(_ edits: [DeltaEdit], sourceByteCount: Int, byteCount: Int, to writer: inout ByteWriter) {
    writer.varint(UInt64(edits.count))
    writer.zigzag(Int64(byteCount - sourceByteCount))
    for (number, edit) in edits.enumerated() {
      writer.varint(UInt64(edit.copyByteCount))
      writer.varint(UInt64(edit.insertByteCount))
      if number < edits.count - 1 { writer.zigzag(Int64(edit.next - edit.copyEnd)) }
    }
  }
}
