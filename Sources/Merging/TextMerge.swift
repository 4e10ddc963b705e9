public import Diffing

/// A three-way merge by lines.
///
/// Bytes pass through untouched: nothing is decoded, no line end is converted. Changes with no unchanged line between
/// them are a conflict, unless both sides come to the same lines. Swapped sides give the same verdict and the same merged
/// bytes.
///
/// Source: Sanjeev Khanna, Keshav Kunal and Benjamin C. Pierce, "A formal investigation of diff3" (2007); where conflicts
/// begin and end follows git, "xdiff/xmerge.c".
public struct TextMerge: Sendable {
  public let base: LineTable
  public let ours: LineTable
  public let theirs: LineTable
  /// The whole of the three texts as passages, in order; conflicts are as wide as the changes that touch.
  public let regions: [MergeRegion]

  /// Merges texts line by line, without a look at what they are.
  public init(base: [UInt8], ours: [UInt8], theirs: [UInt8]) {
    let tables = LineTable.tables(of: [base, ours, theirs])
    self.base = tables[0]
    self.ours = tables[1]
    self.theirs = tables[2]
    regions = Self.regions(base: tables[0], ours: tables[1], theirs: tables[2])
  }

  /// Two texts without a base: all that differs is one conflict, which a style may split.
  init(differencesOf ours: [UInt8], and theirs: [UInt8]) {
    let tables = LineTable.tables(of: [[], ours, theirs])
    base = tables[0]
    self.ours = tables[1]
    self.theirs = tables[2]
    regions = [
      MergeRegion(origin: .conflict, base: 0..<0, ours: 0..<tables[1].count, theirs: 0..<tables[2].count)
    ]
  }

  /// Merges contents: text by lines, anything only where a side is unchanged or both are alike.
  ///
  /// Content with a zero byte in any of the three is not merged by lines. A file that one side lacks is no empty file: see
  /// ``FieldMerge``.
  public static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> MergeOutcome {
    if case .clean(let content) = FieldMerge(base: base, ours: ours, theirs: theirs) {
      return .clean(content)
    }
    if [base, ours, theirs].contains(where: BinaryDetection.isBinary) {
      return .conflict(count: 1, regions: [])
    }
    return TextMerge(base: base, ours: ours, theirs: theirs).outcome
  }

  /// The merged bytes, or the conflicts without the lines that both sides share.
  public var outcome: MergeOutcome {
    let conflicts = regions(in: .merge).filter { $0.origin == .conflict }
    guard conflicts.isEmpty else { return .conflict(count: conflicts.count, regions: conflicts) }
    var merged: [UInt8] = []
    merged.reserveCapacity(max(ours.bytes.count, theirs.bytes.count))
    for region in regions { merged += bytes(of: region) }
    return .clean(merged)
  }

  /// The merged lines of a passage; of a conflict, ours.
  func bytes(of region: MergeRegion) -> ArraySlice<UInt8> {
    region.origin == .theirs ? theirs.bytes(ofLines: region.theirs) : ours.bytes(ofLines: region.ours)
  }
}
