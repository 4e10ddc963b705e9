/// Finds elements that both sides gave the same identifier, each without knowing of the other.
enum RepeatedIdentifiers {
  /// Attributes whose value tells an element from others of its kind, by the name without prefix.
  private static let names: Set<BytesKey> = Set(
    [
      "id", "Id", "ID", "name", "styleId", "numId", "abstractNumId", "paraId", "full-path", "PartName", "Extension",
      "r",
    ].map { BytesKey($0) })

  private struct Identifier: Hashable {
    let element: BytesKey
    let attribute: BytesKey
    let value: BytesKey
  }

  /// Whether no identifier is there more than once that either side has at most once.
  static func isFree(_ result: XMLTags, ours: XMLTags, theirs: XMLTags) -> Bool {
    let repeated = counts(in: result).filter { $0.value > 1 }
    guard !repeated.isEmpty else { return true }
    let (mine, other) = (counts(in: ours), counts(in: theirs))
    return repeated.allSatisfy { mine[$0.key, default: 0] > 1 || other[$0.key, default: 0] > 1 }
  }

  private static func counts(in document: XMLTags) -> [Identifier: Int] {
    var counts: [Identifier: Int] = [:]
    for tag in document.tags {
      for attribute in tag.attributes {
        let name = document.bytes[attribute.name]
        let local = name.lastIndex(of: 0x3A).map { name[($0 + 1)...] } ?? name
        guard names.contains(BytesKey(local)) else { continue }
        let identifier = Identifier(
          element: BytesKey(document.bytes[tag.name]), attribute: BytesKey(name),
          value: BytesKey(document.bytes[attribute.value]))
        counts[identifier, default: 0] += 1
      }
    }
    return counts
  }
}
