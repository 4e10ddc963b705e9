/// Draws an acyclic graph as text, one node after the other, each before its parents.
///
/// Every node that is still to come and is the parent of one drawn has a lane, a column of two characters. A node's first
/// parent goes on in its lane; another parent joins the lane that waits for it already, or begins one. Lines that cross
/// are drawn so that the vertical one goes through.
///
///     *          two heads
///     │ *        a version made apart
///     * │        a merge of two
///     ├─│─╮
///
/// Cost: proportional to the number of lanes a node, and of lookups in them.
struct GraphDrawing<ID: Hashable> {
  /// The characters of the lines.
  enum Style: Sendable { case unicode, ascii }

  /// What stands before the text of one node, all of one width.
  struct Row: Equatable {
    /// Before the first line.
    let node: String
    /// Before the second line, where the node's lines to its parents aren't all straight.
    let link: String?
    /// Before any further line.
    let padding: String
  }

  private let style: Style
  /// The node that each lane waits for; `nil` where the lane is free.
  private var lanes: [ID?] = []

  init(style: Style = .unicode) {
    self.style = style
  }

  /// Draws the next node.
  ///
  /// - Parameter parents: those that will be drawn too, none twice.
  mutating func row(of id: ID, parents: [ID], mark: Character = "*") -> Row {
    let lane = take(id)
    let before = lanes
    lanes[lane] = nil
    // The lanes that the node is linked to, its own among them where its line goes on there.
    var targets: [Int] = []
    for parent in parents {
      if let known = lanes.firstIndex(of: parent) {
        targets.append(known)
      } else {
        let place = lanes[lane] == nil ? lane : freeLane(near: lane)
        if place == lanes.count { lanes.append(nil) }
        lanes[place] = parent
        targets.append(place)
      }
    }
    while lanes.last == .some(nil) { lanes.removeLast() }
    let count = max(before.count, lanes.count)
    let isStraight = targets.isEmpty || targets == [lane]
    return Row(
      node: text(count) { column in
        if column == lane { return mark }
        return column < before.count && before[column] != nil ? vertical : " "
      },
      link: isStraight ? nil : link(from: lane, to: Set(targets), before: before, count: count),
      padding: text(count) { $0 < lanes.count && lanes[$0] != nil ? vertical : " " })
  }

  /// The lane that waits for a node, or a free one for a node that nothing drawn descends from.
  private mutating func take(_ id: ID) -> Int {
    if let lane = lanes.firstIndex(of: id) { return lane }
    let lane = lanes.firstIndex(of: nil) ?? lanes.count
    if lane == lanes.count { lanes.append(id) } else { lanes[lane] = id }
    return lane
  }

  /// The next free lane to the right, or a new one there.
  private func freeLane(near lane: Int) -> Int {
    lanes[lane...].firstIndex(of: nil) ?? lanes.count
  }

  // MARK: Characters

  private var vertical: Character { style == .unicode ? "│" : "|" }
  private var horizontal: Character { style == .unicode ? "─" : "-" }

  private func text(_ count: Int, _ character: (Int) -> Character) -> String {
    var text = ""
    for column in 0..<count {
      text.append(character(column))
      text.append(" ")
    }
    return text
  }

  private func link(from lane: Int, to targets: Set<Int>, before: [ID?], count: Int) -> String {
    let first = min(lane, targets.min() ?? lane)
    let last = max(lane, targets.max() ?? lane)
    var text = ""
    for column in 0..<count {
      let existed = column < before.count && before[column] != nil
      let isLinked = column == lane || targets.contains(column)
      if !isLinked {
        let isCrossed = first < column && column < last
        text.append(existed ? vertical : isCrossed ? horizontal : " ")
      } else {
        text.append(
          joint(up: existed, down: targets.contains(column), left: column > first, right: column < last))
      }
      text.append(first <= column && column < last ? horizontal : " ")
    }
    return text
  }

  /// The character that connects these directions.
  private func joint(up: Bool, down: Bool, left: Bool, right: Bool) -> Character {
    let isUnicode = style == .unicode
    switch (up, down, left, right) {
    case (true, true, false, false): return vertical
    case (true, true, false, true): return isUnicode ? "├" : "+"
    case (true, true, true, false): return isUnicode ? "┤" : "+"
    case (true, true, true, true): return isUnicode ? "┼" : "+"
    case (true, false, false, true): return isUnicode ? "╰" : "`"
    case (true, false, true, false): return isUnicode ? "╯" : "'"
    case (true, false, true, true): return isUnicode ? "┴" : "+"
    case (false, true, false, true): return isUnicode ? "╭" : "."
    case (false, true, true, false): return isUnicode ? "╮" : "."
    case (false, true, true, true): return isUnicode ? "┬" : "+"
    default: return horizontal
    }
  }
}
