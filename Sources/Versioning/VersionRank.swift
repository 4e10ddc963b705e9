/// Where a version stands among others (R10): not a deletion, then logical time, then id.
///
/// The greatest head of a document is its current version.
public struct VersionRank: Comparable, Hashable, Sendable {
  private let isLive: Bool
  private let logicalTime: LogicalTime
  private let id: RecordID

  public init(_ version: Version) {
    isLive = !version.record.isDeletion
    logicalTime = version.record.logicalTime
    id = version.id
  }

  public static func < (left: VersionRank, right: VersionRank) -> Bool {
    if left.isLive != right.isLive { return right.isLive }
    return left.logicalTime == right.logicalTime ? left.id < right.id : left.logicalTime < right.logicalTime
  }
}

extension Version {
  public var rank: VersionRank { VersionRank(self) }

  /// Whether this version comes before the other where one has to be current (R10).
  public func isGreater(than other: Version) -> Bool { rank > other.rank }
}

extension Sequence<Version> {
  /// The versions, greatest first.
  public func greatestFirst() -> [Version] { sorted { $0.isGreater(than: $1) } }

  /// The greatest of each group of versions that look alike, greatest first (R9).
  public func shown() -> [Version] {
    var seen: Set<Appearance> = []
    return greatestFirst().filter { seen.insert($0.record.appearance).inserted }
  }
}
