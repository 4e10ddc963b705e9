/// Whether a merge by structure has what became of each text and number, once.
///
/// A member that one side puts into another object is a deletion and an addition to a merge by places. Where the other
/// side does the same elsewhere it would be there twice, and where the other side deletes or edits it, it would stay as it
/// was. Values that the base has once and no version twice tell: any of them has to be as the three-way rule says.
struct JSONLeaves {
  private struct Counts {
    var base: UInt8 = 0
    var ours: UInt8 = 0
    var theirs: UInt8 = 0
    var result: UInt8 = 0

    var areExpected: Bool {
      // What is there more than once can't be told apart, and both may put in the same text at different places.
      if base != 1 || max(ours, theirs) > 1 { return true }
      guard case .clean(let expected) = FieldMerge(base: base, ours: ours, theirs: theirs) else { return false }
      return result == expected
    }
  }

  /// Hashes that are equal by chance only make more values count as one that is there twice.
  static func areKept(base: JSONDocument, ours: JSONDocument, theirs: JSONDocument, in result: JSONDocument) -> Bool {
    var known: [UInt64: Counts] = [:]
    count(base, \.base, &known)
    count(ours, \.ours, &known)
    count(theirs, \.theirs, &known)
    count(result, \.result, &known)
    return known.values.allSatisfy(\.areExpected)
  }

  private static func count(
    _ document: JSONDocument, _ version: WritableKeyPath<Counts, UInt8>, _ known: inout [UInt64: Counts]
  ) {
    for node in document.nodes where node.kind == .string || node.kind == .number {
      var hash = JSONHash()
      hash.combine(node.nameHash)
      hash.combine(node.textHash)
      let before = known[hash.value, default: Counts()][keyPath: version]
      known[hash.value, default: Counts()][keyPath: version] = min(before, 1) + 1
    }
  }
}
