import Versioning

/// Records in an order in which none comes before one that it names.
enum RecordOrder {
  /// The places of the records in such an order; otherwise they stay as they are. What isn't among them is taken for known.
  static func namedFirst(_ records: [IdentifiedRecord]) -> [Int] {
    if isNamedFirst(records) { return Array(records.indices) }
    var places: [RecordID: Int] = [:]
    for (place, record) in records.enumerated() where places[record.id] == nil { places[record.id] = place }
    var order: [Int] = []
    var isBegun = [Bool](repeating: false, count: records.count)
    for start in records.indices where !isBegun[start] {
      // What a record names is put before it, without a call for each: a history may be long.
      var path = [(place: start, named: records[start].record.named[...])]
      isBegun[start] = true
      while let last = path.last {
        guard let name = last.named.first else {
          order.append(last.place)
          path.removeLast()
          continue
        }
        path[path.count - 1].named.removeFirst()
        if let place = places[name], !isBegun[place] {
          isBegun[place] = true
          path.append((place, records[place].record.named[...]))
        }
      }
    }
    return order
  }

  /// Whether no record comes before one that it names.
  static func isNamedFirst(_ records: [IdentifiedRecord]) -> Bool {
    let all = Set(records.map(\.id))
    var before: Set<RecordID> = []
    for record in records {
      for name in record.record.named where all.contains(name) && !before.contains(name) { return false }
      before.insert(record.id)
    }
    return true
  }
}
