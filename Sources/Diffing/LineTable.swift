/// A text cut into lines, each with a number that equal lines share.
///
/// A line ends behind a line feed (0x0A) and keeps it; nothing else ends a line. Only the last line may lack it.
/// Lines are equal exactly if their bytes are. Numbers are comparable only between tables that were made together.
public struct LineTable: Sendable {
  /// The whole text.
  public let bytes: [UInt8]
  /// The number of each line, from 0.
  public let ids: [Int32]
  // Where each line begins, and at the end the length of the text.
  private let offsets: [Int]

  /// The number of lines; 0 for an empty text.
  public var count: Int { ids.count }

  /// Whether the text is empty or its last line has a line feed.
  public var endsWithLineFeed: Bool { bytes.last.map { $0 == 0x0A } ?? true }

  /// Cuts a text that is compared with no other.
  public init(_ bytes: [UInt8]) {
    self = Self.tables(of: [bytes])[0]
  }

  private init(bytes: [UInt8], ids: [Int32], offsets: [Int]) {
    self.bytes = bytes
    self.ids = ids
    self.offsets = offsets
  }

  /// Cuts texts that are compared with each other: equal lines have the same number in all of them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public static func tables(of texts: [[UInt8]]) -> [LineTable] {
    let byteCount = texts.reduce(0) { $0 + $1.count }
    var interner = Interner(expecting: byteCount / 40 + 16)
    var tables: [LineTable] = []
    tables.reserveCapacity(texts.count)
    appendTables(of: texts[...], to: &tables, interner: &interner)
    return tables
  }

  /// Works through the texts one inside the other, because the interner points into all of them.
  private static func appendTables(
    of texts: ArraySlice<[UInt8]>, to tables: inout [LineTable], interner: inout Interner
  ) {
    guard let text = texts.first else { return }
    text.withUnsafeBytes { buffer in
      let lines = scan(buffer, interner: &interner)
      tables.append(LineTable(bytes: text, ids: lines.ids, offsets: lines.offsets))
      appendTables(of: texts.dropFirst(), to: &tables, interner: &interner)
    }
  }

  private static func scan(
    _ text: UnsafeRawBufferPointer, interner: inout Interner
  ) -> (ids: [Int32], offsets: [Int]) {
    var ids: [Int32] = []
    var offsets: [Int] = [0]
    guard let start = text.baseAddress else { return (ids, offsets) }
    ids.reserveCapacity(text.count / 40 + 1)
    offsets.reserveCapacity(text.count / 40 + 2)
    var offset = 0
    while offset < text.count {
      let line = nextLine(in: text, from: offset)
      ids.append(interner.number(of: start + offset, byteCount: line.end - offset, hash: line.hash))
      offsets.append(line.end)
      offset = line.end
    }
    return (ids, offsets)
  }

  /// Finds the end of the line and its hash in one pass.
  private static func nextLine(
    in text: UnsafeRawBufferPointer, from start: Int
  ) -> (end: Int, hash: UInt64) {
    var hash = LineHash()
    var offset = start
    while offset + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      // The lowest set bit marks the first byte that is a line feed.
      let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
      let found = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if found != 0 {
        let bits = UInt64(found.trailingZeroBitCount + 1)
        hash.combine(bits == 64 ? word : word & (1 << bits - 1))
        let end = offset + Int(bits / 8)
        return (end, hash.finished(byteCount: end - start))
      }
      hash.combine(word)
      offset += 8
    }
    var word: UInt64 = 0
    var end = offset
    while end < text.count {
      let byte = text[end]
      word |= UInt64(byte) << UInt64((end - offset) * 8)
      end += 1
      if byte == 0x0A { break }
    }
    if end > offset { hash.combine(word) }
    return (end, hash.finished(byteCount: end - start))
  }

  /// The bytes of consecutive lines, with their line feeds.
  public func bytes(ofLines lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[offsets[lines.lowerBound]..<offsets[lines.upperBound]]
  }

  /// The bytes of one line, with its line feed.
  public subscript(line: Int) -> ArraySlice<UInt8> {
    bytes[offsets[line]..<offsets[line + 1]]
  }
}
