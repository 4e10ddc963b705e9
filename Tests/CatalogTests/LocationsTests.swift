import Catalog
import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Packs and what lies in them") struct LocationsTests {
  let catalog: CatalogDatabase
  let device = DeviceID(high: 1, low: 2)

  init() throws {
    catalog = try .inMemory()
  }

  @Test("Packs are found by name and listed in the order in which they came")
  func packs() throws {
    var fixture = CatalogFixture(seed: 1)
    let sealed = CatalogPackName.sealed(fixture.object())
    let active = CatalogPackName.active(device, .max)
    #expect(try catalog.pack(named: sealed) == nil)
    let first = try catalog.insertPack(sealed, author: device, absorbedByteCount: 10)
    let second = try catalog.insertPack(active, author: device, absorbedByteCount: 64)
    try catalog.setAbsorbed(pack: second, byteCount: .max)
    try catalog.setAbsorbed(pack: 99, byteCount: 1)
    let rows = [
      PackRow(number: first, name: sealed, absorbedByteCount: 10, author: device),
      PackRow(number: second, name: active, absorbedByteCount: .max, author: device),
    ]
    #expect(try catalog.packs() == rows)
    #expect(try catalog.pack(named: sealed) == rows[0])
    #expect(try catalog.pack(named: active) == rows[1])
    #expect(try catalog.pack(named: .active(device, 1)) == nil)
  }

  @Test("A pack's number is never used again")
  func numbers() throws {
    var numbers: [Int64] = []
    for number in 1...300 as ClosedRange<UInt64> {
      numbers.append(try catalog.insertPack(.active(device, number), author: device, absorbedByteCount: 0))
      try catalog.removePack(numbers[numbers.count - 1])
    }
    #expect(Set(numbers).count == 300)
    #expect(try catalog.packs().isEmpty)
    #expect(try catalog.pack(named: .active(device, 7)) == nil)
  }

  @Test("Objects are found by prefix in every pack, and twice the same place is one")
  func objects() throws {
    for prefix in [0, 1 << 24, 5 << 40, .max] as [UInt64] {
      try catalog.insertObject(prefix: prefix, pack: 300, offset: 1 << 40)
      try catalog.insertObject(prefix: prefix, pack: 2, offset: 70_000)
      try catalog.insertObject(prefix: prefix, pack: 2, offset: 70_000)
      let places = try catalog.objects(prefix: prefix)
      #expect(places.map(\.pack) == [2, 300])
      #expect(places.map(\.offset) == [70_000, 1 << 40])
    }
    #expect(try catalog.objects(prefix: 2 << 24).isEmpty)
    #expect(try catalog.objectCount() == 8)
  }

  @Test("Records are found by prefix, by a range of prefixes and by family")
  func records() throws {
    let family = try catalog.newFamily()
    let other = try catalog.newFamily()
    #expect(family != other)
    let rows = [
      RecordLocation(prefix: 0, pack: 1, offset: 5, family: family),
      RecordLocation(prefix: 0x8000_0000_0000_0000, pack: 1, offset: 4000, family: family),
      RecordLocation(prefix: 0x8000_0000_0000_0001, pack: 1, offset: 70_000, family: other),
      RecordLocation(prefix: .max, pack: 2, offset: 1, family: family),
    ]
    for row in rows.reversed() {
      try catalog.insertRecord(prefix: row.prefix, pack: row.pack, offset: row.offset, family: row.family)
      try catalog.insertRecord(prefix: row.prefix, pack: row.pack, offset: row.offset, family: row.family)
    }
    for row in rows { #expect(try catalog.records(prefix: row.prefix) == [row]) }
    #expect(try catalog.records(prefix: 17).isEmpty)
    #expect(try offsets(family) == [5, 4000, 1] && offsets(other) == [70_000])
    #expect(try catalog.records(prefixes: 1...0x8000_0000_0000_0000, limit: 10) == [rows[1]])
    #expect(try catalog.records(prefixes: 0 ... .max, limit: 3) == Array(rows.prefix(3)))
    #expect(try catalog.records(prefixes: 0 ... .max, limit: 9) == rows)
    #expect(try catalog.recordCount() == 4)
  }

  @Test("A record may belong to several families, and to one when they are joined")
  func families() throws {
    let families = try (0..<300).map { _ in try catalog.newFamily() }
    for family in families { try catalog.insertRecord(prefix: 5, pack: 1, offset: 9, family: family) }
    #expect(try catalog.records(prefix: 5).map(\.family) == families)
    try catalog.insertRecord(prefix: 6, pack: 1, offset: 10, family: families[1])
    let records = try catalog.records(prefixes: 0 ... .max, limit: .max)
    try catalog.joinFamilies(families, with: records, into: families[0])
    #expect(try catalog.records(prefix: 5).map(\.family) == [families[0]])
    #expect(try catalog.records(prefix: 6).map(\.family) == [families[0]])
    #expect(try offsets(families[0]) == [9, 10])
    #expect(try catalog.records(inFamily: families[1]).isEmpty)
    #expect(try catalog.recordCount() == 2)
  }

  @Test("A removed pack takes its places with it and no other's", arguments: 0..<10 as Range<UInt64>)
  func removePack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let packs = try (0..<300).map { try catalog.insertPack(.active(device, $0), author: device, absorbedByteCount: 0) }
    // Numbers whose encodings have one byte, two bytes, and begin alike.
    let used = [packs[0], packs[239], packs[240], packs[241], packs[299]]
    var kept: [RecordLocation] = []
    let removed = used[Int(seed) % used.count]
    for offset in 0..<200 as Range<UInt64> {
      let pack = used.randomElement(using: &generator) ?? 1
      let row = RecordLocation(
        prefix: generator.next(), pack: pack, offset: offset * 100_003, family: Int64(offset % 3) * 200)
      try catalog.insertRecord(prefix: row.prefix, pack: pack, offset: row.offset, family: row.family)
      try catalog.insertObject(prefix: row.prefix, pack: pack, offset: row.offset)
      if pack != removed { kept.append(row) }
    }
    try catalog.removePack(removed)
    #expect(try catalog.packs().count == 299)
    #expect(try catalog.recordCount() == kept.count)
    #expect(try catalog.objectCount() == kept.count)
    for row in kept {
      #expect(try catalog.records(prefix: row.prefix) == [row])
      #expect(try catalog.objects(prefix: row.prefix).map(\.pack) == [row.pack])
    }
    for family in [0, 200, 400] as [Int64] {
      let members = try catalog.records(inFamily: family)
      let expected = kept.filter { $0.family == family }.sorted { ($0.pack, $0.offset) < ($1.pack, $1.offset) }
      #expect(members.map(\.pack) == expected.map(\.pack))
      #expect(members.map(\.offset) == expected.map(\.offset))
    }
  }

  @Test("Records that lie close together share rows", arguments: 0..<5 as Range<UInt64>)
  func close(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var expected: Set<UInt64> = []
    for _ in 0..<300 {
      let offset = [0, 8190, UInt64(Int64.max) - 20_000].randomElement(using: &generator)! + generator.next() % 9000
      expected.insert(offset)
      try catalog.insertRecord(prefix: offset, pack: 1, offset: offset, family: 1)
      try catalog.insertRecord(prefix: offset, pack: 2, offset: offset, family: 2)
    }
    #expect(try offsets(1) == expected.sorted() && offsets(2) == offsets(1))
  }

  private func offsets(_ family: Int64) throws -> [UInt64] { try catalog.records(inFamily: family).map(\.offset) }
}
