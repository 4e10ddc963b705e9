import Diffing
import Versioning

/// What differs between two states of documents, and how it is shown.
struct DiffText {
  /// How a difference is shown.
  enum Form { case unified, words, statistics }

  let old: DiffSide
  let new: DiffSide
  /// `nil` where the contents aren't compared by lines.
  private let difference: LineDiff?

  init(_ old: DiffSide, _ new: DiffSide) {
    self.old = old
    self.new = new
    if let oldBytes = old.bytes, let newBytes = new.bytes, !BinaryDetection.isBinary(oldBytes),
      !BinaryDetection.isBinary(newBytes)
    {
      difference = LineDiff(old: oldBytes, new: newBytes)
    } else {
      difference = nil
    }
  }

  var isBinary: Bool { difference == nil }

  /// Whether there is a difference of content, kind, mode or path.
  var isDifference: Bool {
    if old.kind == nil && new.kind == nil { return false }
    return differsInContent || old.kind != new.kind || (old.kind != .symbolicLink && old.mode != new.mode)
  }

  private var differsInContent: Bool {
    if let difference { return !difference.hunks.isEmpty || (old.kind == nil) != (new.kind == nil) }
    if let oldBytes = old.bytes, let newBytes = new.bytes { return oldBytes != newBytes }
    guard let oldContent = old.version?.record.content, let newContent = new.version?.record.content else {
      return true
    }
    return oldContent != newContent
  }

  var statistics: DiffStatistics? { difference.map { DiffStatistics($0.hunks) } }

  // MARK: Text

  /// The lines of the difference, each with its line feed, as bytes that may hold anything.
  func bytes(words: Bool) -> [UInt8] {
    var text: [UInt8] = []
    if old.kind != nil, new.kind != nil {
      if old.kind != new.kind {
        text += line("kind of \(new.name): \(old.kind?.word ?? "") to \(new.kind?.word ?? "")")
      } else if old.mode != new.mode {
        text += line("mode of \(new.name): \(String(old.mode, radix: 8)) to \(String(new.mode, radix: 8))")
      }
    }
    guard differsInContent else { return text }
    if let difference {
      let (oldLabel, newLabel) = (old.label("a"), new.label("b"))
      if difference.hunks.isEmpty {
        return text + line(old.kind == nil ? "\(new.name) is new and empty" : "\(old.name) was empty and is gone")
      }
      return text
        + (words
          ? WordDiff.render(difference, oldLabel: oldLabel, newLabel: newLabel)
          : UnifiedDiff.render(difference, oldLabel: oldLabel, newLabel: newLabel))
    }
    let what = old.kind == .package || new.kind == .package ? "packages" : "binary files"
    return text + line("\(what) \(old.name) and \(new.name) differ: \(Self.size(old)) and \(Self.size(new))")
  }

  private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  private static func size(_ side: DiffSide) -> String { side.kind == nil ? "nothing" : ByteCount.text(side.size) }

  // MARK: Lines for a terminal

  /// A difference with colours, and with nothing that the terminal would obey.
  static func painted(_ bytes: [UInt8], _ color: Color) -> String {
    var text = ""
    var isHeader = true
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      let safe = TerminalText.content(line)
      if line.starts(with: "@@ ".utf8) { isHeader = false }
      let painted =
        switch line.first {
        case UInt8(ascii: "-") where isHeader, UInt8(ascii: "+") where isHeader: color.bold(safe)
        case UInt8(ascii: "-"): color.red(safe)
        case UInt8(ascii: "+"): color.green(safe)
        case UInt8(ascii: "@"): color.cyan(safe)
        default: safe
        }
      text += painted + "\n"
    }
    return text
  }

  /// A difference by words with colours in place of nothing: marks stay, so that a copy can be read without colours.
  static func paintedWords(_ bytes: [UInt8], _ color: Color) -> String {
    var text = painted(bytes, Color(.never, noColor: nil, isTerminal: false))
    guard color.isOn else { return text }
    for (open, close, code) in [("[-", "-]", "31"), ("{+", "+}", "32")] {
      text = text.split(separator: open, omittingEmptySubsequences: false).enumerated().map { index, part in
        guard index > 0, let end = part.firstRange(of: close) else { return (index > 0 ? open : "") + part }
        return "\u{1B}[\(code)m\(open)\(part[..<end.upperBound])\u{1B}[0m\(part[end.upperBound...])"
      }.joined()
    }
    return text
  }
}
