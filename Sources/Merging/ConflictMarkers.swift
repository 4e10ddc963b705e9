internal import Diffing

/// Writes a merge as one text, with conflicts between marker lines.
///
///     <<<<<<< ours
///     ||||||| base        (not in the style `merge`)
///     =======
///     >>>>>>> theirs
///
/// A marker ends its line as the lines around it do, with CR LF or LF. A side without a line feed at its end gets one
/// before the marker.
///
/// Source: git, "xdiff/xmerge.c", functions `fill_conflict_hunk` and `is_cr_needed`.
public enum ConflictMarkers {
  /// The size of a marker unless another is asked for.
  public static let defaultSize = 7

  /// Merges three contents and marks the conflicts; `nil` for a conflict of contents that are not text.
  ///
  /// - Parameter markerSize: at least 1, at most 1,000; what lies outside is moved to the nearer bound.
  public static func render(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], labels: ConflictLabels, markerSize: Int = defaultSize,
    style: ConflictStyle = .merge
  ) -> MarkedText? {
    let size = min(max(markerSize, 1), 1_000)
    if case .clean(let content) = FieldMerge(base: base, ours: ours, theirs: theirs) {
      return MarkedText(bytes: content, conflictCount: 0, markerSize: size)
    }
    if [base, ours, theirs].contains(where: BinaryDetection.isBinary) { return nil }
    return render(
      TextMerge(base: base, ours: ours, theirs: theirs), labels: labels, markerSize: size, style: style)
  }

  static func render(
    _ merge: TextMerge, labels: ConflictLabels, markerSize: Int, style: ConflictStyle
  ) -> MarkedText {
    let regions = merge.regions(in: style)
    let size = unusedSize(from: markerSize, in: [merge.base, merge.ours, merge.theirs])
    var output: [UInt8] = []
    var count = 0
    for region in regions {
      guard region.origin == .conflict else {
        output += merge.bytes(of: region)
        continue
      }
      count += 1
      let lineEnd: [UInt8] = usesCarriageReturn(merge, at: region) ? [0x0D, 0x0A] : [0x0A]

      func append(_ lines: ArraySlice<UInt8>) {
        output += lines
        if let last = lines.last, last != 0x0A { output += lineEnd }
      }
      func appendMarker(_ character: UInt8, _ label: [UInt8]) {
        output += [UInt8](repeating: character, count: size)
        if !label.isEmpty { output += [0x20] + label }
        output += lineEnd
      }

      appendMarker(0x3C, labels.ours)
      append(merge.ours.bytes(ofLines: region.ours))
      if style != .merge {
        appendMarker(0x7C, labels.base)
        append(merge.base.bytes(ofLines: region.base))
      }
      appendMarker(0x3D, [])
      append(merge.theirs.bytes(ofLines: region.theirs))
      appendMarker(0x3E, labels.theirs)
    }
    return MarkedText(bytes: output, conflictCount: count, markerSize: size)
  }

  /// The smallest size, from the one asked for, that no line of the texts could be taken for a marker of.
  static func unusedSize(from size: Int, in tables: [LineTable]) -> Int {
    var used: Set<Int> = []
    for table in tables {
      for line in 0..<table.count {
        let bytes = table[line]
        guard let first = bytes.first, first == 0x3C || first == 0x7C || first == 0x3D || first == 0x3E else {
          continue
        }
        let run = bytes.prefix { $0 == first }
        let next = run.endIndex < bytes.endIndex ? bytes[run.endIndex] : 0x0A
        if next == 0x20 || next == 0x0D || next == 0x0A { used.insert(run.count) }
      }
    }
    var unused = size
    while used.contains(unused) { unused += 1 }
    return unused
  }

  /// The line before the conflict decides, or the first one of it, on both sides; then the first line of the base.
  static func usesCarriageReturn(_ merge: TextMerge, at region: MergeRegion) -> Bool {
    let votes = [
      endsWithCarriageReturn(merge.ours, line: max(region.ours.lowerBound - 1, 0)),
      endsWithCarriageReturn(merge.theirs, line: max(region.theirs.lowerBound - 1, 0)),
      endsWithCarriageReturn(merge.base, line: 0),
    ].compactMap { $0 }
    return !votes.isEmpty && votes.allSatisfy { $0 }
  }

  /// Whether a line ends with CR LF; the last one without a line end counts as the one before it.
  private static func endsWithCarriageReturn(_ table: LineTable, line: Int) -> Bool? {
    guard line < table.count else { return nil }
    let bytes = table[line]
    if bytes.last == 0x0A { return bytes.dropLast().last == 0x0D }
    return line > 0 ? table[line - 1].dropLast().last == 0x0D : nil
  }
}
