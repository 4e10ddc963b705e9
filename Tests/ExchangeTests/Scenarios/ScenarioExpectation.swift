import TestSupport

/// What must hold, at the end of a scenario or within it.
///
/// Source: Tests/Fixtures/scenarios/README.md, "Expectations".
struct ScenarioExpectation: Sendable {
  /// Whether all devices agree on everything; `nil`: nothing is said.
  let isConverged: Bool?
  let isSameOnAllDevices: Bool?
  /// Groups of devices that agree within the group.
  let agreeing: [[String]]
  /// By device (`*`: every device without an entry of its own) and document; `nil`: the document is unknown there.
  let state: [String: [String: DocumentExpectation?]]

  init(_ json: JSONValue) throws {
    isConverged = json["converged"]?.boolean
    isSameOnAllDevices = json["same_on_all_devices"]?.boolean
    agreeing = try (json["agree"]?.elements ?? []).map { try $0.texts() }
    state = try (json["state"]?.members ?? []).reduce(into: [:]) { state, device in
      state[device.name] = try (device.value.members ?? []).reduce(into: [:]) { documents, document in
        documents[document.name] = .some(document.value.isNull ? nil : try DocumentExpectation(document.value))
      }
    }
  }

  /// What must hold on a device.
  func documents(on device: String) -> [String: DocumentExpectation?] { state[device] ?? state["*"] ?? [:] }
}

/// What must hold for one document on one device. Versions are told by their contents.
struct DocumentExpectation: Sendable {
  struct Heads: Sendable {
    var required: Set<String>
    var possible: Set<String>
    /// Exactly one head has one of these contents.
    var alternatives: Set<String>
  }

  /// `nil` as content: the document is deleted.
  let current: Set<String?>?
  let heads: Heads?
  let conflicts: Conflicts?
  let historySize: ClosedRange<Int>?
  let openableExactly: Set<String>?
  let openable: Set<String>
  let notOpenable: Set<String>
  let names: Set<String>?

  enum Conflicts: Sendable {
    case exactly(Set<String>)
    /// These without the current content, and possibly some more.
    case rest(of: Set<String>, possible: Set<String>)
  }

  init(_ json: JSONValue) throws {
    current = json["current"].map { value in
      if let choice = value["one_of"] { return Set((choice.elements ?? []).map(\.string)) }
      return [value.string]
    }
    heads = try json["heads"].map { value in
      Heads(
        required: Set(try value.texts("must")), possible: Set(try value.texts("may")),
        alternatives: Set(try value.texts("one_of")))
    }
    conflicts = try json["conflicts"].map { value in
      if let rest = value["rest_of"] {
        return .rest(of: Set(try rest.texts()), possible: Set(try value.texts("may")))
      }
      return .exactly(Set(try value.texts()))
    }
    historySize = json["history_size"].flatMap { value in
      if let size = value.integer { return Int(size)...Int(size) }
      guard let least = value["min"]?.integer, let most = value["max"]?.integer else { return nil }
      return Int(least)...Int(most)
    }
    openableExactly = try json["reachable_exactly"].map { Set(try $0.texts()) }
    openable = Set(try json.texts("reachable"))
    notOpenable = Set(try json.texts("unreachable"))
    names = try json["name"].map { value in
      if let name = value.string { return [name] }
      return Set(try (value["one_of"] ?? value).texts())
    }
  }

  /// What a document's state lacks, in words.
  func problems(in shown: ShownDocument) -> [String] {
    var problems = Problems()
    if let heads {
      let found = shown.headContents
      problems.check(heads.required.isSubset(of: found), "heads \(found.brief) lack some of \(heads.required.brief)")
      let allowed = heads.required.union(heads.possible).union(heads.alternatives)
      problems.check(found.isSubset(of: allowed), "heads \(found.brief) are more than \(allowed.brief)")
      problems.check(
        heads.alternatives.isEmpty || found.intersection(heads.alternatives).count == 1,
        "heads \(found.brief) are not one of \(heads.alternatives.brief)")
    }
    if let current { problems.check(current.contains(shown.current), "current is \(shown.current ?? "deleted")") }
    if let conflicts {
      switch conflicts {
      case .exactly(let wanted):
        problems.check(shown.conflicts == wanted, "conflicts are \(shown.conflicts.brief), not \(wanted.brief)")
      case .rest(let rest, let possible):
        let without = Set([shown.current].compactMap { $0 })
        let wanted = rest.subtracting(without)
        problems.check(
          wanted.isSubset(of: shown.conflicts)
            && shown.conflicts.isSubset(of: rest.union(possible).subtracting(without)),
          "conflicts are \(shown.conflicts.brief), not \(wanted.brief)")
      }
    }
    if let historySize {
      problems.check(historySize.contains(shown.openable.count), "\(shown.openable.count) versions, not \(historySize)")
    }
    let contents = Set(shown.openable.values)
    if let openableExactly {
      problems.check(contents == openableExactly, "\(contents.brief) can be opened, not \(openableExactly.brief)")
    }
    problems.check(openable.isSubset(of: contents), "\(contents.brief) can be opened, not all of \(openable.brief)")
    let returned = contents.intersection(notOpenable)
    problems.check(returned.isEmpty, "\(returned.brief) came back")
    if let names { problems.check(names.contains(shown.name), "the name is \(shown.name), not \(names.brief)") }
    return problems.found
  }
}

private struct Problems {
  var found: [String] = []

  mutating func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { found.append(what()) }
  }
}

extension Set<String> {
  var brief: String { "{\(sorted().map { $0.split(separator: "\n").joined(separator: "·") }.joined(separator: ", "))}" }
}
