import Catalog
public import Hashing
import ObjectStorage
public import SystemIO
public import Versioning

/// What came of taking in the log entries in a store.
public struct AbsorbReport: Sendable {
  /// Versions that were not known before, or that a new retraction names.
  public var newVersions: [Version] = []
  /// Entries taken in.
  public var entryCount = 0
  /// Entries that wait for a pack or another device's entry that is not here yet.
  public var waiting: [LogEntry.Head] = []
  /// Files that don't hold what their name promises.
  public var damaged: [FilePath] = []

  fileprivate mutating func note(damaged path: FilePath) {
    if !damaged.contains(path) { damaged.append(path) }
  }
}

extension Store {
  /// The file of a log entry in this store.
  public func logFile(of device: DeviceID, number: UInt64) -> FilePath {
    layout.log(of: device).appending("\(number)")
  }

  /// A log entry in this store with its identity, or `nil` where there is none.
  ///
  /// - Throws: `.damaged` where the file is no log entry of this device and number.
  public func logEntry(
    of device: DeviceID, number: UInt64
  ) throws(RepositoryError) -> (entry: LogEntry, id: ObjectID)? {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(logFile(of: device, number: number), limit: LogEntry.maximumByteCount)
    } catch {
      if error.isNotFound { return nil }
      throw .system(error)
    }
    let entry: LogEntry
    do { entry = try LogEntry(decoding: bytes) } catch {
      if case .unsupportedFormat(let format) = error { throw .unsupportedFormat(Array("log \(format)".utf8)) }
      throw .damaged("log entry \(number) of device \(device.hexadecimal.prefix(8)) can't be read")
    }
    guard entry.device == device, entry.number == number else {
      throw .damaged("log entry \(number) of device \(device.hexadecimal.prefix(8)) is another one")
    }
    return (entry, SHA256.hash(bytes))
  }

  /// The devices that have a log in this store, ascending.
  public func loggedDevices() throws(RepositoryError) -> [DeviceID] {
    guard let entries = try? FileSystem.list(layout.logs) else { return [] }
    return entries.compactMap { DeviceID(hexadecimal: $0.name) }.sorted()
  }

  /// The newest log entry of a device that this store has taken in.
  public func newestLog(of device: DeviceID) throws(RepositoryError) -> LogEntry.Head? {
    guard let seen = try catalogued({ () throws(CatalogError) in try catalog.seenLog(of: device) }) else { return nil }
    return LogEntry.Head(device: device, number: seen.number, entry: seen.entry)
  }

  /// Takes in all log entries of this store that are complete, each whole or not at all (R6).
  ///
  /// An entry is complete when its packs hash to their names and the entries that it relies on were taken in; where one of
  /// those is missing, when everything that its records name is here all the same. Held under the lock.
  public func absorbLogs() throws(RepositoryError) -> AbsorbReport {
    try inBulk { () throws(RepositoryError) in try absorbAllLogs() }
  }

  private func absorbAllLogs() throws(RepositoryError) -> AbsorbReport {
    var report = AbsorbReport()
    let devices = try loggedDevices()
    while true {
      var isProgressing = false
      for device in devices {
        while try absorbNext(of: device, .afterHeads, into: &report) { isProgressing = true }
      }
      if isProgressing { continue }
      report.waiting = []
      for device in devices where !isProgressing {
        isProgressing = try absorbNext(of: device, .ifComplete, into: &report)
      }
      if !isProgressing { return report }
    }
  }

  private enum Order {
    /// Only when the entries that it relies on were taken in.
    case afterHeads
    /// When all that it names is here. Two stores may have written under one identity, and an entry may rely on the log of
    /// which this store has the content under another name.
    case ifComplete
  }

  /// Takes in the next entry of one device; answers whether there was one to take.
  private func absorbNext(
    of device: DeviceID, _ order: Order, into report: inout AbsorbReport
  ) throws(RepositoryError) -> Bool {
    let seen = try newestLog(of: device)
    let number = (seen?.number ?? 0) + 1
    let found: (entry: LogEntry, id: ObjectID)?
    do { found = try logEntry(of: device, number: number) } catch {
      guard error.isDamage else { throw error }
      report.note(damaged: logFile(of: device, number: number))
      return false
    }
    guard let (entry, id) = found else { return false }
    let waits = LogEntry.Head(device: device, number: number, entry: id)
    guard entry.previous == seen?.entry else {
      report.note(damaged: logFile(of: device, number: number))
      return false
    }
    let hasHeads = try hasTakenIn(entry.heads, of: device)
    if order == .afterHeads && !hasHeads { return false }
    for pack in entry.packs where try !isTrusted(pack, report: &report) {
      report.waiting.append(waits)
      return false
    }
    do {
      report.newVersions += try absorb(entry, id, checksContents: !hasHeads)
      report.entryCount += 1
      return true
    } catch .incomplete {
      report.waiting.append(waits)
      return false
    } catch {
      guard error.isDamage else { throw error }
      // One bad entry keeps nobody else's from being taken in.
      report.note(damaged: logFile(of: device, number: number))
      return false
    }
  }

  /// Whether the very entries were taken in, and not others of their number.
  private func hasTakenIn(_ heads: [LogEntry.Head], of device: DeviceID) throws(RepositoryError) -> Bool {
    for head in heads where head.device != device {
      guard let known = try newestLog(of: head.device), known.number >= head.number else { return false }
      if known.number == head.number {
        if known.entry != head.entry { return false }
      } else {
        guard
          let bytes = try? FileSystem.read(
            logFile(of: head.device, number: head.number), limit: LogEntry.maximumByteCount),
          SHA256.hash(bytes) == head.entry
        else { return false }
      }
    }
    return true
  }

  private func absorb(
    _ entry: LogEntry, _ id: ObjectID, checksContents: Bool
  ) throws(RepositoryError) -> [Version] {
    try transaction { () throws(RepositoryError) in
      var versions: [Version] = []
      for pack in entry.packs {
        if try holdsPack(pack.id) { continue }
        var id = pack.id
        if byteCount(ofPack: id) == nil, let replacement = try replacement(of: id) {
          id = replacement
          // Unless a later entry does, this device's log brings it: it may hold more than the missing one.
          try noteUnlogged(LogEntry.Pack(id: id, byteCount: byteCount(ofPack: id) ?? 0))
        }
        versions += try absorbSealed(PackID(id), author: entry.device)
      }
      if checksContents {
        for version in versions {
          if let content = version.record.content, try !containsWhole(content) { throw .incomplete(version.id) }
        }
      }
      try catalogued { () throws(CatalogError) in
        try catalog.setSeenLog(of: entry.device, number: entry.number, entry: id)
      }
      try noteLogged(entry.packs)
      if !versions.isEmpty { try markUnsettled() }
      return versions
    }
  }

  /// Whether a pack is here and holds what its name promises; it is hashed once, before it is first believed.
  private func isTrusted(_ pack: LogEntry.Pack, report: inout AbsorbReport) throws(RepositoryError) -> Bool {
    if try holdsPack(pack.id) { return true }
    let path = path(of: .sealed(PackID(pack.id)))
    guard let mapped = try? MappedFile.map(path) else { return try replacement(of: pack.id) != nil }
    if SHA256.hash(mapped.bytes) == pack.id { return true }
    report.note(damaged: path)
    return false
  }
}

extension RepositoryError {
  /// Whether what was read is not what it should be, or of a newer format, as opposed to a failure to read or write.
  fileprivate var isDamage: Bool {
    switch self {
    case .damaged, .unsupportedFormat: true
    case .objects(let error):
      switch error {
      case .corrupt, .corruptContent, .damagedPack, .unsupportedFormat, .tooLarge: true
      default: false
      }
    default: false
    }
  }
}
