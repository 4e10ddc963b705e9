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
    private var last: (minute: Int64, text: String)?

    func text(milliseconds: Int64) -> String {
      let minute = milliseconds / 60_000
      if milliseconds >= 0, let last, last.minute == minute { return last.text }
      let text = TimeFormat.short(milliseconds: milliseconds)
      if milliseconds >= 0 { last = (minute, text) }
      return text
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
