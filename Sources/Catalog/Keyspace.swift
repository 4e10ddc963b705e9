internal import Hashing
internal import Versioning

/// The kinds of rows in the table `entry`: the first byte of each key. The rest of the key, and the value, by kind:
///
///     kind         key                                           value
///     counter      u8 which                                      varint: the last number given out
///     meta         name                                          bytes
///     packName     name                                          number of the pack
///     pack         ordered pack                                  name, author, absorbed bytes
///     operation    u32 big-endian 2^32 - 1 - first sequence      row in `body`: a block of operations
///     seenLog      device                                        varint number, id
///     position     length, remote, device                        varint number
///     device       device                                        record id, record
///     setting      key                                           record id, record
///     object       first 5 bytes of the prefix, pack, offset     0
///     record       u64 big-endian prefix, pack, offset, family   0
///     member       family, pack, offset / 4096                   places in that part of the pack
///     document     document, row                                 row in `body`
///     kin          family, row                                   row in `body`
///     claim        path, 0, u8 1 where deleted, row              row in `body`
///     contested    path                                          0
///     conflict     path, 0, row                                  row in `body`
///     file         path                                          row in `body`
///     touched      path                                          0
///
/// Packs, offsets, families and rows in keys are ordered numbers. Values that are bytes end with their check.
///
/// One table of bytes costs less than a table for each: SQLite parses the whole schema whenever a process opens the
/// file. What changes with every save is in few rows, and in rows of `body` that are rewritten in their places, since each
/// page that changes makes the write-ahead log longer.
enum Keyspace: UInt8 {
  case counter = 1
  case meta = 2
  case packName = 3
  case pack = 4
  case operation = 5
  case seenLog = 6
  case position = 7
  case device = 8
  case setting = 9
  case object = 10
  case record = 11
  case member = 12
  case document = 13
  case kin = 14
  case claim = 15
  case contested = 16
  case conflict = 17
  case file = 18
  case touched = 19

  /// A key of this kind.
  func key(_ build: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.u8(rawValue)
    build(&writer)
    return writer.bytes
  }

  /// All keys of this kind.
  var range: KeyRange { KeyRange(startingWith: [rawValue]) }

  /// The keys of this kind that go on like this.
  func range(_ build: (inout ByteWriter) -> Void) -> KeyRange { KeyRange(startingWith: key(build)) }

  /// The keys of this kind whose paths lie below a folder, or all.
  func range(below folder: [UInt8]?) -> KeyRange {
    guard let folder, !folder.isEmpty else { return range }
    return range {
      $0.raw(folder)
      $0.u8(UInt8(ascii: "/"))
    }
  }

  /// A reader behind the kind of a key.
  func reader(of key: [UInt8]) throws(CatalogError) -> ByteReader {
    guard key.first == rawValue else { throw damage }
    return ByteReader(key, in: 1..<key.count)
  }

  /// The error for a row of this kind that can't be read.
  var damage: CatalogError { .damagedRow(table: "\(self)") }

  /// Decodes, and calls whatever fails damage to a row of this kind.
  func decode<Value>(_ body: () throws(DecodingFailure) -> Value) throws(CatalogError) -> Value {
    do { return try body() } catch { throw damage }
  }
}

/// The keys from one up to, not including, another.
struct KeyRange {
  var lower: [UInt8]
  let upper: [UInt8]

  init(lower: [UInt8], upper: [UInt8]) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys that start with these bytes, which must not all be 255.
  init(startingWith prefix: [UInt8]) {
    var upper = prefix
    while upper.last == 0xFF { upper.removeLast() }
    precondition(!upper.isEmpty, "a key starts with its kind")
    upper[upper.count - 1] += 1
    self.init(lower: prefix, upper: upper)
  }

  /// One key alone.
  init(of key: [UInt8]) {
    self.init(lower: key, upper: key + [0])
  }
}
