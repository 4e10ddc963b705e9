public import Hashing
public import Versioning

extension CatalogDatabase {
  // MARK: Logs

  /// The newest log entry of a device whose content was taken in.
  public func seenLog(of device: DeviceID) throws(CatalogError) -> (number: UInt64, entry: ObjectID)? {
    guard let value = try value(at: Self.key(ofLog: device), of: .seenLog) else { return nil }
    return try Self.seenLog(value)
  }

  public func setSeenLog(of device: DeviceID, number: UInt64, entry: ObjectID) throws(CatalogError) {
    var writer = ByteWriter(capacity: 42)
    writer.varint(number)
    writer.id(entry)
    try put(Self.key(ofLog: device), value: writer.bytes)
  }

  /// The newest log entries of all devices, ascending by device.
  public func seenLogs() throws(CatalogError) -> [(device: DeviceID, number: UInt64, entry: ObjectID)] {
    var logs: [(device: DeviceID, number: UInt64, entry: ObjectID)] = []
    try entries(in: Keyspace.seenLog.range) { (key, row) throws(CatalogError) in
      guard let device = DeviceID(bytes: key.dropFirst()) else { throw Keyspace.seenLog.damage }
      let log = try Self.seenLog(try Self.value(row, at: key, of: .seenLog))
      logs.append((device, log.number, log.entry))
    }
    return logs
  }

  private static func seenLog(_ value: ByteReader) throws(CatalogError) -> (number: UInt64, entry: ObjectID) {
    try Keyspace.seenLog.decode { () throws(DecodingFailure) in
      var reader = value
      let log = (number: try reader.varint(), entry: try reader.id())
      try reader.finish()
      return log
    }
  }

  private static func key(ofLog device: DeviceID) -> [UInt8] { Keyspace.seenLog.key { $0.raw(device.bytes) } }

  // MARK: Remotes

  /// How far a device's log on a remote is known: the number of the last entry that was read or written there.
  public func remotePosition(remote: [UInt8], device: DeviceID) throws(CatalogError) -> UInt64? {
    guard var reader = try value(at: Self.key(remote, device), of: .position) else { return nil }
    return try Keyspace.position.decode { () throws(DecodingFailure) in
      let number = try reader.varint()
      try reader.finish()
      return number
    }
  }

  public func setRemotePosition(remote: [UInt8], device: DeviceID, _ number: UInt64) throws(CatalogError) {
    var writer = ByteWriter(capacity: 10)
    writer.varint(number)
    try put(Self.key(remote, device), value: writer.bytes)
  }

  private static func key(_ remote: [UInt8], _ device: DeviceID) -> [UInt8] {
    Keyspace.position.key {
      $0.bytes(remote)
      $0.raw(device.bytes)
    }
  }
}
