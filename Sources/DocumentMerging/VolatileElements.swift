/// Elements of several documents that are left out of a merge and put back afterwards.
struct VolatileElements {
  /// The documents with a stand-in for each element.
  private(set) var texts: [[UInt8]] = []
  /// The elements of each document, by the number of the stand-in.
  private var elements: [[ArraySlice<UInt8>]]

  /// No XML has this byte, so a stand-in is nothing else.
  private static let mark: UInt8 = 0x02

  /// Takes out the elements of these patterns, as far as all documents have equally many.
  init(_ patterns: [ElementPattern], in documents: [XMLTags]) {
    var ranges = documents.map { _ in [(range: Range<Int>, number: Int)]() }
    elements = documents.map { _ in [] }
    for pattern in patterns {
      let found = documents.map { document in document.tags.filter { pattern.matches($0, in: document) } }
      guard Set(found.map(\.count)).count == 1 else { continue }
      for index in documents.indices {
        for tag in found[index] {
          ranges[index].append((tag.range.lowerBound..<tag.end, elements[index].count))
          elements[index].append(documents[index].element(tag))
        }
      }
    }
    texts = documents.indices.map { Self.text(documents[$0].bytes, without: ranges[$0]) }
  }

  private static func text(_ bytes: [UInt8], without ranges: [(range: Range<Int>, number: Int)]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for (range, number) in ranges.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= position {
      result += bytes[position..<range.lowerBound]
      result += [0x3C, mark] + Array(String(number).utf8) + [0x3E]
      position = range.upperBound
    }
    return result + bytes[position...]
  }

  /// The text with the elements of one of the documents in place of the stand-ins.
  func restored(_ text: [UInt8], from index: Int) -> [UInt8] {
    guard !elements[index].isEmpty else { return text }
    var result: [UInt8] = []
    var rest = text[...]
    while let mark = rest.firstIndex(of: Self.mark) {
      result += rest[..<(mark - 1)]
      let digits = rest[(mark + 1)...].prefix { $0 != 0x3E }
      if let number = Int(String(decoding: digits, as: UTF8.self)), elements[index].indices.contains(number) {
        result += elements[index][number]
      }
      rest = rest[min(digits.endIndex + 1, rest.endIndex)...]
    }
    return result + rest
  }
}
