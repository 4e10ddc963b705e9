internal import Diffing

/// A three-way merge of JSON by its structure.
///
/// Objects are merged by name, arrays as sequences of values, scalars as values. The result is put together from slices of
/// the inputs: what one side changed comes from there, white space, order, and the spelling of numbers and strings
/// included. Whatever isn't certain is a conflict.
struct JSONMerge {
  let base: JSONDocument
  let ours: JSONDocument
  let theirs: JSONDocument
  /// The result.
  private var text: [UInt8] = []
  /// The same without white space, written by the plan of the merge rather than cut from the text.
  private var tokens: [UInt8] = []

  /// Longer documents are not merged by structure, in bytes: a tree takes many times the memory of its text.
  private static let greatestByteCount = 16 << 20

  /// The merged bytes, or `nil` where someone has to choose or an input is no JSON with unique names.
  static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    guard max(base.count, ours.count, theirs.count) <= greatestByteCount, let base = JSONDocument(base),
      let ours = JSONDocument(ours), let theirs = JSONDocument(theirs),
      base.hasUniqueNames, ours.hasUniqueNames, theirs.hasUniqueNames
    else { return nil }
    var merge = JSONMerge(base: base, ours: ours, theirs: theirs)
    return merge.document()
  }

  private init(base: JSONDocument, ours: JSONDocument, theirs: JSONDocument) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  private mutating func document() -> [UInt8]? {
    func before(_ document: JSONDocument) -> ArraySlice<UInt8> {
      document.bytes[..<document.nodes[0].bytes.lowerBound]
    }
    func behind(_ document: JSONDocument) -> ArraySlice<UInt8> {
      document.bytes[document.nodes[0].bytes.upperBound...]
    }
    guard appendSpace(before(base), before(ours), before(theirs)), mergeValues(0, 0, 0),
      appendSpace(behind(base), behind(ours), behind(theirs)),
      let result = JSONDocument(text), result.hasUniqueNames,
      JSONDocument.tokens(text[ByteText.markLength(of: text)...]) == tokens,
      JSONLeaves.areKept(base: base, ours: ours, theirs: theirs, in: result)
    else { return nil }
    return text
  }

  // MARK: Values

  /// Merges a value that both sides have; `old` is `nil` where both put it in.
  private mutating func mergeValues(_ old: Int?, _ our: Int, _ their: Int) -> Bool {
    if ours.hasSameText(our, as: their, in: theirs) { return append(ours, our) }
    guard let old else {
      guard ours.hasSameTokens(our, as: their, in: theirs) else { return false }
      // Alike but for white space: any will do, as long as swapped sides take the same.
      let isOurs = ours.text(of: our).lexicographicallyPrecedes(theirs.text(of: their))
      return isOurs ? append(ours, our) : append(theirs, their)
    }
    if base.hasSameText(old, as: our, in: ours) { return append(theirs, their) }
    if base.hasSameText(old, as: their, in: theirs) { return append(ours, our) }
    let kinds = [base.nodes[old].kind, ours.nodes[our].kind, theirs.nodes[their].kind]
    let layouts = { [base, ours, theirs] in
      JSONLayouts(
        base: JSONLayout(base, old), ours: JSONLayout(ours, our), theirs: JSONLayout(theirs, their))
    }
    if kinds == [.object, .object, .object] {
      let layouts = layouts()
      return JSONMembers(layouts).items.map { append($0, layouts, open: "{", close: "}") } ?? false
    }
    if kinds == [.array, .array, .array] {
      let layouts = layouts()
      return JSONElements(layouts).items.map { append($0, layouts, open: "[", close: "]") } ?? false
    }
    // Only white space changed on one side.
    if base.hasSameTokens(old, as: our, in: ours) { return append(theirs, their) }
    if base.hasSameTokens(old, as: their, in: theirs) { return append(ours, our) }
    return false
  }

  private mutating func append(_ document: JSONDocument, _ node: Int) -> Bool {
    append(document.text(of: node))
    return true
  }

  private mutating func append(_ slice: ArraySlice<UInt8>) {
    text += slice
    tokens += JSONDocument.tokens(slice)
  }

  private mutating func append(mark: Unicode.Scalar) {
    text.append(UInt8(ascii: mark))
    tokens.append(UInt8(ascii: mark))
  }

  // MARK: Objects and arrays

  private mutating func append(
    _ items: [JSONItem], _ layouts: JSONLayouts, open: Unicode.Scalar, close: Unicode.Scalar
  ) -> Bool {
    append(mark: open)
    for (place, item) in items.enumerated() {
      if place == 0 {
        guard appendSpace(layouts.base.opening, layouts.ours.opening, layouts.theirs.opening) else { return false }
      } else {
        let previous = items[place - 1]
        guard
          appendSpace(
            layouts.base.trail(previous.base), layouts.ours.trail(previous.ours),
            layouts.theirs.trail(previous.theirs))
        else { return false }
        append(mark: ",")
        guard appendLead(item, layouts) else { return false }
      }
      guard append(item, layouts) else { return false }
    }
    let isEmpty = items.isEmpty
    let isClean = appendSpace(
      layouts.base.closing(isEmpty: isEmpty), layouts.ours.closing(isEmpty: isEmpty),
      layouts.theirs.closing(isEmpty: isEmpty))
    append(mark: close)
    return isClean
  }

  private mutating func append(_ item: JSONItem, _ layouts: JSONLayouts) -> Bool {
    let names = (layouts.base.name(item.base), layouts.ours.name(item.ours), layouts.theirs.name(item.theirs))
    guard case .clean(let name) = Self.merged(names.0, names.1, names.2) else { return false }
    if let name { append(name) }
    let (our, their) = (item.ours.map { layouts.ours.children[$0] }, item.theirs.map { layouts.theirs.children[$0] })
    switch (our, their) {
    case (let our?, let their?): return mergeValues(item.base.map { layouts.base.children[$0] }, our, their)
    case (let our?, nil): return append(ours, our)
    case (nil, let their?): return append(theirs, their)
    case (nil, nil): return false
    }
  }

  // MARK: White space

  private mutating func appendLead(_ item: JSONItem, _ layouts: JSONLayouts) -> Bool {
    let lead = Self.merged(
      layouts.base.lead(item.base), layouts.ours.lead(item.ours), layouts.theirs.lead(item.theirs))
    guard case .clean(let own) = lead else { return false }
    if let own {
      text += own
      return true
    }
    return appendSpace(
      layouts.base.usualLead(item.base), layouts.ours.usualLead(item.ours), layouts.theirs.usualLead(item.theirs))
  }

  private mutating func appendSpace(
    _ old: ArraySlice<UInt8>?, _ our: ArraySlice<UInt8>?, _ their: ArraySlice<UInt8>?
  ) -> Bool {
    guard case .clean(let space) = Self.merged(old, our, their) else { return false }
    if let space { text += space }
    return true
  }

  /// The three-way rule where a version without a say leaves it to the others.
  private static func merged(
    _ old: ArraySlice<UInt8>?, _ our: ArraySlice<UInt8>?, _ their: ArraySlice<UInt8>?
  ) -> FieldMerge<ArraySlice<UInt8>?> {
    guard let our, let their else { return .clean(our ?? their ?? old) }
    return FieldMerge(base: old, ours: our, theirs: their)
  }
}

/// The same object or array in three versions.
struct JSONLayouts {
  let base: JSONLayout
  let ours: JSONLayout
  let theirs: JSONLayout
}
