import Hashing
public import SystemIO
public import Versioning

/// What ties a private folder to one machine, so that a copied, restored or synchronised store becomes another device (R12).
///
/// Source: docs/format.md, "The private folder".
public struct DeviceBinding: Equatable, Sendable {
  public var machine: [UInt8]
  public var user: UInt32
  /// The folder's own inode and birth time; zeros where the file system doesn't keep them stable.
  public var inode: UInt64
  public var birthSeconds: Int64
  public var birthNanoseconds: UInt32
  /// The device's name, for people.
  public var name: [UInt8]
  /// The device whose store this one was copied from.
  public var continues: DeviceID?

  /// The binding that a private folder has on this machine.
  public init(of folder: FilePath, name: [UInt8], continues: DeviceID?) throws(SystemError) {
    machine = Machine.machineID
    user = Machine.userID
    inode = 0
    birthSeconds = 0
    birthNanoseconds = 0
    if try FileSystem.kind(ofVolumeAt: folder).hasStableInodes {
      inode = try FileStatus.of(folder).inode
      if let birth = try FileSystem.birthTime(of: folder) {
        birthSeconds = birth.seconds
        birthNanoseconds = birth.nanoseconds
      }
    }
    self.name = name
    self.continues = continues
  }

  /// Reads a binding, or `nil` where the bytes are none.
  public init?(decoding bytes: [UInt8]) {
    // Not a dictionary: making its type ready takes longer than the few lines.
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.allSatisfy({ $0.contains(UInt8(ascii: " ")) }) else { return nil }
    func field(_ key: String) -> [UInt8]? {
      for line in lines.reversed() where line.prefix(while: { $0 != UInt8(ascii: " ") }).elementsEqual(key.utf8) {
        return Array(line.dropFirst(key.utf8.count + 1))
      }
      return nil
    }
    func number<Number: FixedWidthInteger>(_ text: some Collection<UInt8>, as: Number.Type) -> Number? {
      Number(String(decoding: text, as: UTF8.self))
    }
    guard let format = field("format"), format == Array("1".utf8), let machine = field("machine"),
      let userText = field("user"), let user = number(userText, as: UInt32.self), let folder = field("folder"),
      let nameText = field("name"), let name = PercentEscaping.decode(nameText)
    else { return nil }
    let numbers = folder.split(separator: UInt8(ascii: " "))
    guard numbers.count == 3, let inode = number(numbers[0], as: UInt64.self),
      let seconds = number(numbers[1], as: Int64.self), let nanoseconds = number(numbers[2], as: UInt32.self)
    else { return nil }
    self.machine = machine
    self.user = user
    self.inode = inode
    birthSeconds = seconds
    birthNanoseconds = nanoseconds
    self.name = name
    continues = field("continues").flatMap { DeviceID(hexadecimal: $0) }
  }

  public func encoded() -> [UInt8] {
    var text: [UInt8] = Array("format 1\nmachine ".utf8) + machine
    text += Array("\nuser \(user)\nfolder \(inode) \(birthSeconds) \(birthNanoseconds)\nname ".utf8)
    text += PercentEscaping.encode(name)
    if let continues { text += Array("\ncontinues \(continues.hexadecimal)".utf8) }
    return text + [UInt8(ascii: "\n")]
  }

  /// Whether this machine, user and folder are the ones that the binding was made for.
  public func fits(_ other: DeviceBinding) -> Bool {
    machine == other.machine && user == other.user && inode == other.inode && birthSeconds == other.birthSeconds
      && birthNanoseconds == other.birthNanoseconds
  }
}

/// Bytes in a line of text: everything but letters, digits, `-`, `.`, `_`, `~`, `/` and `:` as `%` and two hexadecimal digits.
enum PercentEscaping {
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: ":"):
        text.append(byte)
      default: text += [UInt8(ascii: "%")] + Hexadecimal.encodeBytes([byte])
      }
    }
    return text
  }

  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "%") {
        guard place + 2 < text.count, let byte = Hexadecimal.decode(text[place + 1...place + 2])?.first else {
          return nil
        }
        bytes.append(byte)
        place += 3
      } else {
        bytes.append(text[place])
        place += 1
      }
    }
    return bytes
  }
}
