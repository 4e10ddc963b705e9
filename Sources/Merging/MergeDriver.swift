internal import Diffing

/// Chooses how contents are merged automatically.
///
/// The answer is a pure function of path and bytes, the same on every device, and the same when the sides are swapped.
/// Whatever changes an answer gets a new number.
///
/// 1. What one side left alone, or both changed alike, needs no merge, whatever it is.
/// 2. UTF-16 with a byte-order mark is merged as text, by its own line ends; other content with a zero byte never.
/// 3. Text is merged by lines; where that is a conflict, line ends that one side converted are merged as a value of
///    their own, and with ``MergeOptions/Granularity/word`` edits in different sentences are put together.
/// 4. JSON that lines can't merge is merged by its structure, where that is certain.
/// 5. Where base and both sides are well formed (XML, JSON, YAML) the result is, or there is none.
public enum MergeDriver {
  /// The number of these rules, which every automatic merge records.
  ///
  /// 1 were lines alone; 2 are the rules above, with zip documents and packages merged by their parts; 3 are the same with
  /// words, see ``MergeOptions/rulesNumber``. Of two merges of the same versions the one with the greater number stays.
  ///
  /// Source: docs/format.md, "Version record".
  public static let rulesNumber: UInt32 = 2

  /// Merges the contents of one document.
  ///
  /// - Parameter path: of the merged document; only its ending counts.
  public static func mergeContents(
    path: [UInt8], base: [UInt8], ours: [UInt8], theirs: [UInt8], options: MergeOptions = MergeOptions()
  ) -> MergeOutcome {
    if case .clean(let content) = FieldMerge(base: base, ours: ours, theirs: theirs) { return .clean(content) }
    let versions = [base, ours, theirs]
    if versions.contains(where: { UTF16Text.Order(of: $0) != nil }) {
      guard let text = UTF16Text.decoded(versions) else { return .refused(.encodingsDiffer) }
      let outcome = mergeContents(path: path, base: text[0], ours: text[1], theirs: text[2], options: options)
      guard case .clean(let content) = outcome else { return outcome }
      guard let encoded = UTF16Text.encoded(content, like: versions) else { return .refused(.encodingsDiffer) }
      return .clean(encoded)
    }
    if versions.contains(where: BinaryDetection.isBinary) { return .refused(.notText) }
    return mergeTexts(path: path, base: base, ours: ours, theirs: theirs, options: options)
  }

  private static func mergeTexts(
    path: [UInt8], base: [UInt8], ours: [UInt8], theirs: [UInt8], options: MergeOptions
  ) -> MergeOutcome {
    let text = TextMerge(base: base, ours: ours, theirs: theirs)
    var outcome = text.outcome
    if outcome.content == nil, let merged = LineEndMerge.merge(base: base, ours: ours, theirs: theirs) {
      outcome = .clean(merged)
    }
    guard let format = DocumentFormat(path: path, base: base, ours: ours, theirs: theirs) else {
      return refined(outcome, of: text, options)
    }
    if format == .json {
      if let merged = outcome.content, format.accepts(merged) { return outcome }
      if let merged = JSONMerge.merge(base: base, ours: ours, theirs: theirs) { return .clean(merged) }
    } else {
      outcome = refined(outcome, of: text, options)
    }
    if let merged = outcome.content, !format.accepts(merged) { return .refused(.malformedResult(format)) }
    return outcome
  }

  private static func refined(_ outcome: MergeOutcome, of text: TextMerge, _ options: MergeOptions) -> MergeOutcome {
    guard outcome.content == nil, options.granularity == .word, let merged = WordMerge.merge(text) else {
      return outcome
    }
    return .clean(merged)
  }
}
