public import Hashing
public import Versioning

/// The name of a file or folder in a remote's tree.
///
/// Source: docs/format.md, "The store and the remote's tree".
public struct RemoteName: Hashable, Sendable {
  /// ASCII, components separated by slashes.
  public let text: String

  private init(_ text: String) {
    self.text = text
  }

  /// The file that says that a tree is a remote.
  public static let marker = RemoteName("dver-remote")
  /// The folder that holds a folder for each device's log.
  public static let logs = RemoteName("log")

  /// A sealed pack.
  public static func pack(_ id: ObjectID) -> RemoteName {
    let name = id.hexadecimal
    return RemoteName("packs/\(name.prefix(2))/\(name)")
  }

  /// The folder of sealed packs.
  static let packs = RemoteName("packs")

  /// A folder of sealed packs, by the first two digits of their names; `nil` for other names.
  static func packs(_ digits: [UInt8]) -> RemoteName? {
    guard digits.count == 2, digits.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    return RemoteName("packs/" + String(decoding: digits, as: UTF8.self))
  }

  /// The folder of a device's log entries.
  public static func log(of device: DeviceID) -> RemoteName {
    RemoteName("log/\(device.hexadecimal)")
  }

  /// A log entry.
  public static func logEntry(of device: DeviceID, number: UInt64) -> RemoteName {
    RemoteName("log/\(device.hexadecimal)/\(number)")
  }

  /// A file with a number, in decimal from 1; `nil` for other names.
  static func number(_ name: [UInt8]) -> UInt64? {
    guard let number = UInt64(String(decoding: name, as: UTF8.self)), number >= 1 else { return nil }
    return Array("\(number)".utf8) == name ? number : nil
  }

  /// The device that a folder of log entries belongs to; `nil` for other names.
  static func device(_ name: [UInt8]) -> DeviceID? {
    guard let device = DeviceID(hexadecimal: name), Array(device.hexadecimal.utf8) == name else { return nil }
    return device
  }
}

extension RemoteName: CustomStringConvertible {
  public var description: String { text }
}
