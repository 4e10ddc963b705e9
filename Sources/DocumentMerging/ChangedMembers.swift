/// The members that either side changed, to see whether changes in different members can stand together.
///
/// Members refer to each other by numbers that programs give anew at every save: relations, automatic styles, notes, shared
/// strings. Where one side gave such a number another meaning, and the other refers to it in something new, every member
/// may merge and the document be wrong. Such documents are a conflict.
struct ChangedMembers {
  private struct Change {
    let name: String
    let base: XMLTags?
    let ours: XMLTags?
    let theirs: XMLTags?
  }

  private var changes: [Change] = []

  mutating func note(_ name: [UInt8], base: [UInt8]?, ours: [UInt8]?, theirs: [UInt8]?) {
    func tags(_ content: [UInt8]?) -> XMLTags? {
      content.flatMap { XMLTags.isLikely($0) ? XMLTags($0) : nil }
    }
    // What one side left alone is parsed once.
    let old = tags(base)
    let mine = ours == base ? old : tags(ours)
    let other = theirs == base ? old : theirs == ours ? mine : tags(theirs)
    changes.append(Change(name: String(decoding: name, as: UTF8.self), base: old, ours: mine, theirs: other))
  }

  /// Whether neither side's changes alter what the other's refer to.
  var areIndependent: Bool {
    let mine = changes.map { SideChange(name: $0.name, base: $0.base, side: $0.ours) }
    let other = changes.map { SideChange(name: $0.name, base: $0.base, side: $0.theirs) }
    return Self.areIndependent(mine, of: other) && Self.areIndependent(other, of: mine)
  }

  private static func areIndependent(_ redefining: [SideChange], of referring: [SideChange]) -> Bool {
    for (change, counterpart) in zip(redefining, referring) where change.isChanged {
      // Where both came to the same member, its numbers mean the same to both.
      let isAlike = change.side?.bytes == counterpart.side?.bytes
      let redefined = isAlike ? [] : change.redefinedIdentifiers
      if !redefined.isEmpty {
        let scope = change.scope
        for other in referring where other.isChanged && (scope == nil || scope == other.name) {
          if !redefined.isDisjoint(with: other.newValues) { return false }
        }
      }
      if change.isTable && !isAlike && referring.contains(where: { $0.isChanged && $0.isSheet }) {
        if !change.onlyGrows || counterpart.isChanged { return false }
      }
      if change.isSheet && change.hasOtherCells && referring.contains(where: { $0.isSheet && $0.hasNewFormula }) {
        return false
      }
    }
    return true
  }
}

/// What one side did to one member.
private struct SideChange {
  let name: String
  let base: XMLTags?
  let side: XMLTags?

  var isChanged: Bool { base?.bytes != side?.bytes }

  /// The part that relations belong to; other identifiers are known in the whole document.
  var scope: String? {
    guard name.hasSuffix(".rels") else { return nil }
    return name.dropLast(5).split(separator: "/").filter { $0 != "_rels" }.joined(separator: "/")
  }

  /// Elements that programs number, with the attribute that holds the number.
  private static let numbered: [BytesKey: String] = [
    "Relationship": "Id", "w:num": "w:numId", "w:abstractNum": "w:abstractNumId", "w:footnote": "w:id",
    "w:endnote": "w:id", "w:comment": "w:id",
  ].reduce(into: [:]) { $0[BytesKey($1.key)] = $1.value }

  /// The identifiers that mean something else, or nothing, on this side.
  var redefinedIdentifiers: Set<BytesKey> {
    guard let base else { return [] }
    let old = Self.definitions(base)
    let new = side.map(Self.definitions) ?? [:]
    return Set(old.filter { new[$0.key] != $0.value }.map(\.key.value))
  }

  private struct Definition: Hashable {
    let element: BytesKey
    let value: BytesKey
  }

  private static func definitions(_ tags: XMLTags) -> [Definition: ArraySlice<UInt8>] {
    var definitions: [Definition: ArraySlice<UInt8>] = [:]
    for tag in tags.tags {
      let element = tags.name(of: tag)
      var attribute = numbered[BytesKey(element)]
      if let parent = tag.parent, tags.name(of: tags.tags[parent]).elementsEqual("office:automatic-styles".utf8) {
        attribute = "style:name"
      }
      guard let attribute, let value = tags.value(of: attribute, in: tag) else { continue }
      definitions[Definition(element: BytesKey(element), value: BytesKey(value))] = tags.element(tag)
    }
    return definitions
  }

  /// The values of all attributes in tags that the base doesn't have.
  var newValues: Set<BytesKey> {
    guard let side else { return [] }
    var known: [BytesKey: Int] = [:]
    if let base { for tag in base.tags { known[BytesKey(base.bytes[tag.range]), default: 0] += 1 } }
    var values: Set<BytesKey> = []
    for tag in side.tags {
      if let index = known.index(forKey: BytesKey(side.bytes[tag.range])), known.values[index] > 0 {
        known.values[index] -= 1
      } else {
        for attribute in tag.attributes { values.insert(BytesKey(side.bytes[attribute.value])) }
      }
    }
    return values
  }

  // Spreadsheets.

  /// Whether cells refer to the member by places in its lists.
  var isTable: Bool { name == "xl/sharedStrings.xml" || name == "xl/styles.xml" }

  var isSheet: Bool {
    if name.hasPrefix("xl/worksheets/") { return true }
    guard name == "content.xml", let tags = base ?? side else { return false }
    return tags.tags.contains { tags.name(of: $0).elementsEqual("office:spreadsheet".utf8) }
  }

  /// Whether each list begins with all that the base's has.
  var onlyGrows: Bool {
    guard let base, let side else { return false }
    let depth = name == "xl/styles.xml" ? 2 : 1
    let (old, new) = (Self.lists(base, depth), Self.lists(side, depth))
    return old.allSatisfy { (new[$0.key] ?? []).starts(with: $0.value) }
  }

  private static func lists(_ tags: XMLTags, _ depth: Int) -> [ArraySlice<UInt8>: [ArraySlice<UInt8>]] {
    var lists: [ArraySlice<UInt8>: [ArraySlice<UInt8>]] = [:]
    for tag in tags.tags where tag.depth == depth {
      guard let parent = tag.parent else { continue }
      lists[tags.name(of: tags.tags[parent]), default: []].append(tags.element(tag))
    }
    return lists
  }

  /// Whether rows or cells were added or went, so that others may have moved.
  var hasOtherCells: Bool {
    Self.cellCount(base) != Self.cellCount(side)
  }

  private static func cellCount(_ tags: XMLTags?) -> Int {
    guard let tags else { return 0 }
    let kinds = ["row", "c", "table:table-row", "table:table-cell", "table:covered-table-cell", "table:table-column"]
    return tags.tags.count { tag in kinds.contains { tags.name(of: tag).elementsEqual($0.utf8) } }
  }

  var hasNewFormula: Bool {
    let old = Self.formulas(base)
    return !Self.formulas(side).isSubset(of: old)
  }

  /// Formulas with the cells they are in.
  private static func formulas(_ tags: XMLTags?) -> Set<[ArraySlice<UInt8>]> {
    guard let tags else { return [] }
    var formulas: Set<[ArraySlice<UInt8>]> = []
    for tag in tags.tags {
      if tags.name(of: tag).elementsEqual("f".utf8) {
        formulas.insert([tag.parent.map { tags.bytes[tags.tags[$0].range] } ?? [], tags.element(tag)])
      } else if let formula = tags.value(of: "table:formula", in: tag) {
        formulas.insert([formula])
      }
    }
    return formulas
  }
}
