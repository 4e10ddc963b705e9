import TestSupport

/// A small JSON value whose scalars are all different, and edits of it.
indirect enum JSONSample {
  case scalar(Int)
  case array([JSONSample])
  case object([(name: String, value: JSONSample)])

  static func value(depth: Int, using generator: inout some RandomNumberGenerator) -> JSONSample {
    let count = Int.random(in: 0...4, using: &generator)
    switch Int.random(in: depth == 3 ? 1..<3 : 0..<3, using: &generator) {
    case 1 where depth > 0: return .array((0..<count).map { _ in value(depth: depth - 1, using: &generator) })
    case 2 where depth > 0:
      return .object((0..<count).map { ("k\($0)", value(depth: depth - 1, using: &generator)) })
    default: return .scalar(Int.random(in: 0..<1 << 40, using: &generator))
    }
  }

  /// With one to three changes, each somewhere.
  func edited(using generator: inout some RandomNumberGenerator) -> JSONSample {
    var edited = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) { edited = edited.editedOnce(using: &generator) }
    return edited
  }

  private func editedOnce(using generator: inout some RandomNumberGenerator) -> JSONSample {
    let goesDown = Int.random(in: 0..<3, using: &generator) > 0
    let fresh = JSONSample.value(depth: 1, using: &generator)
    switch self {
    case .scalar: return .scalar(Int.random(in: 0..<1 << 40, using: &generator))
    case .array(var elements):
      let place = Int.random(in: 0...elements.count, using: &generator)
      if place < elements.count, goesDown {
        elements[place] = elements[place].editedOnce(using: &generator)
      } else if place < elements.count, Bool.random(using: &generator) {
        elements.remove(at: place)
      } else {
        elements.insert(fresh, at: place)
      }
      return .array(elements)
    case .object(var members):
      let place = Int.random(in: 0...members.count, using: &generator)
      if place < members.count, goesDown {
        members[place].value = members[place].value.editedOnce(using: &generator)
      } else if place < members.count, Bool.random(using: &generator) {
        members.remove(at: place)
      } else {
        let name = "n\(Int.random(in: 0..<1 << 20, using: &generator))"
        members.insert((name, fresh), at: place)
      }
      return .object(members)
    }
  }

  /// As text, with white space here and there.
  func text(using generator: inout some RandomNumberGenerator) -> String {
    text(spaces: Int.random(in: 0...2, using: &generator))
  }

  func text(spaces: Int) -> String {
    let space = String(repeating: " ", count: spaces)
    switch self {
    case .scalar(let number): return "\"\(number)\""
    case .array(let elements):
      return "[" + space + elements.map { $0.text(spaces: spaces) }.joined(separator: "," + space) + "]"
    case .object(let members):
      return "{"
        + members.map { "\"\($0.name)\":\(space)\($0.value.text(spaces: spaces))" }.joined(separator: "," + space)
        + space + "}"
    }
  }
}

extension JSONValue {
  /// The scalars inside, all of them strings.
  func leaves() -> [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap { $0.leaves() }
    case .object(let members): members.flatMap { $0.value.leaves() }
    default: []
    }
  }
}
