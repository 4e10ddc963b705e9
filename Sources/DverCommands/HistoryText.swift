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
    for entry in entries { deviceWidth = max(deviceWidth, try devices.name(of: entry.version).width) }
  }

  /// The lines of one version: the first with its facts, then its message.
  func lines(of entry: HistoryEntry, indentation: Int) throws -> [String] {
    let (version, color) = (entry.version, writer.output.color)
    let record = version.record
    let path = record.path == asked ? askedText : TerminalText.path(record.path.bytes)
    let marks = Self.marks(of: entry)
    let device = try devices.name(of: version)
    var line = color.yellow(version.id.shortText)
    line += "  "
    line += times.text(milliseconds: record.wallTime)
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

  /// Writes the line of a version with nothing special about it, byte by byte: most of a history is such.
  ///
  /// - Returns: whether it is such a version; else nothing was written.
  func writePlain(_ entry: HistoryEntry) throws -> Bool {
    let record = entry.version.record
    guard !isOneLine, !writer.output.color.isOn, record.path == asked, record.message.isEmpty,
      Self.marks(of: entry).isEmpty, !record.isDeletion
    else { return false }
    let device = try devices.name(of: entry.version)
    writer.output.append { line in
      let start = UInt32(truncatingIfNeeded: entry.version.id.digest.prefix >> 32)
      for place in 0..<8 {
        let digit = UInt8(start >> (28 - 4 * UInt32(place)) & 15)
        line.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
      line.append(contentsOf: [0x20, 0x20])
      line.append(contentsOf: times.bytes(milliseconds: record.wallTime))
      line.append(contentsOf: [0x20, 0x20])
      line.append(contentsOf: device.text.utf8)
      let size = ByteCount.text(record.size).utf8
      for _ in 0..<max(0, deviceWidth - device.width + 2 + Self.sizeWidth - size.count) { line.append(0x20) }
      line.append(contentsOf: size)
      line.append(0x0A)
    }
    return true
  }

  private func spaces(_ count: Int) -> String { count <= 0 ? "" : String(repeating: " ", count: count) }

  /// The names of devices as they are shown, each made once.
  private final class Devices {
    private let writer: VersionWriter
    private var known: [DeviceID?: (text: String, width: Int)] = [:]
    private var last: (device: DeviceID?, name: (text: String, width: Int))?

    init(_ writer: VersionWriter) {
      self.writer = writer
    }

    func name(of version: Version) throws -> (text: String, width: Int) {
      let device = version.record.device
      if let last, last.device == device { return last.name }
      var name = known[device] ?? ("-", 1)
      if device != nil && known[device] == nil {
        name.text = TextWidth.shortened(
          TerminalText.line(try writer.deviceName(of: version)), to: HistoryText.deviceWidthLimit)
        name.width = TextWidth.columns(of: name.text)
      }
      known[device] = name
      last = (device, name)
      return name
    }
  }

  /// Times as they are shown: versions side by side are often of the same minute.
  private final class Times {
    private var last: (minute: Int64, text: String, bytes: [UInt8])?

    func text(milliseconds: Int64) -> String {
      let minute = milliseconds / 60_000
      if milliseconds >= 0, let last, last.minute == minute { return last.text }
      let text = TimeFormat.short(milliseconds: milliseconds)
      if milliseconds >= 0 { last = (minute, text, Array(text.utf8)) }
      return text
    }

    func bytes(milliseconds: Int64) -> [UInt8] {
      let text = text(milliseconds: milliseconds)
      return milliseconds >= 0 ? last?.bytes ?? Array(text.utf8) : Array(text.utf8)
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
    var marks: [String] = []
    if entry.state != .history { marks.append(entry.state.rawValue) }
    if record.isDeletion {
      marks.append("deleted")
    } else if record.isAutomatic {
      marks.append("automatic merge")
    } else if record.origin != .save {
      marks.append(record.origin.word)
    }
    if !entry.isLocal { marks.append("not here") }
    return marks.joined(separator: ", ")
  }
}
