/// What one save makes of a document's heads, without the graph.
public enum HeadUpdate {
  /// The heads of a plain document after a new version, greatest first.
  ///
  /// A document is plain where no retraction names a version of its family.
  ///
  /// - Parameters:
  ///   - version: a version that was not there before.
  ///   - heads: all heads of the document.
  /// - Returns: `nil` where heads and version don't decide it: the version is an automatic merge, has a parent that is
  ///   no head here, or leaves an automatic merge a head, for which it may stand (R9).
  public static func heads(after version: Version, among heads: [Version]) -> [Version]? {
    let parents = Set(version.record.parents)
    let rest = heads.filter { !parents.contains($0.id) }
    guard !version.record.isAutomatic, heads.count - rest.count == parents.count,
      !rest.contains(where: { $0.record.isAutomatic || $0.id == version.id })
    else { return nil }
    return (rest + [version]).greatestFirst()
  }
}
