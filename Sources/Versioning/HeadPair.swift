/// Two heads of one document, ordered by the smaller id, then the larger (R9).
struct HeadPair: Hashable, Comparable {
  /// A head by id and by its number in the graph.
  struct Side: Hashable {
    let id: RecordID
    let number: Int
  }

  let smaller: Side
  let larger: Side

  static func < (left: HeadPair, right: HeadPair) -> Bool {
    left.smaller.id == right.smaller.id ? left.larger.id < right.larger.id : left.smaller.id < right.smaller.id
  }
}
