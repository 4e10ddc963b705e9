/// Any immutable record that devices exchange.
public enum Record: Hashable, Sendable {
  case version(VersionRecord)
  case removal(RemovalRecord)
  case retraction(RetractionRecord)
  case device(DeviceRecord)
  case setting(SettingRecord)
}

/// Gives up the content of versions (R8).
public struct RemovalRecord: Hashable, Sendable {
  /// The version whose document it is about, which stays.
  public var kept: RecordID
  /// Whether all ancestors of the kept version are given up, as one rule.
  public var removesAncestors: Bool
  /// Other versions that are given up, ascending.
  public var listed: [RecordID]
  public var device: DeviceID
  public var logicalTime: LogicalTime
  public var wallTime: Int64

  public init(
    kept: RecordID, removesAncestors: Bool, listed: [RecordID], device: DeviceID, logicalTime: LogicalTime,
    wallTime: Int64
  ) {
    self.kept = kept
    self.removesAncestors = removesAncestors
    self.listed = listed
    self.device = device
    self.logicalTime = logicalTime
    self.wallTime = wallTime
  }
}

/// Takes back resolutions, automatic merges and removals (R8).
public struct RetractionRecord: Hashable, Sendable {
  /// The versions and removals taken back, ascending; at least one.
  public var names: [RecordID]
  public var device: DeviceID
  public var logicalTime: LogicalTime
  public var wallTime: Int64

  public init(names: [RecordID], device: DeviceID, logicalTime: LogicalTime, wallTime: Int64) {
    self.names = names
    self.device = device
    self.logicalTime = logicalTime
    self.wallTime = wallTime
  }
}

/// What is known of a device; the last writer by logical time, then by id, counts.
public struct DeviceRecord: Hashable, Sendable {
  public var device: DeviceID
  /// UTF-8, not necessarily valid, 1 to 255 bytes.
  public var name: [UInt8]
  /// The operating system, for people.
  public var platform: [UInt8]
  /// The device whose store this one was copied from.
  public var continues: DeviceID?
  public var isRetired: Bool
  public var author: DeviceID
  public var logicalTime: LogicalTime
  public var wallTime: Int64

  public init(
    device: DeviceID, name: [UInt8], platform: [UInt8], continues: DeviceID?, isRetired: Bool, author: DeviceID,
    logicalTime: LogicalTime, wallTime: Int64
  ) {
    self.device = device
    self.name = name
    self.platform = platform
    self.continues = continues
    self.isRetired = isRetired
    self.author = author
    self.logicalTime = logicalTime
    self.wallTime = wallTime
  }
}

/// A setting that all devices share (which folders are packages, say); the last writer counts.
public struct SettingRecord: Hashable, Sendable {
  public var key: [UInt8]
  /// `nil` where the setting goes back to its default.
  public var value: [UInt8]?
  public var device: DeviceID
  public var logicalTime: LogicalTime
  public var wallTime: Int64

  public init(key: [UInt8], value: [UInt8]?, device: DeviceID, logicalTime: LogicalTime, wallTime: Int64) {
    self.key = key
    self.value = value
    self.device = device
    self.logicalTime = logicalTime
    self.wallTime = wallTime
  }
}
