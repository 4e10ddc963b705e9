import Exchange
import VersionStore
import Versioning

/// A bar on standard error that shows how far work is.
///
/// Drawn first when the work takes over half a second, then at most ten times a second, and wiped at the end.
final class ProgressBar {
  enum Unit { case items, bytes }

  static let delayNanoseconds: UInt64 = 500_000_000
  static let intervalNanoseconds: UInt64 = 100_000_000

  private let label: String
  private let unit: Unit
  private let isOn: Bool
  private let surroundings: Surroundings
  private var nextDrawing: UInt64
  private var isDrawn = false

  /// - Parameter label: what is done, in a word or two, safe to print.
  init(_ label: String, unit: Unit, when: WhenToShow, surroundings: Surroundings) {
    self.label = label
    self.unit = unit
    self.surroundings = surroundings
    isOn = when.isOn(isSuitable: surroundings.isTerminal(2))
    let delay = when == .always ? 0 : Self.delayNanoseconds
    nextDrawing = isOn ? surroundings.monotonicNanoseconds().addingSaturated(delay) : .max
  }

  /// Tells how far the work is; may be called as often as one likes.
  func update(done: UInt64, of total: UInt64) {
    update { width in Self.line(label, done: done, of: total, unit: unit, width: width) }
  }

  /// Tells how far a save is: by bytes where one file takes long.
  func update(_ save: SaveProgress) {
    guard let file = save.file else { return update(done: UInt64(save.done), of: UInt64(save.total)) }
    update { width in
      let stage =
        switch file.stage {
        case .reading: "reading"
        case .storing: "storing"
        }
      let label = "\(stage) \(Self.short(file.path.name, width / 4))"
      return Self.line(label, done: file.done, of: file.total, unit: .bytes, width: width)
    }
  }

  /// Tells what an exchange is at.
  func update(_ exchange: ExchangeProgress) {
    let (label, unit): (String, Unit) =
      switch exchange.stage {
      case .receiving: ("receiving", .bytes)
      case .takingIn: ("taking in", .items)
      case .placing: ("placing", .items)
      case .sending: ("sending", .bytes)
      }
    update { width in
      guard let total = exchange.total else { return "\(label) \(ByteCount.text(exchange.done))" }
      return Self.line(label, done: exchange.done, of: total, unit: unit, width: width)
    }
  }

  /// A name in at most so many columns, but for those that take two.
  private static func short(_ name: [UInt8], _ width: Int) -> String {
    let text = TerminalText.path(name)
    return text.count <= width ? text : "\(text.prefix(width - 3))..."
  }

  private func update(_ line: (_ width: Int) -> String) {
    guard isOn else { return }
    let now = surroundings.monotonicNanoseconds()
    guard now >= nextDrawing else { return }
    nextDrawing = now.addingSaturated(Self.intervalNanoseconds)
    isDrawn = true
    let width = max(20, surroundings.terminalWidth(2) ?? 80)
    draw("\r\(line(width - 1))\u{1B}[K")
  }

  /// Wipes the bar.
  func finish() {
    if isDrawn { draw("\r\u{1B}[K") }
    isDrawn = false
    nextDrawing = .max
  }

  /// `label [#####.....]  50% 5 of 10` in at most so many columns.
  static func line(_ label: String, done: UInt64, of total: UInt64, unit: Unit, width: Int) -> String {
    let share = total == 0 ? 1 : min(1, Double(done) / Double(total))
    let percent = "\(Int(share * 100))%"
    let amount =
      switch unit {
      case .items: "\(done) of \(total)"
      case .bytes: "\(ByteCount.text(done)) of \(ByteCount.text(total))"
      }
    let text = "\(label) \(String(repeating: " ", count: 4 - percent.count))\(percent) \(amount)"
    let space = width - text.count - 3
    guard space >= 8 else { return String(text.prefix(width)) }
    let cells = min(space, 40)
    let filled = Int(share * Double(cells))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    return "\(label) [\(bar)]\(text.dropFirst(label.count))"
  }

  private func draw(_ text: String) {
    // A bar that can't be drawn is no reason to stop the work.
    try? surroundings.write(Array(text.utf8), to: 2)
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
