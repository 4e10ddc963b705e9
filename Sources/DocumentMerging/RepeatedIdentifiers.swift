/// Finds elements that both sides gave the same identifier, each without knowing of the other.
enum RepeatedIdentifiers {
  /// Attributes whose value tells an element from others of its kind, by the name without prefix.
  private static let names: [String] = [
    "id", "Id", "ID", "name", "styleId", "numId", "abstractNumId", "paraId", "full-path", "PartName", "Extension", "r",
  ]

  private struct Identifier: Hashable {
    let element: ArraySlice<UInt8>
    let attribute: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
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
        guard names.contains(where: { local.elementsEqual($0.utf8) }) else { continue }
        let identifier = Identifier(
          element: document.bytes[tag.name], attribute: name, value: document.bytes[attribute.value])
        counts[identifier, default: 0] += 1
      }
    }
    return counts
  }
}
