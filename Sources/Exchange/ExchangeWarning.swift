public import SystemIO
public import Versioning

/// Something that a person should hear of an exchange which went on.
public enum ExchangeWarning: Equatable, Sendable {
  /// A push of a device is not complete on the remote yet: this file is missing. A later exchange brings it.
  case notHereYet(device: DeviceID, number: UInt64, missing: RemoteName)
  /// A push that is here relies on something that isn't.
  case waiting(device: DeviceID, number: UInt64)
  /// A file on the remote does not hold what its name promises. It was not believed.
  case damaged(RemoteName)
  /// A newer dver wrote a file on the remote. It was left alone.
  case newerFormat(RemoteName)
  /// A damaged file on the remote was put right.
  case repaired(RemoteName)
  /// A file of this store was lost or damaged, and is here again.
  case broughtBack(FilePath)
  /// A file of this store does not hold what its name promises. It was not sent.
  case damagedHere(FilePath)
  /// A name on the remote that is none of dver's; it was left alone.
  case strangeName(RemoteName, [UInt8])
  /// This store's identity was in use elsewhere (a copied or restored store): it is another device now.
  case identityRenewed(old: DeviceID, new: DeviceID)
  /// Two stores wrote under one identity; everything of both was kept.
  case identityShared(DeviceID)
  /// A device wrote at a time that is so far ahead of this machine's clock.
  case clock(DeviceID, aheadMilliseconds: Int64)

  /// Whether it says that something is damaged.
  public var isDamage: Bool {
    switch self {
    case .damaged, .damagedHere: true
    default: false
    }
  }
}
