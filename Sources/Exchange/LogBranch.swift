import Hashing
import VersionStore
import Versioning

/// The rest of a log from where it parts from another one of the same device and number, as a log of its own.
///
/// Two stores that wrote under one identity both have an entry of that number, and a tree has room for one. So whoever meets
/// the second gives its entries another device's name, which follows from the first entry that differs: everybody makes the
/// same bytes, and both logs reach everybody.
///
/// Source: docs/format.md, "Branches of a log".
final class LogBranch: LogSource {
  private let base: LogSource
  private let fork: UInt64
  private let common: LogEntry.Head?
  private var known: [(entry: LogEntry, id: ObjectID, bytes: [UInt8])] = []

  /// - Parameters:
  ///   - fork: the number of the first entry that differs, and `first` its identity.
  ///   - common: the entry before, which both have.
  init(of base: LogSource, from fork: UInt64, first: ObjectID, common: LogEntry.Head?) {
    self.base = base
    self.fork = fork
    self.common = common
    super.init(Self.device(first))
  }

  /// The device of the branch that begins with an entry.
  static func device(_ first: ObjectID) -> DeviceID {
    let digest = SHA256.hash(Array("branch".utf8) + Array(first.hexadecimal.utf8)).digest
    guard let device = DeviceID(bytes: digest.prefix(16)) else { preconditionFailure("a digest has 32 bytes") }
    return device
  }

  override func find(_ number: UInt64) throws(ExchangeError) -> Found {
    while UInt64(known.count) < number {
      let next = UInt64(known.count) + 1
      let (baseNumber, overflow) = fork.addingReportingOverflow(next - 1)
      if overflow { return .absent }
      guard case .entry(let entry, _, _) = try base.find(baseNumber) else { return try base.find(baseNumber) }
      add(entry, number: next)
    }
    let (entry, id, bytes) = known[Int(number) - 1]
    return .entry(entry, id: id, bytes: bytes)
  }

  private func add(_ entry: LogEntry, number: UInt64) {
    var heads = entry.heads.filter { $0.device != device }
    if let common, !heads.contains(where: { $0.device == common.device }) { heads.append(common) }
    var packs = entry.packs
    if number.isMultiple(of: LogEntry.checkpointInterval) {
      let new = Set(packs.map(\.id))
      packs = known.flatMap(\.entry.packs).filter { !new.contains($0.id) } + packs
    }
    let branched = LogEntry(
      device: device, number: number, previous: known.last?.id, wallTime: entry.wallTime, packs: packs, heads: heads)
    let bytes = branched.encoded()
    known.append((branched, SHA256.hash(bytes), bytes))
  }

  override func numbers() throws(ExchangeError) -> [UInt64] {
    try base.numbers().compactMap { $0 >= fork ? $0 - fork + 1 : nil }
  }
}
