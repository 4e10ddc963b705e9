/// The edits of a delta, read in place: any number of passes without memory of their own.
///
/// Source: docs/format.md, "Encodings".
struct DeltaScript {
  private let delta: UnsafeRawBufferPointer
  private let baseByteCount: Int
  private let editsStart: Int
  let editCount: Int
  let isDeflated: Bool
  /// How many edits insert bytes.
  private(set) var insertingEditCount = 0
  /// The bytes that all edits insert.
  private(set) var insertedByteCount = 0
  /// Where the base's end begins that is copied after the last edit.
  private(set) var tailStart: Int
  /// The delta's bytes behind the edits.
  private(set) var inserted = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Reads the edits and checks that they stay in the base and make up exactly `byteCount` bytes.
  init(_ delta: UnsafeRawBufferPointer, baseByteCount: Int, byteCount: Int) throws(DeltaError) {
    try self.init(delta, baseByteCount: baseByteCount, byteCount: byteCount) { _ in }
  }

  /// Does the same and gives all edits.
  ///
  /// - Parameter limit: where there are more, none are given.
  init(
    _ delta: UnsafeRawBufferPointer, baseByteCount: Int, byteCount: Int, limit: Int, edits: inout [DeltaEdit]
  ) throws(DeltaError) {
    var found: [DeltaEdit] = []
    try self.init(delta, baseByteCount: baseByteCount, byteCount: byteCount) { edit in
      if found.count <= limit { found.append(edit) }
    }
    if editCount > limit { found = [] }
    if !found.isEmpty { found[found.count - 1].next = tailStart }
    edits = found
  }

  @inline(__always)
  private init(
    _ delta: UnsafeRawBufferPointer, baseByteCount: Int, byteCount: Int, _ body: (DeltaEdit) -> Void
  ) throws(DeltaError) {
    guard (0...DeltaCodec.byteCountLimit).contains(byteCount) else { throw .wrongLength }
    self.delta = delta
    self.baseByteCount = baseByteCount
    var reader = DeltaReader(delta)
    let head = try reader.varint()
    // An edit takes two bytes at least.
    guard head / 2 <= UInt64(reader.remaining / 2) else { throw .truncated }
    editCount = Int(head / 2)
    isDeflated = head & 1 == 1
    editsStart = reader.position
    tailStart = 0

    var rest = byteCount
    var cursor = Cursor(reader: reader, editCount: editCount)
    while let edit = try cursor.next(baseByteCount: baseByteCount) {
      guard edit.copyByteCount + edit.insertByteCount <= rest else { throw .wrongLength }
      rest -= edit.copyByteCount + edit.insertByteCount
      insertedByteCount += edit.insertByteCount
      if edit.insertByteCount > 0 { insertingEditCount += 1 }
      body(edit)
    }
    guard rest <= baseByteCount else { throw .wrongLength }
    tailStart = baseByteCount - rest
    inserted = UnsafeRawBufferPointer(rebasing: delta[cursor.reader.position...])
    guard isDeflated ? insertedByteCount > 0 : inserted.count == insertedByteCount else { throw .wrongLength }
  }

  /// Calls `body` with each edit.
  func forEachEdit(_ body: (DeltaEdit) -> Void) throws(DeltaError) {
    var cursor = Cursor(reader: DeltaReader(delta, at: editsStart), editCount: editCount, tailStart: tailStart)
    while let edit = try cursor.next(baseByteCount: baseByteCount) { body(edit) }
  }
}

extension DeltaScript {
  /// A place between two edits.
  private struct Cursor {
    var reader: DeltaReader
    private var left: Int
    private var position = 0
    private let tailStart: Int

    init(reader: DeltaReader, editCount: Int, tailStart: Int = 0) {
      self.reader = reader
      self.tailStart = tailStart
      left = editCount
    }

    @inline(__always)
    mutating func next(baseByteCount: Int) throws(DeltaError) -> DeltaEdit? {
      guard left > 0 else { return nil }
      left -= 1
      let copy = try reader.varint()
      let insert = try reader.varint()
      guard copy <= UInt64(baseByteCount - position) else { throw .outsideBase }
      guard insert <= UInt64(DeltaCodec.byteCountLimit) else { throw .wrongLength }
      let start = position
      position += Int(copy)
      if left == 0 {
        position = tailStart
      } else {
        let jump = try reader.zigzag()
        guard jump >= Int64(-position), jump <= Int64(baseByteCount - position) else { throw .outsideBase }
        position += Int(jump)
      }
      return DeltaEdit(copyStart: start, copyByteCount: Int(copy), insertByteCount: Int(insert), next: position)
    }
  }
}

/// Reads numbers from the front of a delta.
private struct DeltaReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var remaining: Int { bytes.count - position }

  @inline(__always)
  mutating func varint() throws(DeltaError) -> UInt64 {
    // Most numbers are one or two bytes.
    guard bytes.count - position >= 2 else { return try longVarint() }
    let (first, second) = (bytes[position], bytes[position + 1])
    if first < 0x80 {
      position += 1
      return UInt64(first)
    }
    guard second < 0x80, second > 0 else { return try longVarint() }
    position += 2
    return UInt64(first & 0x7F) | UInt64(second) << 7
  }

  private mutating func longVarint() throws(DeltaError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < bytes.count else { throw .truncated }
      let byte = bytes[position]
      position += 1
      if shift == 63 && byte > 1 || byte == 0 && shift > 0 { throw .malformed }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
  }

  @inline(__always)
  mutating func zigzag() throws(DeltaError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
