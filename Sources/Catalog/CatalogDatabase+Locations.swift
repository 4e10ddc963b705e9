internal import Hashing

extension CatalogDatabase {
  /// So many bytes of an object's prefix are in its key: enough among a thousand million objects, since the caller
  /// compares ids.
  private static let objectPrefixByteCount = 5

  // MARK: Objects

  /// Notes where an object lies; noting it again changes nothing.
  public func insertObject(prefix: UInt64, pack: Int64, offset: UInt64) throws(CatalogError) {
    let key = Keyspace.object.key {
      $0.raw(Self.objectPrefix(prefix))
      $0.orderedRow(pack)
      $0.ordered(offset)
    }
    try put(key, number: 0)
  }

  /// The places of all objects whose ids begin so, in the order of the packs, and now and then of another one. The
  /// caller compares the ids.
  public func objects(prefix: UInt64) throws(CatalogError) -> [(pack: Int64, offset: UInt64)] {
    var places: [(pack: Int64, offset: UInt64)] = []
    try entries(in: Keyspace.object.range { $0.raw(Self.objectPrefix(prefix)) }) { (key, _) throws(CatalogError) in
      var reader = try Keyspace.object.reader(of: key)
      places.append(
        try Keyspace.object.decode { () throws(DecodingFailure) in
          _ = try reader.raw(Self.objectPrefixByteCount)
          let place = (pack: try reader.orderedRow(), offset: try reader.ordered())
          try reader.finish()
          return place
        })
    }
    return places
  }

  /// How many places of objects there are.
  ///
  /// - Complexity: reads them all.
  public func objectCount() throws(CatalogError) -> Int { try count(in: Keyspace.object.range) }

  // MARK: Records

  /// Notes where a record lies and a family that it belongs to; noting it again changes nothing. A record of several
  /// families is noted once for each.
  public func insertRecord(prefix: UInt64, pack: Int64, offset: UInt64, family: Int64) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      try put(Self.recordKey(prefix, pack, offset, family), number: 0)
      let key = Self.memberKey(family, pack, offset)
      var members = try MemberBlock(value(at: key, of: .member))
      if members.insert(offset) { try put(key, value: members.encoded) }
    }
  }

  /// Notes where the first record of a family lies, of which nothing is looked for.
  public func insertFirstRecord(prefix: UInt64, pack: Int64, offset: UInt64, family: Int64) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      try put(Self.recordKey(prefix, pack, offset, family), number: 0)
      var members = try MemberBlock(nil)
      if members.insert(offset) { try put(Self.memberKey(family, pack, offset), value: members.encoded) }
    }
  }

  /// The places of all records whose ids begin so. The caller compares the ids.
  public func records(prefix: UInt64) throws(CatalogError) -> [RecordLocation] {
    try records(in: Keyspace.record.range { $0.bigEndian(prefix, byteCount: 8) }, limit: .max)
  }

  /// The first places of records whose ids begin with a number in a range, ascending.
  public func records(prefixes range: ClosedRange<UInt64>, limit: Int) throws(CatalogError) -> [RecordLocation] {
    let first = Keyspace.record.range { $0.bigEndian(range.lowerBound, byteCount: 8) }
    let last = Keyspace.record.range { $0.bigEndian(range.upperBound, byteCount: 8) }
    return try records(in: KeyRange(lower: first.lower, upper: last.upper), limit: limit)
  }

  /// The places of a family's records, ascending by pack and offset. A record that lies in several places is there
  /// several times.
  public func records(inFamily family: Int64) throws(CatalogError) -> [(pack: Int64, offset: UInt64)] {
    var places: [(pack: Int64, offset: UInt64)] = []
    try entries(in: Keyspace.member.range { $0.orderedRow(family) }) { (key, row) throws(CatalogError) in
      let (pack, start) = try Self.memberBlock(key)
      for offset in try MemberBlock(Self.value(row, at: key, of: .member)).offsets(from: start) {
        places.append((pack: pack, offset: offset))
      }
    }
    return places
  }

  /// How many places of records there are, one of several families counted for each.
  ///
  /// - Complexity: reads them all.
  public func recordCount() throws(CatalogError) -> Int { try count(in: Keyspace.record.range) }

  // MARK: Families

  /// A number that no family had yet, from 1. The family begins to exist with its first record.
  public func newFamily() throws(CatalogError) -> Int64 {
    try transaction { () throws(CatalogError) in try nextNumber(.families) }
  }

  /// So many numbers that no family had yet. Those that are not used are never given out again.
  public func newFamilies(_ count: Int) throws(CatalogError) -> Range<Int64> {
    try transaction { () throws(CatalogError) in try nextNumbers(.families, count: Int64(count)) }
  }

  /// Moves the documents of families, and their records, to another one.
  ///
  /// - Parameter records: where the records of these families lie.
  public func joinFamilies(
    _ others: [Int64], with records: [RecordLocation], into family: Int64
  ) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      for record in records where record.family != family {
        try remove(Self.recordKey(record.prefix, record.pack, record.offset, record.family))
        try insertRecord(prefix: record.prefix, pack: record.pack, offset: record.offset, family: family)
      }
      for other in others where other != family {
        try remove(Keyspace.member.range { $0.orderedRow(other) })
        try moveDocuments(from: other, to: family)
      }
    }
  }

  // MARK: Packs

  /// Removes all places in a pack.
  func removeLocations(inPack pack: Int64) throws(CatalogError) {
    var number = ByteWriter(capacity: 9)
    number.orderedRow(pack)
    func values(_ range: KeyRange, prefixByteCount: Int) -> [SQLiteValue] {
      // Behind the kind and the prefix; SQLite counts from 1.
      [.bytes(range.lower), .bytes(range.upper), .bytes(number.bytes), .number(Int64(prefixByteCount) + 2)]
    }
    let records = values(Keyspace.record.range, prefixByteCount: 8)
    var families: Set<Int64> = []
    try connection.run(.entriesOfPack, records) { (row) throws(CatalogError) in
      guard let key = row.bytes(0) else { throw Keyspace.record.damage }
      families.insert(try Self.location(key).family)
    }
    for family in families {
      try remove(
        Keyspace.member.range {
          $0.orderedRow(family)
          $0.orderedRow(pack)
        })
    }
    try connection.run(.removeEntriesOfPack, records)
    try connection.run(
      .removeEntriesOfPack, values(Keyspace.object.range, prefixByteCount: Self.objectPrefixByteCount))
  }

  // MARK: Keys

  private func records(in range: KeyRange, limit: Int) throws(CatalogError) -> [RecordLocation] {
    var locations: [RecordLocation] = []
    try entries(in: range, limit: limit) { (key, _) throws(CatalogError) in
      locations.append(try Self.location(key))
    }
    return locations
  }

  private static func location(_ key: [UInt8]) throws(CatalogError) -> RecordLocation {
    var reader = try Keyspace.record.reader(of: key)
    return try Keyspace.record.decode { () throws(DecodingFailure) in
      let prefix = try reader.bigEndian(byteCount: 8)
      let pack = try reader.orderedRow()
      let offset = try reader.ordered()
      let family = try reader.orderedRow()
      try reader.finish()
      return RecordLocation(prefix: prefix, pack: pack, offset: offset, family: family)
    }
  }

  private static func objectPrefix(_ prefix: UInt64) -> ArraySlice<UInt8> {
    var writer = ByteWriter(capacity: 8)
    writer.bigEndian(prefix, byteCount: 8)
    return writer.bytes.prefix(objectPrefixByteCount)
  }

  private static func recordKey(_ prefix: UInt64, _ pack: Int64, _ offset: UInt64, _ family: Int64) -> [UInt8] {
    Keyspace.record.key {
      $0.bigEndian(prefix, byteCount: 8)
      $0.orderedRow(pack)
      $0.ordered(offset)
      $0.orderedRow(family)
    }
  }

  private static func memberKey(_ family: Int64, _ pack: Int64, _ offset: UInt64) -> [UInt8] {
    Keyspace.member.key {
      $0.orderedRow(family)
      $0.orderedRow(pack)
      $0.ordered(offset / MemberBlock.byteCount)
    }
  }

  /// The pack of a key of members, and where the part of it begins that the row stands for.
  private static func memberBlock(_ key: [UInt8]) throws(CatalogError) -> (pack: Int64, start: UInt64) {
    var reader = try Keyspace.member.reader(of: key)
    return try Keyspace.member.decode { () throws(DecodingFailure) in
      _ = try reader.orderedRow()
      let pack = try reader.orderedRow()
      let (start, isTooFar) = try reader.ordered().multipliedReportingOverflow(by: MemberBlock.byteCount)
      guard !isTooFar else { throw .invalidValue }
      try reader.finish()
      return (pack, start)
    }
  }
}
