internal import Archives
public import Merging

/// Merges the contents of one document, whatever it is: zip archives member by member, all else by ``MergeDriver``.
///
/// The answer is a pure function of path and bytes, the same on every device and in every build: what is compressed anew is
/// compressed by rules frozen with a version. `ours` must be the same side on every device (the greater parent), since
/// bookkeeping, member order and ties are taken from it; swapped sides give the same verdict and the same contents.
public enum DocumentMerge {
  /// Merges contents.
  ///
  /// A zip document is merged whole or is one conflict, of which no regions are told; `count` is then the number of members
  /// in conflict, or 1 where an archive can't be read or is encrypted or signed.
  ///
  /// - Parameter path: of the merged document; only its ending counts, and not for zip documents, which are known by their
  ///   content.
  public static func merge(
    path: [UInt8], base: [UInt8], ours: [UInt8], theirs: [UInt8], options: MergeOptions = MergeOptions()
  ) -> MergeOutcome {
    if case .clean(let content) = FieldMerge(base: base, ours: ours, theirs: theirs) { return .clean(content) }
    guard [base, ours, theirs].allSatisfy(ZipArchive.isLikely) else {
      return MergeDriver.mergeContents(path: path, base: base, ours: ours, theirs: theirs, options: options)
    }
    return ZipDocumentMerge.merge(base: base, ours: ours, theirs: theirs)
  }
}
