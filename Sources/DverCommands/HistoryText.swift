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
    for entry in entries {
      deviceWidth = max(deviceWidth, TextWidth.columns(of: try device(of: entry)))
    }
  }

  /// The lines of one version: the first with its facts, then its message.
  func lines(of entry: HistoryEntry, indentation: Int) throws -> [String] {
    let (version, color) = (entry.version, writer.output.color)
    let record = version.record
    let path = TerminalText.path(record.path.bytes)
    let marks = Self.marks(of: entry)
    let start = [
      color.yellow(version.id.shortText), TimeFormat.short(milliseconds: record.wallTime),
      TextWidth.padded(try device(of: entry), to: deviceWidth),
    ]
    if isOneLine {
      let plainWidth = 8 + 2 + 16 + 2 + deviceWidth + 2 + indentation
      var rest = record.path == asked ? "" : path
      let message = TerminalText.firstLine(record.message)
      if !marks.isEmpty { rest += (rest.isEmpty ? "" : "  ") + "(\(marks))" }
      if !message.isEmpty { rest += (rest.isEmpty ? "" : "  ") + message }
      if let width { rest = TextWidth.shortened(rest, to: max(20, width - plainWidth)) }
      return [(start + [rest]).joined(separator: "  ").droppingTrailingSpaces]
    }
    let size = record.isDeletion ? "" : ByteCount.text(record.size)
    var line = (start + [TextWidth.padded(size, to: Self.sizeWidth, isRight: true)]).joined(separator: "  ")
    if record.path != asked { line += "  " + path }
    if !marks.isEmpty { line += "  " + color.cyan("(\(marks))") }
    return [line.droppingTrailingSpaces] + Self.messageLines(record.message)
  }

  /// A message, indented; what follows its end is left out.
  static func messageLines(_ message: [UInt8]) -> [String] {
    var lines = message.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 <= 0x20 }) { lines.removeLast() }
    return lines.map { line in
      line.isEmpty ? "" : "    " + TerminalText.line(line.last == 0x0D ? line.dropLast() : line)
    }
  }

  private func device(of entry: HistoryEntry) throws -> String {
    guard entry.version.record.device != nil else { return "-" }
    return TextWidth.shortened(
      TerminalText.line(try writer.deviceName(of: entry.version)), to: Self.deviceWidthLimit)
  }

  /// What is special about a version.
  static func marks(of entry: HistoryEntry) -> String {
    let record = entry.version.record
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
