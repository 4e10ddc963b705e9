internal import Hashing
public import Versioning

/// Records of which the last writer counts: the greater by logical time, then by id.
extension CatalogDatabase {
  /// Takes in what a record says of a device, unless a greater one is there.
  public func setDevice(_ record: DeviceRecord, id: RecordID) throws(CatalogError) {
    try set(.device(record), id: id, time: record.logicalTime, at: Keyspace.device.key { $0.raw(record.device.bytes) })
  }

  /// What is known of each device, ascending by device.
  public func devices() throws(CatalogError) -> [(DeviceRecord, RecordID)] {
    var devices: [(DeviceRecord, RecordID)] = []
    for (record, id) in try lastWritten(in: Keyspace.device.range, of: .device) {
      guard case .device(let device) = record else { throw Keyspace.device.damage }
      devices.append((device, id))
    }
    return devices
  }

  /// Takes in a setting, unless a greater one of the same key is there.
  public func setSetting(_ record: SettingRecord, id: RecordID) throws(CatalogError) {
    try set(.setting(record), id: id, time: record.logicalTime, at: Keyspace.setting.key { $0.raw(record.key) })
  }

  /// All settings, those that went back to their defaults too, ascending by key.
  public func settings() throws(CatalogError) -> [SettingRecord] {
    var settings: [SettingRecord] = []
    for (record, _) in try lastWritten(in: Keyspace.setting.range, of: .setting) {
      guard case .setting(let setting) = record else { throw Keyspace.setting.damage }
      settings.append(setting)
    }
    return settings
  }

  private func set(_ record: Record, id: RecordID, time: LogicalTime, at key: [UInt8]) throws(CatalogError) {
    let kind = if case .device = record { Keyspace.device } else { Keyspace.setting }
    try transaction { () throws(CatalogError) in
      if let (old, oldID) = try lastWritten(in: KeyRange(of: key), of: kind).first {
        guard let oldTime = old.lastWriterTime else { throw kind.damage }
        guard (oldTime, oldID) < (time, id) else { return }
      }
      try put(key, value: id.digest.digest + record.encoded())
    }
  }

  private func lastWritten(in range: KeyRange, of kind: Keyspace) throws(CatalogError) -> [(Record, RecordID)] {
    var records: [(Record, RecordID)] = []
    try entries(in: range) { (key, row) throws(CatalogError) in
      var reader = try Self.value(row, at: key, of: kind)
      records.append(
        try kind.decode { () throws(DecodingFailure) in
          let id = RecordID(try reader.id())
          return (try Record(decoding: try reader.rest()), id)
        })
    }
    return records
  }
}

extension Record {
  fileprivate var lastWriterTime: LogicalTime? {
    switch self {
    case .device(let record): record.logicalTime
    case .setting(let record): record.logicalTime
    case .version, .removal, .retraction: nil
    }
  }
}
