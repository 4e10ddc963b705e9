/// The members of a merged object in their order.
///
/// What both sides kept stays in the order it has; where one side changed that order, in the new one. What a side put in
/// follows the member that it follows there; where both put something in at one place, the smaller name is first.
struct JSONMembers {
  private let layouts: JSONLayouts
  private let base: [UInt64: Int]
  private let ours: [UInt64: Int]
  private let theirs: [UInt64: Int]

  init(_ layouts: JSONLayouts) {
    self.layouts = layouts
    base = Self.places(layouts.base)
    ours = Self.places(layouts.ours)
    theirs = Self.places(layouts.theirs)
  }

  private static func places(_ layout: JSONLayout) -> [UInt64: Int] {
    Dictionary(layout.children.enumerated().map { (layout.document.nodes[$1].nameHash, $0) }) { first, _ in first }
  }

  private static func names(_ layout: JSONLayout) -> [UInt64] {
    layout.children.map { layout.document.nodes[$0].nameHash }
  }

  /// `nil` where someone has to choose.
  var items: [JSONItem]? {
    guard deletes(layouts.ours, without: theirs), deletes(layouts.theirs, without: ours) else { return nil }
    let our = Self.names(layouts.ours).filter { theirs[$0] != nil }
    let their = Self.names(layouts.theirs).filter { ours[$0] != nil }
    guard let order = order(our, their), areNamedAlike(order) else { return nil }
    let ourRuns = runs(in: layouts.ours, isOurs: true)
    let theirRuns = runs(in: layouts.theirs, isOurs: false)
    var items = joined(ourRuns.first, theirRuns.first)
    for name in order {
      items.append(JSONItem(base: base[name], ours: ours[name], theirs: theirs[name]))
      items += joined(ourRuns.behind[name] ?? [], theirRuns.behind[name] ?? [])
    }
    return items
  }

  /// Whether all that the other side deleted is as it was.
  private func deletes(_ layout: JSONLayout, without other: [UInt64: Int]) -> Bool {
    layout.children.allSatisfy { child in
      let name = layout.document.nodes[child].nameHash
      guard other[name] == nil, let place = base[name] else { return true }
      return layout.document.hasSameTokens(child, as: layouts.base.children[place], in: layouts.base.document)
    }
  }

  /// The order of what both sides have.
  private func order(_ our: [UInt64], _ their: [UInt64]) -> [UInt64]? {
    if our == their { return our }
    let known = Self.names(layouts.base).filter { ours[$0] != nil && theirs[$0] != nil }
    let isOursOld = our.filter { base[$0] != nil } == known
    let isTheirsOld = their.filter { base[$0] != nil } == known
    guard isOursOld != isTheirsOld else { return nil }
    return isOursOld ? their : our
  }

  /// Equal hashes are not proof of equal names.
  private func areNamedAlike(_ names: [UInt64]) -> Bool {
    names.allSatisfy { name in
      let our = ours[name].flatMap { Self.name($0, layouts.ours) }
      let their = theirs[name].flatMap { Self.name($0, layouts.theirs) }
      let old = base[name].flatMap { Self.name($0, layouts.base) }
      return our != nil && our == their && (old == nil || old == our)
    }
  }

  private static func name(_ place: Int, _ layout: JSONLayout) -> [UInt8]? {
    layout.document.nodes[layout.children[place]].name.flatMap { JSONString.decoded(layout.document.bytes[$0]) }
  }

  /// What one side put in: before all that both have, and behind each of that.
  private func runs(
    in layout: JSONLayout, isOurs: Bool
  ) -> (first: [Member], behind: [UInt64: [Member]]) {
    let other = isOurs ? theirs : ours
    var first: [Member] = []
    var behind: [UInt64: [Member]] = [:]
    var anchor: UInt64?
    for (place, child) in layout.children.enumerated() {
      let node = layout.document.nodes[child]
      if other[node.nameHash] != nil {
        anchor = node.nameHash
      } else if base[node.nameHash] == nil, let name = node.name {
        let member = Member(place: place, isOurs: isOurs, name: layout.document.bytes[name])
        if let anchor { behind[anchor, default: []].append(member) } else { first.append(member) }
      }
    }
    return (first, behind)
  }

  private struct Member {
    let place: Int
    let isOurs: Bool
    let name: ArraySlice<UInt8>

    var item: JSONItem { isOurs ? JSONItem(ours: place) : JSONItem(theirs: place) }

    func precedes(_ other: Member) -> Bool { name.lexicographicallyPrecedes(other.name) }
  }

  /// Puts together what both sides put in at one place: sorted where both are, else one behind the other.
  private func joined(_ our: [Member], _ their: [Member]) -> [JSONItem] {
    func isSorted(_ run: [Member]) -> Bool { zip(run, run.dropFirst()).allSatisfy { $0.precedes($1) } }
    guard let first = our.first, let other = their.first else { return (our + their).map(\.item) }
    if isSorted(our), isSorted(their) { return (our + their).sorted { $0.precedes($1) }.map(\.item) }
    return (first.precedes(other) ? our + their : their + our).map(\.item)
  }
}
