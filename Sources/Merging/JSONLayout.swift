/// An object or array with the white space around its members or elements.
struct JSONLayout {
  let document: JSONDocument
  /// The numbers of the values inside.
  let children: [Int]
  /// The white space before each, in the bytes.
  private var leads: [Range<Int>] = []
  /// The white space between each and the comma behind it.
  private var trails: [Range<Int>] = []
  /// The white space before the closing bracket.
  private let end: Range<Int>

  init(_ document: JSONDocument, _ node: Int) {
    self.document = document
    children = document.children(of: node)
    let whole = document.nodes[node].bytes
    var reached = whole.lowerBound + 1
    for (place, child) in children.enumerated() {
      let value = document.nodes[child].bytes
      let start = document.nodes[child].name?.lowerBound ?? value.lowerBound
      if place > 0 {
        let comma = document.bytes[reached..<start].firstIndex(of: UInt8(ascii: ",")) ?? start
        trails.append(reached..<comma)
        reached = min(comma + 1, start)
      }
      leads.append(reached..<start)
      reached = value.upperBound
    }
    trails.append(reached..<reached)
    end = reached..<whole.upperBound - 1
  }

  /// The white space behind the opening bracket; `nil` with nothing inside.
  var opening: ArraySlice<UInt8>? { leads.first.map { document.bytes[$0] } }

  /// The white space before the closing bracket, where there is something inside, or nothing.
  func closing(isEmpty: Bool) -> ArraySlice<UInt8>? {
    children.isEmpty == isEmpty ? document.bytes[end] : nil
  }

  /// The white space between a comma and what follows it; `nil` for the first and for none.
  func lead(_ place: Int?) -> ArraySlice<UInt8>? {
    place.flatMap { $0 > 0 ? document.bytes[leads[$0]] : nil }
  }

  /// The white space that would be before a place, were it not the first; `nil` for none.
  func usualLead(_ place: Int?) -> ArraySlice<UInt8>? {
    guard place != nil else { return nil }
    if leads.count > 1 { return document.bytes[leads[1]] }
    return opening.flatMap { $0.contains(0x0A) ? $0 : nil }
  }

  /// The white space before a comma; `nil` for the last and for none.
  func trail(_ place: Int?) -> ArraySlice<UInt8>? {
    place.flatMap { $0 < children.count - 1 ? document.bytes[trails[$0]] : nil }
  }

  /// A member's name and colon, up to its value; `nil` for none.
  func name(_ place: Int?) -> ArraySlice<UInt8>? {
    guard let place, let name = document.nodes[children[place]].name else { return nil }
    return document.bytes[name.lowerBound..<document.nodes[children[place]].bytes.lowerBound]
  }
}

/// A member or element of the merged container: where it is in each version, if it is there.
struct JSONItem {
  var base: Int?
  var ours: Int?
  var theirs: Int?
}
