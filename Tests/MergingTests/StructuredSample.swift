import TestSupport

/// A small document that can be written as XML, YAML or JSON, a line for each piece, and edits of it.
///
/// Every name and every text occurs once, so that what became of each can be told from a merge.
struct StructuredSample {
  indirect enum Node {
    case text(name: Int, value: Int)
    case group(name: Int, [Node])
  }

  enum Format: String, CaseIterable { case xml, yaml, json }

  var nodes: [Node]

  init(using generator: inout some RandomNumberGenerator) {
    nodes = Self.nodes(depth: 2, using: &generator)
  }

  private static func nodes(depth: Int, using generator: inout some RandomNumberGenerator) -> [Node] {
    (0..<Int.random(in: 1...5, using: &generator)).map { _ in node(depth: depth, using: &generator) }
  }

  private static func node(depth: Int, using generator: inout some RandomNumberGenerator) -> Node {
    let name = Int.random(in: 1..<1 << 40, using: &generator)
    if depth > 0, Int.random(in: 0..<3, using: &generator) == 0 {
      return .group(name: name, nodes(depth: depth - 1, using: &generator))
    }
    return .text(name: name, value: Int.random(in: 1..<1 << 40, using: &generator))
  }

  // MARK: Edits

  /// With one to three changes, each somewhere.
  func edited(using generator: inout some RandomNumberGenerator) -> StructuredSample {
    var copy = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) { copy.nodes = Self.edited(copy.nodes, &generator) }
    return copy
  }

  private static func edited(_ nodes: [Node], _ generator: inout some RandomNumberGenerator) -> [Node] {
    var nodes = nodes
    let place = Int.random(in: 0...nodes.count, using: &generator)
    let isInside = place < nodes.count
    switch Int.random(in: 0..<8, using: &generator) {
    case 0...2 where isInside:
      switch nodes[place] {
      case .text(let name, _): nodes[place] = .text(name: name, value: Int.random(in: 1..<1 << 40, using: &generator))
      case .group(let name, let inner): nodes[place] = .group(name: name, edited(inner, &generator))
      }
    case 3 where isInside && nodes.count > 1: nodes.remove(at: place)
    case 4...5 where isInside:
      // A new element around a few: the lines of it stand far apart.
      let end = Int.random(in: place + 1...nodes.count, using: &generator)
      nodes[place..<end] = [.group(name: Int.random(in: 1..<1 << 40, using: &generator), Array(nodes[place..<end]))]
    default: nodes.insert(node(depth: 1, using: &generator), at: place)
    }
    return nodes
  }

  // MARK: Writing

  func lines(_ format: Format) -> [String] {
    switch format {
    case .xml: return ["<doc>"] + Self.xml(nodes) + ["</doc>"]
    case .yaml: return Self.yaml(nodes, "")
    case .json: return ["{"] + Self.json(nodes) + ["}"]
    }
  }

  func bytes(_ format: Format) -> [UInt8] { Array((lines(format).joined(separator: "\n") + "\n").utf8) }

  // Without indentation: an element around others adds two lines and changes none.
  private static func xml(_ nodes: [Node]) -> [String] {
    nodes.flatMap { node in
      switch node {
      case .text(let name, let value): return ["<n\(name)>v\(value)</n\(name)>"]
      case .group(let name, let inner): return ["<n\(name)>"] + xml(inner) + ["</n\(name)>"]
      }
    }
  }

  private static func yaml(_ nodes: [Node], _ indent: String) -> [String] {
    nodes.flatMap { node in
      switch node {
      case .text(let name, let value): return ["\(indent)n\(name): v\(value)"]
      case .group(let name, let inner): return ["\(indent)n\(name):"] + yaml(inner, indent + "  ")
      }
    }
  }

  private static func json(_ nodes: [Node]) -> [String] {
    nodes.enumerated().flatMap { place, node in
      let comma = place + 1 < nodes.count ? "," : ""
      switch node {
      case .text(let name, let value): return ["\"n\(name)\": \"v\(value)\"\(comma)"]
      case .group(let name, let inner): return ["\"n\(name)\": {"] + json(inner) + ["}\(comma)"]
      }
    }
  }
}

/// Reads back what ``StructuredSample`` writes, by rules of its own: each text with its name.
struct StructuredReading {
  let pairs: Set<String>
  /// The names of groups.
  let groups: Set<String>

  /// `nil` for what isn't well formed.
  init?(_ content: [UInt8], _ format: StructuredSample.Format) {
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
    let found =
      switch format {
      case .xml: Self.xml(lines)
      case .yaml: Self.yaml(lines)
      case .json: Self.json(content)
      }
    guard let found else { return nil }
    (pairs, groups) = (Set(found.pairs), Set(found.groups))
    guard pairs.count == found.pairs.count, groups.count == found.groups.count else { return nil }
  }

  private typealias Found = (pairs: [String], groups: [String])

  private static func xml(_ lines: [String]) -> Found? {
    var (found, open): (Found, [String]) = (([], []), [])
    for (place, line) in lines.enumerated() {
      guard line.first == "<", line.last == ">", place == 0 || !open.isEmpty else { return nil }
      let parts = line.split { "<>".contains($0) }.map(String.init)
      if parts.count == 3 {
        guard parts[2] == "/" + parts[0] else { return nil }
        found.pairs.append(parts[0] + "=" + parts[1])
      } else if parts.count == 1, parts[0].hasPrefix("/") {
        guard open.popLast() == String(parts[0].dropFirst()) else { return nil }
      } else if parts.count == 1 {
        open.append(parts[0])
        found.groups.append(parts[0])
      } else {
        return nil
      }
    }
    return open.isEmpty ? found : nil
  }

  private static func yaml(_ lines: [String]) -> Found? {
    var found: Found = ([], [])
    var mayOpen = false
    var depth = 0
    for line in lines {
      let level = line.prefix { $0 == " " }.count / 2
      let parts = line.dropFirst(level * 2).split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard level <= depth + (mayOpen ? 1 : 0), !parts.isEmpty else { return nil }
      depth = level
      mayOpen = parts.count == 1
      if parts.count == 2 {
        found.pairs.append(parts[0] + "=" + parts[1])
      } else {
        found.groups.append(String(parts[0]))
      }
    }
    return found
  }

  private static func json(_ content: [UInt8]) -> Found? {
    guard let value = try? JSONValue(parsing: content) else { return nil }
    var found: Found = ([], [])
    var waiting = [value]
    while let next = waiting.popLast() {
      guard case .object(let members) = next else { return nil }
      for member in members {
        if case .string(let text) = member.value {
          found.pairs.append(member.name + "=" + text)
        } else {
          found.groups.append(member.name)
          waiting.append(member.value)
        }
      }
    }
    return found
  }
}
