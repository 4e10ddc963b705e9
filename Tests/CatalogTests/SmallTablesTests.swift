import Catalog
import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Operations in the catalog") struct OperationsTests {
  let catalog: CatalogDatabase

  init() throws {
    catalog = try .inMemory()
  }

  @Test("come newest first, with what they made")
  func newestFirst() throws {
    var fixture = CatalogFixture(seed: 1)
    #expect(try catalog.operations(limit: 5).isEmpty)
    var rows: [OperationRow] = []
    for index in 0..<50 as Range<Int64> {
      let records = (0..<Int.random(in: 0...20, using: &fixture.generator)).map { _ in fixture.record() }
      let sequence = try catalog.insertOperation(
        UInt8(index), wallTime: -index, records: records, isUndone: index % 7 == 0)
      rows.insert(
        OperationRow(
          sequence: sequence, operation: UInt8(index), wallTime: -index, records: records, isUndone: index % 7 == 0),
        at: 0)
    }
    #expect(rows.map(\.sequence) == Array((1...50).reversed()))
    for limit in [0, 1, 7, 8, 9, 50, 51, .max] {
      #expect(try catalog.operations(limit: limit) == Array(rows.prefix(limit)))
    }
  }

  @Test("are marked as undone by their first record")
  func undone() throws {
    var fixture = CatalogFixture(seed: 2)
    let records = (0..<30).map { _ in fixture.record() }
    for record in records { try catalog.insertOperation(1, wallTime: 0, records: [record, fixture.record()]) }
    #expect(try catalog.markUndone(firstRecord: records[3]))
    #expect(try catalog.markUndone(firstRecord: fixture.record()) == false)
    let undone = try catalog.operations(limit: 100).filter(\.isUndone)
    #expect(undone.map { $0.records.first } == [records[3]])
  }

  @Test("are pruned so that the newest stay, and few more", arguments: [1, 8, 100])
  func pruned(count: Int) throws {
    for index in 1...300 as ClosedRange<Int64> {
      try catalog.insertOperation(1, wallTime: index, records: [])
      try catalog.pruneOperations(keeping: count)
      let left = try catalog.operations(limit: .max)
      let least = min(Int(index), count)
      #expect((least...least + 7).contains(left.count))
      #expect(left.map(\.wallTime) == (0..<Int64(left.count)).map { index - $0 })
    }
  }
}

@Suite("Last writers in the catalog") struct DevicesTests {
  let catalog: CatalogDatabase

  init() throws {
    catalog = try .inMemory()
  }

  @Test("The greater record of a device or setting stays, in whatever order they come", arguments: 0..<20)
  func lastWriter(seed: UInt64) throws {
    var fixture = CatalogFixture(seed: seed)
    var devices: [(DeviceRecord, RecordID)] = []
    var settings: [(SettingRecord, RecordID)] = []
    for _ in 0..<8 {
      // Few times, so that ties are frequent.
      let time = LogicalTime(milliseconds: 5, counter: .random(in: 0...1, using: &fixture.generator))
      let device = DeviceRecord(
        device: fixture.device, name: [.random(in: 65...90, using: &fixture.generator)], platform: [], continues: nil,
        isRetired: false, author: fixture.device, logicalTime: time, wallTime: 0)
      devices.append((device, fixture.record()))
      let setting = SettingRecord(
        key: [1], value: Bool.random(using: &fixture.generator) ? nil : [7], device: fixture.device,
        logicalTime: time, wallTime: 0)
      settings.append((setting, fixture.record()))
    }
    for (record, id) in devices { try catalog.setDevice(record, id: id) }
    for (record, id) in settings { try catalog.setSetting(record, id: id) }
    let device = devices.max { ($0.0.logicalTime, $0.1) < ($1.0.logicalTime, $1.1) }
    let setting = settings.max { ($0.0.logicalTime, $0.1) < ($1.0.logicalTime, $1.1) }
    #expect(try catalog.devices().map(\.0) == [device?.0])
    #expect(try catalog.devices().map(\.1) == [device?.1])
    #expect(try catalog.settings() == [setting?.0])
  }

  @Test("Devices and settings of different keys stand side by side, ascending")
  func several() throws {
    let time = LogicalTime(milliseconds: 5, counter: 0)
    var fixture = CatalogFixture(seed: 1)
    for low in [3, 1, 2] as [UInt64] {
      let device = DeviceID(high: 0, low: low)
      try catalog.setDevice(
        DeviceRecord(
          device: device, name: [65], platform: [66], continues: fixture.device, isRetired: true, author: device,
          logicalTime: time, wallTime: 9), id: fixture.record())
      try catalog.setSetting(
        SettingRecord(
          key: Array(repeating: 9, count: Int(low)), value: [], device: device, logicalTime: time, wallTime: 1),
        id: fixture.record())
    }
    #expect(try catalog.devices().map { $0.0.device.low } == [1, 2, 3])
    #expect(try catalog.settings().map(\.key.count) == [1, 2, 3])
  }
}

@Suite("Positions in the catalog") struct PositionsTests {
  let catalog: CatalogDatabase

  init() throws {
    catalog = try .inMemory()
  }

  @Test("The newest log entry that was taken in is kept for each device")
  func seenLogs() throws {
    var fixture = CatalogFixture(seed: 1)
    let devices = (0..<3 as Range<UInt64>).map { DeviceID(high: .max, low: $0) }
    #expect(try catalog.seenLog(of: devices[0]) == nil)
    let entries = devices.map { _ in fixture.object() }
    for (device, entry) in zip(devices, entries).reversed() {
      try catalog.setSeenLog(of: device, number: 1, entry: fixture.object())
      try catalog.setSeenLog(of: device, number: .max, entry: entry)
    }
    #expect(try catalog.seenLog(of: devices[1])?.number == .max)
    #expect(try catalog.seenLog(of: devices[1])?.entry == entries[1])
    #expect(try catalog.seenLogs().map(\.device) == devices)
    #expect(try catalog.seenLogs().map(\.entry) == entries)
  }

  @Test("A position is kept for each remote and device, whatever bytes the remote's name has")
  func remotes() throws {
    let device = DeviceID(high: 0, low: 0), other = DeviceID(high: 0, low: 1)
    let names: [[UInt8]] = [[], [0], [0, 0], [255], Array(repeating: 0, count: 16)]
    for (index, name) in names.enumerated() {
      #expect(try catalog.remotePosition(remote: name, device: device) == nil)
      try catalog.setRemotePosition(remote: name, device: device, 1)
      try catalog.setRemotePosition(remote: name, device: device, .max - UInt64(index))
    }
    for (index, name) in names.enumerated() {
      #expect(try catalog.remotePosition(remote: name, device: device) == .max - UInt64(index))
      #expect(try catalog.remotePosition(remote: name, device: other) == nil)
    }
  }

  @Test("Values of the caller's own are kept, replaced and removed")
  func meta() throws {
    try catalog.setMeta("a", [1])
    try catalog.setMeta("ab", [])
    try catalog.setMeta("a", [2])
    #expect(try catalog.meta("a") == [2])
    #expect(try catalog.meta("ab") == [])
    #expect(try catalog.meta("abc") == nil)
    try catalog.setMeta("a", nil)
    #expect(try catalog.meta("a") == nil)
  }
}
