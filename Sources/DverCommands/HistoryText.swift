import Hashing
import VersionStore
import Versioning

/// Versions of a history as lines for people.
struct HistoryText {
  private static let deviceWidthLimit = 12
  private static let sizeWidth = 8

  private let asked: DocumentPath?
  private let isOneLine: Bool
  private let width: Int?
  private let writer: VersionWriter
  private var deviceWidth = 0
  private let askedText: String
  private let devices: Devices
  private let times = Times()

  /// - Parameters:
  ///   - asked: the path whose history it is: it is not repeated in every line.
  ///   - width: columns of the terminal, to which lines with `isOneLine` are shortened; `nil` where there is none.
  init(
    _ entries: [HistoryEntry], asked: DocumentPath?, isOneLine: Bool, width: Int?, _ writer: VersionWriter
  ) throws {
    self.asked = asked
    self.isOneLine = isOneLine
    self.width = width
    self.writer = writer
    askedText = asked.map { TerminalText.path($0.bytes) } ?? ""
    devices = Devices(writer)
    for place in entries.indices { deviceWidth = max(deviceWidth, try devices.name(of: entries[place].version).width) }
  }

  /// The lines of one version: the first with its facts, then its message.
  func lines(of entry: HistoryEntry, indentation: Int) throws -> [String] {
    let (version, color) = (entry.version, writer.output.color)
    let record = version.record
    let path = record.path == asked ? askedText : TerminalText.path(record.path.bytes)
    let marks = Self.marks(of: entry)
    let device = try devices.name(of: version)
    var line = color.yellow(version.id.shortText)
    line += String(decoding: times.bytes(milliseconds: record.wallTime), as: UTF8.self)
    line += "  "
    line += device.text
    line += spaces(deviceWidth - device.width)
    if isOneLine {
      let plainWidth = 8 + 2 + 16 + 2 + deviceWidth + 2 + indentation
      var rest = record.path == asked ? "" : path
      let message = TerminalText.firstLine(record.message)
      if !marks.isEmpty { rest += (rest.isEmpty ? "" : "  ") + "(\(marks))" }
      if !message.isEmpty { rest += (rest.isEmpty ? "" : "  ") + message }
      if let width { rest = TextWidth.shortened(rest, to: max(20, width - plainWidth)) }
      return [(line + "  " + rest).droppingTrailingSpaces]
    }
    let size = record.isDeletion ? "" : ByteCount.text(record.size)
    line += spaces(2 + Self.sizeWidth - size.utf8.count)
    line += size
    if record.path != asked { line += "  " + path }
    if !marks.isEmpty { line += "  " + color.cyan("(\(marks))") }
    line = line.droppingTrailingSpaces
    return record.message.isEmpty ? [line] : [line] + Self.messageLines(record.message)
  }

  /// Writes the line of a version without a message or another path, byte by byte: most of a history is such.
  ///
  /// - Returns: whether it is such a version; else nothing was written.
  func writePlain(_ entry: HistoryEntry) throws -> Bool {
    let record = entry.version.record
    guard !isOneLine, !writer.output.color.isOn, record.path == asked, record.message.isEmpty,
      !record.isDeletion
    else { return false }
    let marks = Self.marks(of: entry)
    let device = try devices.name(of: entry.version)
    writer.output.append { line in
      withUnsafeBytes(of: Self.digits(entry.version.id).bigEndian) { line.append(contentsOf: $0) }
      line.append(contentsOf: times.bytes(milliseconds: record.wallTime))
      line.append(contentsOf: device.bytes)
      ByteCount.append(record.size, width: deviceWidth - device.width + 2 + Self.sizeWidth, to: &line)
      if !marks.isEmpty {
        line.append(contentsOf: "  (".utf8)
        line.append(contentsOf: marks.utf8)
        line.append(UInt8(ascii: ")"))
      }
      line.append(0x0A)
    }
    return true
  }

  /// The first eight digits of an id as ASCII codes, the first one on top.
  private static func digits(_ id: RecordID) -> UInt64 {
    // Half a byte in each byte, then what makes a digit or a letter of it.
    var word = id.digest.prefix >> 32
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (word + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return word + 0x3030_3030_3030_3030 + letters * 0x27
  }

  private func spaces(_ count: Int) -> String { count <= 0 ? "" : String(repeating: " ", count: count) }

  /// The names of devices as they are shown, each made once.
  private final class Devices {
    private let writer: VersionWriter
    /// As it is shown: as text, behind two spaces as bytes, and how many columns the text takes.
    typealias Name = (text: String, bytes: [UInt8], width: Int)

    private var known: [DeviceID?: Name] = [:]
    private var last: (device: DeviceID?, name: Name)?

    init(_ writer: VersionWriter) {
      self.writer = writer
    }

    func name(of version: Version) throws -> Name {
      let device = version.record.device
      if let last, last.device == device { return last.name }
      let name = try known[device] ?? make(device, version)
      known[device] = name
      last = (device, name)
      return name
    }

    private func make(_ device: DeviceID?, _ version: Version) throws -> Name {
      var text = "-"
      if device != nil {
        text = TextWidth.shortened(
          TerminalText.line(try writer.deviceName(of: version)), to: HistoryText.deviceWidthLimit)
      }
      return (text, Array("  \(text)".utf8), TextWidth.columns(of: text))
    }
  }

  /// Times as they are shown, behind two spaces: versions side by side are often of the same minute.
  private final class Times {
    private var last: (minute: Int64, bytes: [UInt8])?

    func bytes(milliseconds: Int64) -> [UInt8] {
      let minute = milliseconds / 60_000
      if milliseconds >= 0, let last, last.minute == minute { return last.bytes }
      var bytes = [UInt8](repeating: UInt8(ascii: " "), count: 2)
      TimeFormat.appendShort(milliseconds: milliseconds, to: &bytes)
      if milliseconds >= 0 { last = (minute, bytes) }
      return bytes
    }
  }

  /// A message, indented; what follows its end is left out.
  static func messageLines(_ message: [UInt8]) -> [String] {
    var lines = message.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 <= 0x20 }) { lines.removeLast() }
    return lines.map { line in
      line.isEmpty ? "" : "    " + TerminalText.line(line.last == 0x0D ? line.dropLast() : line)
    }
  }

  /// What is special about a version.
  static func marks(of entry: HistoryEntry) -> String {
    let record = entry.version.record
    if entry.state == .history, record.origin == .save, entry.isLocal, !record.isDeletion, !record.isAutomatic {
      return ""
    }
    // Put together by hand: `joined` looks for types by name, which takes longer than a hundred lines.
    var marks = entry.state == .history ? "" : entry.state.rawValue
    func add(_ mark: String) { marks += marks.isEmpty ? mark : ", " + mark }
    if record.isDeletion {
      add("deleted")
    } else if record.isAutomatic {
      add("automatic merge")
    } else if record.origin != .save {
      add(record.origin.word)
    }
    if !entry.isLocal { add("not here") }
    return marks
  }
}
