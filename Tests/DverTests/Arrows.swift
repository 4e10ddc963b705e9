/// What each module depends on, and the places it is read from.
struct Arrows: Equatable {
  var targets: [String: Set<String>] = [:]

  init(_ targets: [String: Set<String>]) {
    self.targets = targets
  }

  /// The arrows of a page: the lines indented as code that hold an arrow.
  init(page: String) {
    for line in page.split(separator: "\n") where line.hasPrefix("    ") {
      let sides = line.split(separator: "→", maxSplits: 1)
      guard sides.count == 2 else { continue }
      let names = Self.names(sides[1])
      for module in Self.names(sides[0]) { targets[module] = Set(names) }
    }
  }

  /// The arrows of a package description's library modules and programs; tests and their support are left out.
  init(package: String) {
    let library = /\bmodule\(\s*"([\w-]+)"\s*(?:,\s*\[([^\]]*)\]\s*)?\)/
    let program = /\.executableTarget\(\s*name:\s*"([\w-]+)",\s*dependencies:\s*\[([^\]]*)\]/
    for match in package.matches(of: library) {
      targets[String(match.1)] = Self.quoted(match.2 ?? "")
    }
    for match in package.matches(of: program) {
      targets[String(match.1)] = Self.quoted(match.2)
    }
  }

  /// The modules on a cycle, and those above one.
  var cycles: Set<String> {
    var left = targets
    while true {
      // A module that depends on nothing left is on no cycle.
      let free = left.filter { $0.value.isDisjoint(with: left.keys) }.keys
      if free.isEmpty { return Set(left.keys) }
      for module in free { left[module] = nil }
    }
  }

  /// Names between commas, without remarks in parentheses.
  private static func names(_ text: Substring) -> [String] {
    text.replacing(/\([^)]*\)/, with: "").split(separator: ",")
      .map { String($0.filter { !$0.isWhitespace }) }
      .filter { !$0.isEmpty }
  }

  private static func quoted(_ text: Substring) -> Set<String> {
    Set(text.matches(of: /"([\w-]+)"/).map { String($0.1) })
  }
}

/// The module that a line imports, or `nil`.
func importedModule(_ line: Substring) -> String? {
  let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let", "actor"]
  let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  var words = line.split(separator: " ")[...]
  while let word = words.first, word.hasPrefix("@") || levels.contains(word) { words.removeFirst() }
  guard words.popFirst() == "import" else { return nil }
  if let word = words.first, kinds.contains(word) { words.removeFirst() }
  return words.first?.split(separator: ".").first.map(String.init)
}

/// The part of a line before a comment.
func code(_ line: Substring) -> Substring {
  line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
}
