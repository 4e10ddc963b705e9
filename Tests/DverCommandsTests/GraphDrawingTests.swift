import TestSupport
import Testing

@testable import DverCommands

@Suite("Graphs") struct GraphDrawingTests {
  private typealias Node = (id: Int, parents: [Int])

  /// Every node in a line with what stands before it, and the lines that link it to its parents.
  private func drawing(_ nodes: [Node], style: GraphDrawing<Int>.Style = .unicode) -> [String] {
    var graph = GraphDrawing<Int>(style: style)
    return nodes.flatMap { node in
      let row = graph.row(of: node.id, parents: node.parents)
      return [row.node + "\(node.id)"] + (row.link.map { [$0.droppingTrailingSpaces] } ?? [])
    }
  }

  @Test("draw a line of versions in one column")
  func line() {
    #expect(drawing([(3, [2]), (2, [1]), (1, [])]) == ["* 3", "* 2", "* 1"])
  }

  @Test("draw several heads side by side until they meet")
  func heads() {
    #expect(
      drawing([(4, [1]), (3, [1]), (2, [1]), (1, [])])
        == ["* 4", "│ * 3", "├─╯", "│ * 2", "├─╯", "* 1"])
  }

  @Test("draw a merge of two and its way back")
  func merge() {
    #expect(
      drawing([(4, [3, 2]), (3, [1]), (2, [1]), (1, [])])
        == ["*   4", "├─╮", "* │ 3", "│ * 2", "├─╯", "* 1"])
  }

  @Test("draw a merge of three")
  func mergeOfThree() {
    #expect(
      drawing([(5, [4, 3, 2]), (4, [1]), (3, [1]), (2, [1]), (1, [])])
        == ["*     5", "├─┬─╮", "* │ │ 4", "│ * │ 3", "├─╯ │", "│   * 2", "├───╯", "* 1"])
  }

  @Test("let lines cross")
  func crossing() {
    // 6 joins the line of 3 on the far side of that of 5.
    #expect(
      drawing([(7, [6]), (5, [2]), (4, [3]), (6, [3]), (3, [1]), (2, [1]), (1, [])])
        == ["* 7", "│ * 5", "│ │ * 4", "* │ │ 6", "╰─│─┤", "  │ * 3", "  * │ 2", "  ╰─┤", "    * 1"])
  }

  @Test("go round what is in the way, both ways")
  func criss() {
    #expect(
      drawing([(6, [4, 3]), (5, [3, 4]), (4, [1]), (3, [1]), (1, [])])
        == ["*   6", "├─╮", "│ │ * 5", "├─┼─╯", "* │ 4", "│ * 3", "├─╯", "* 1"])
  }

  @Test("use free columns again")
  func reuse() {
    #expect(drawing([(4, []), (3, []), (2, [1]), (1, [])]) == ["* 4", "* 3", "* 2", "* 1"])
    #expect(
      drawing([(5, [1]), (4, []), (3, [1]), (1, [])]) == ["* 5", "│ * 4", "│ * 3", "├─╯", "* 1"])
  }

  @Test("are drawn in ASCII too")
  func ascii() {
    #expect(
      drawing([(5, [4, 3, 2]), (4, [1]), (3, [1]), (2, [1]), (1, [])], style: .ascii)
        == ["*     5", "+-+-.", "* | | 4", "| * | 3", "+-' |", "|   * 2", "+---'", "* 1"])
  }

  @Test("have prefixes of one width for all lines of a node")
  func widths() {
    var graph = GraphDrawing<Int>()
    let row = graph.row(of: 3, parents: [2, 1])
    #expect(row.node.count == 4 && row.link?.count == 4 && row.padding.count == 4)
    #expect(row.padding == "│ │ ")
  }

  @Test("show exactly the links that there are", arguments: 0..<300 as Range<UInt64>)
  func links(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...14, using: &generator)
    let nodes: [Node] = (0..<count).reversed().map { id in
      let parentCount = min(id, [0, 1, 1, 1, 2, 2, 3].randomElement(using: &generator) ?? 0)
      return (id, Array((0..<id).shuffled(using: &generator).prefix(parentCount)))
    }
    var graph = GraphDrawing<Int>()
    var tracer = LineTracer()
    for node in nodes { tracer.read(graph.row(of: node.id, parents: node.parents), of: node.id) }
    #expect(tracer.links == Set(nodes.flatMap { node in node.parents.map { [node.id, $0] } }), "\(nodes)")
  }
}

/// Follows the lines of a drawing as an eye does.
private struct LineTracer {
  private(set) var links: Set<[Int]> = []
  /// The nodes whose lines come down in each column.
  private var coming: [Int: Set<Int>] = [:]

  private static let down: Set<Character> = ["│", "├", "┤", "┼", "╭", "╮", "┬"]
  private static let up: Set<Character> = ["│", "├", "┤", "┼", "╰", "╯", "┴"]
  private static let left: Set<Character> = ["┤", "┼", "╮", "╯", "┬", "┴", "─"]
  private static let right: Set<Character> = ["├", "┼", "╭", "╰", "┬", "┴", "─"]

  mutating func read(_ row: GraphDrawing<Int>.Row, of id: Int) {
    let cells = Array(row.node)
    guard let place = cells.firstIndex(of: "*") else { return }
    for child in coming[place] ?? [] { links.insert([child, id]) }
    coming = coming.filter { cells.indices.contains($0.key) && cells[$0.key] == "│" }
    let link = row.link.map { Array($0) } ?? Array(row.padding)
    var next: [Int: Set<Int>] = [:]
    for (column, nodes) in coming where Self.down.contains(link[column]) { next[column, default: []].formUnion(nodes) }
    for column in reached(from: place, in: link) where Self.down.contains(link[column]) {
      next[column, default: []].insert(id)
    }
    coming = next
  }

  /// The columns that a node's horizontal line touches, its own included where a line goes on from it.
  private func reached(from place: Int, in link: [Character]) -> [Int] {
    guard place < link.count, Self.up.contains(link[place]) else { return [] }
    var found = [place]
    for (step, inward, outward) in [(1, Self.left, Self.right), (-1, Self.right, Self.left)] {
      var column = place
      while outward.contains(link[column]) || link[column] == "│" && column != place {
        column += step
        guard link.indices.contains(column), inward.contains(link[column]) || link[column] == "│" else { break }
        // A vertical line goes through: the horizontal one goes on behind it.
        if link[column] != "│", column.isMultiple(of: 2), link[column] != "─" { found.append(column) }
      }
    }
    return found
  }
}
