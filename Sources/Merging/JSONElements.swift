internal import Diffing

/// The elements of a merged array in their order.
///
/// Changes of both sides need an unchanged element between them, unless each element of the passage was edited in place:
/// as many as before on both sides, all objects or all arrays, each still recognisable. Numbers alone, such as a colour or
/// a place, belong together: they are never mixed.
struct JSONElements {
  private let layouts: JSONLayouts

  init(_ layouts: JSONLayouts) {
    self.layouts = layouts
  }

  /// `nil` where someone has to choose.
  var items: [JSONItem]? {
    guard let ids = numbers() else { return nil }
    let our = SequenceDiff(old: ids.base, new: ids.ours).hunks
    let their = SequenceDiff(old: ids.base, new: ids.theirs).hunks
    if !our.isEmpty, !their.isEmpty, hasOnlyNumbers { return nil }
    var changes = ChangePairs(ours: our, theirs: their)
    var items: [JSONItem] = []
    var (old, mine, other) = (0, 0, 0)

    func appendUnchanged(until end: Int) {
      while old < end {
        items.append(JSONItem(base: old, ours: mine, theirs: other))
        (old, mine, other) = (old + 1, mine + 1, other + 1)
      }
    }

    while let pair = changes.next() {
      appendUnchanged(until: pair.base.lowerBound)
      let passage = Passage(
        base: pair.base, ours: mine..<mine + pair.base.count + pair.oursGrowth,
        theirs: other..<other + pair.base.count + pair.theirsGrowth)
      let isAlike = ids.ours[passage.ours] == ids.theirs[passage.theirs]
      switch pair.origin(isAlike: isAlike) {
      case .ours: items += passage.ours.map { JSONItem(ours: $0) }
      case .theirs: items += passage.theirs.map { JSONItem(theirs: $0) }
      case .both: items += zip(passage.ours, passage.theirs).map { JSONItem(ours: $0, theirs: $1) }
      case .unchanged, .conflict:
        guard isEditedInPlace(passage) else { return nil }
        items += passage.base.indices.map {
          JSONItem(
            base: $0, ours: passage.ours.lowerBound + $0 - passage.base.lowerBound,
            theirs: passage.theirs.lowerBound + $0 - passage.base.lowerBound)
        }
      }
      (old, mine, other) = (passage.base.upperBound, passage.ours.upperBound, passage.theirs.upperBound)
    }
    appendUnchanged(until: layouts.base.children.count)
    return items
  }

  /// Elements of the three versions that changes cover.
  private struct Passage {
    let base: Range<Int>
    let ours: Range<Int>
    let theirs: Range<Int>
  }

  // MARK: Equal elements

  /// Equal elements have equal numbers; `nil` where equal hashes lie.
  private func numbers() -> (base: [Int32], ours: [Int32], theirs: [Int32])? {
    var known: [UInt64: (id: Int32, layout: JSONLayout, node: Int)] = [:]
    func numbers(_ layout: JSONLayout) -> [Int32]? {
      var ids: [Int32] = []
      ids.reserveCapacity(layout.children.count)
      for node in layout.children {
        let hash = layout.document.nodes[node].tokenHash
        if let first = known[hash] {
          guard layout.document.hasSameTokens(node, as: first.node, in: first.layout.document) else { return nil }
          ids.append(first.id)
        } else {
          known[hash] = (Int32(truncatingIfNeeded: known.count), layout, node)
          ids.append(Int32(truncatingIfNeeded: known.count - 1))
        }
      }
      return ids
    }
    guard let base = numbers(layouts.base), let ours = numbers(layouts.ours), let theirs = numbers(layouts.theirs)
    else { return nil }
    return (base, ours, theirs)
  }

  private var hasOnlyNumbers: Bool {
    [layouts.base, layouts.ours, layouts.theirs].allSatisfy { layout in
      layout.children.allSatisfy {
        let kind = layout.document.nodes[$0].kind
        return kind == .number || kind == .literal
      }
    }
  }

  // MARK: Edits in place

  private func isEditedInPlace(_ passage: Passage) -> Bool {
    guard passage.base.count == passage.ours.count, passage.base.count == passage.theirs.count else { return false }
    return passage.base.indices.allSatisfy { place in
      let offset = place - passage.base.lowerBound
      return isEdit(place, layouts.ours, passage.ours.lowerBound + offset)
        && isEdit(place, layouts.theirs, passage.theirs.lowerBound + offset)
    }
  }

  /// Whether an element is still the base's, changed or not: at least half of its members are as they were.
  private func isEdit(_ old: Int, _ layout: JSONLayout, _ new: Int) -> Bool {
    let (before, after) = (layouts.base.children[old], layout.children[new])
    let (base, document) = (layouts.base.document, layout.document)
    guard base.nodes[before].kind == document.nodes[after].kind else { return false }
    switch base.nodes[before].kind {
    case .array: return true
    case .object:
      let members = document.children(of: after).map { document.nodes[$0] }
      let known = Set(members.map { JSONMemberHash(name: $0.nameHash, value: $0.tokenHash) })
      let old = base.children(of: before).map { base.nodes[$0] }
      return old.count { known.contains(JSONMemberHash(name: $0.nameHash, value: $0.tokenHash)) } * 2 >= old.count
    case .string, .number, .literal: return base.hasSameText(before, as: after, in: document)
    }
  }
}

/// What tells whether a member is as it was.
private struct JSONMemberHash: Hashable {
  let name: UInt64
  let value: UInt64
}
