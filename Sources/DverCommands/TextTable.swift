/// Lines of cells in columns, two spaces apart.
///
/// A column is as wide as its widest cell, but a cell beyond the limit doesn't widen it for the others.
struct TextTable {
  struct Cell {
    let text: String
    let isRight: Bool
    /// Adds colour; it must not change the text's width.
    let paint: (String) -> String

    init(_ text: String, isRight: Bool = false, paint: @escaping (String) -> String = { $0 }) {
      self.text = text
      self.isRight = isRight
      self.paint = paint
    }
  }

  private static let widthLimit = 40
  private var rows: [[Cell]] = []

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ cells: [Cell]) {
    rows.append(cells)
  }

  mutating func add(texts: String...) {
    rows.append(texts.map { Cell($0) })
  }

  /// The lines, without spaces at their ends.
  func lines(indentation: Int = 0) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        let width = TextWidth.columns(of: cell.text)
        if width <= Self.widthLimit { widths[column] = max(widths[column], width) }
      }
    }
    return rows.map { Self.line($0, widths: widths, indentation: indentation) }
  }

  private static func line(_ row: [Cell], widths: [Int], indentation: Int) -> String {
    var line = String(repeating: " ", count: indentation)
    var gap = 0
    for (column, cell) in row.enumerated() {
      let space = max(0, widths[column] - TextWidth.columns(of: cell.text))
      if !cell.text.isEmpty {
        line += String(repeating: " ", count: gap + (cell.isRight ? space : 0)) + cell.paint(cell.text)
        gap = cell.isRight ? 0 : space
      } else {
        gap += space
      }
      gap += 2
    }
    return line
  }
}
