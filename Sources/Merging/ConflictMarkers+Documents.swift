internal import Diffing

extension ConflictMarkers {
  /// Both sides of a document in conflict with markers, for somebody to settle.
  ///
  /// Where the lines merge after all, as they do to something that the format doesn't allow, every place in which the sides
  /// differ is marked. UTF-16 stays UTF-16 in its own order, the byte-order mark before everything. The size is the usual
  /// one, or more where the texts have such lines.
  ///
  /// - Parameter base: `nil` without a common version.
  /// - Returns: `nil` where the versions aren't texts, or not of one encoding.
  public static func renderDocument(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], labels: ConflictLabels
  ) -> MarkedText? {
    let versions = [base ?? [], ours, theirs]
    guard versions.contains(where: { UTF16Text.Order(of: $0) != nil }) else {
      return renderText(base: base, ours: ours, theirs: theirs, labels: labels)
    }
    guard let decoded = UTF16Text.decoded(versions) else { return nil }
    let texts = decoded.map { Array($0[ByteText.markLength(of: $0)...]) }
    let marked = renderText(
      base: base.map { _ in texts[0] }, ours: texts[1], theirs: texts[2],
      labels: ConflictLabels(
        ours: UTF16Text.decoded(words: labels.ours), base: UTF16Text.decoded(words: labels.base),
        theirs: UTF16Text.decoded(words: labels.theirs)))
    guard let marked, let bytes = UTF16Text.encoded(byteOrderMark + marked.bytes, like: versions) else { return nil }
    return MarkedText(bytes: bytes, conflictCount: marked.conflictCount, markerSize: marked.markerSize)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func renderText(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], labels: ConflictLabels
  ) -> MarkedText? {
    if [base ?? [], ours, theirs].contains(where: BinaryDetection.isBinary) { return nil }
    if let base {
      let merge = TextMerge(base: base, ours: ours, theirs: theirs)
      let marked = render(merge, labels: labels, markerSize: defaultSize, style: .merge)
      if marked.conflictCount > 0 { return marked }
    }
    if ours == theirs {
      let size = unusedSize(from: defaultSize, in: [LineTable(ours)])
      return MarkedText(bytes: ours, conflictCount: 0, markerSize: size)
    }
    return render(
      TextMerge(differencesOf: ours, and: theirs), labels: labels, markerSize: defaultSize, style: .merge)
  }

  /// Whether content has lines that can only be markers of a size; UTF-16 with a byte-order mark is looked at as such.
  public static func areLeft(in content: [UInt8], size: Int) -> Bool {
    if let order = UTF16Text.Order(of: content), hasMarkers(UTF16Text.decoded(content, order), size) { return true }
    return hasMarkers(content, size)
  }

  private static func hasMarkers(_ text: [UInt8], _ size: Int) -> Bool {
    text[ByteText.markLength(of: text)...].split(separator: 0x0A).contains { line in
      guard let first = line.first, first == 0x3C || first == 0x7C || first == 0x3E else { return false }
      let run = line.prefix { $0 == first }
      guard run.count == size else { return false }
      return run.endIndex == line.endIndex || [0x20, 0x0D].contains(line[run.endIndex])
    }
  }
}
