import ArgumentParsing
import Merging
import SystemIO
import VersionStore
import Versioning

/// Asks about everything that the two sides of a conflict leave open, one question after the other.
///
/// Nothing is changed while it asks; answers are lines of standard input, its end means quit.
struct ConflictQuestions {
  /// What a question is about.
  private enum Subject {
    case field(ProposedMerge.Field)
    /// A conflict that is decided as a whole.
    case whole(Int)
    /// A passage of a text: the number of the conflict and of the passage.
    case passage(Int, ConflictPassages.Hunk)
  }

  private var merge: ProposedMerge
  private let names: ConflictNames
  private let context: CommandContext
  private var subjects: [Subject] = []
  private var texts: [Int: ConflictTexts] = [:]
  private var passages: [Int: ConflictPassages] = [:]
  private var answers: [Int: Answer] = [:]

  private enum Answer: Equatable {
    case side(ConflictDecision)
    case passage(ConflictPassages.Choice)
  }

  private enum Reply {
    case answer(Answer)
    case skip, quit
  }

  init(
    _ merge: ProposedMerge, in repository: Repository, _ writer: VersionWriter, _ context: CommandContext
  ) throws {
    if context.output.isJSON { throw UsageError.other("option --interactive can't be used with --json") }
    self.merge = merge
    self.context = context
    names = try ConflictNames(merge, writer)
    subjects = merge.fieldConflicts.map { .field($0) }
    for (number, conflict) in merge.conflicts.enumerated() {
      let texts = try ConflictTexts(conflict, in: repository)
      self.texts[number] = texts
      guard texts.isText else {
        subjects.append(.whole(number))
        continue
      }
      let passages = ConflictPassages(texts)
      self.passages[number] = passages
      subjects += passages.hunks.map { .passage(number, $0) }
    }
  }

  /// Asks until all is decided.
  ///
  /// - Returns: `nil` where something is left open: then nothing may be changed.
  mutating func run() throws -> ResolutionChoice? {
    if subjects.isEmpty {
      throw CommandFailure(.notPossible, "all merges at", path: merge.path.bytes, advice: "use dver merge")
    }
    while true {
      let open = subjects.indices.filter { answers[$0] == nil }
      if open.isEmpty { return choice() }
      if open.count < subjects.count || answers.isEmpty == false {
        say("\(open.count) of \(subjects.count) were skipped, here they are again\n")
      }
      let before = answers.count
      for number in open {
        switch try ask(number) {
        case .answer(let answer): answers[number] = answer
        case .skip: continue
        case .quit: return leave()
        }
      }
      if answers.count == before { return leave() }
    }
  }

  private func leave() -> ResolutionChoice? {
    context.output.flush()
    let open = subjects.count - answers.count
    context.output.warn(
      CommandFailure(
        .notPossible, "\(open) of \(subjects.count) undecided, nothing was changed at", path: merge.path.bytes,
        advice: "start again with dver resolve --interactive"))
    return nil
  }

  private func choice() -> ResolutionChoice {
    var result = merge
    var decisions = merge.proposal
    var choices: [Int: [Int: ConflictPassages.Choice]] = [:]
    for (number, subject) in subjects.enumerated() {
      switch (subject, answers[number]) {
      case (.field(let field), .side(.other)?): result.takeFromOther(field)
      case (.whole(let conflict), .side(let decision)?): decisions[conflict] = decision
      case (.passage(let conflict, let hunk), .passage(let choice)?):
        choices[conflict, default: [:]][hunk.place] = choice
      default: continue
      }
    }
    for (conflict, choices) in choices {
      guard let passages = passages[conflict] else { continue }
      decisions[conflict] = .content(passages.text(choices))
    }
    return .settled(result, decisions)
  }

  // MARK: One question

  private func ask(_ number: Int) throws -> Reply {
    let subject = subjects[number]
    show(subject, number)
    let answers = Self.answers(to: subject, hasBase: hasBase(subject))
    while true {
      try context.checkInterruption()
      say(prompt(answers, number))
      context.output.flush()
      guard let line = try context.surroundings.readLine() else {
        say("\n")
        return .quit
      }
      // A terminal shows what is typed.
      if !context.surroundings.isTerminal(0) { say(TerminalText.line(line) + "\n") }
      let word = String(decoding: line, as: UTF8.self).lowercased().filter { $0 != " " && $0 != "\r" }
      guard let key = answers.first(where: { $0.matches(word) }) else {
        say(Self.help(answers))
        continue
      }
      if let reply = try reply(key, subject) { return reply }
    }
  }

  /// `nil`: asks again.
  private func reply(_ key: AnswerKey, _ subject: Subject) throws -> Reply? {
    switch (key, subject) {
    case (.quit, _): return .quit
    case (.skip, _): return .skip
    case (.help, _):
      say(Self.help(Self.answers(to: subject, hasBase: hasBase(subject))))
      return nil
    case (.ours, .passage): return .answer(.passage(.ours))
    case (.theirs, .passage): return .answer(.passage(.theirs))
    case (.both, .passage): return .answer(.passage(.both))
    case (.base, .passage): return .answer(.passage(.base))
    case (.edit, .passage(let conflict, let hunk)):
      return try edited(hunk, conflict).map { .answer(.passage(.text($0))) }
    case (.ours, _): return .answer(.side(.current))
    case (.theirs, _): return .answer(.side(.other))
    case (.base, _): return .answer(.side(.base))
    case (.both, _), (.edit, _): return nil
    }
  }

  private func hasBase(_ subject: Subject) -> Bool {
    switch subject {
    case .field: false
    case .whole(let number): merge.conflicts[number].base != nil
    case .passage(let number, _): passages[number]?.hasBase ?? false
    }
  }

  private static func answers(to subject: Subject, hasBase: Bool) -> [AnswerKey] {
    let isPassage = if case .passage = subject { true } else { false }
    return AnswerKey.allCases.filter { key in
      switch key {
      case .both, .edit: isPassage
      case .base: hasBase
      default: true
      }
    }
  }

  private func edited(_ hunk: ConflictPassages.Hunk, _ conflict: Int) throws -> [UInt8]? {
    let marked = ConflictMarkers.render(
      base: hunk.base, ours: hunk.ours, theirs: hunk.theirs, labels: names.labels, style: .diff3)
    guard let marked else { return nil }
    let name = (merge.conflicts[conflict].entry ?? merge.path).name
    context.output.flush()
    let edited = try TextEditor(context).edit(marked.bytes, named: name)
    guard let bytes = edited, bytes != marked.bytes else {
      say("Nothing was changed.\n")
      return nil
    }
    if ConflictMarkers.areLeft(in: bytes, size: marked.markerSize) {
      say("Conflict markers are left in it.\n")
      return nil
    }
    return bytes
  }

  // MARK: What is shown

  private func say(_ text: String) { context.output.write(bytes: text.utf8) }

  private func prompt(_ answers: [AnswerKey], _ number: Int) -> String {
    let words = answers.map(\.prompt).joined(separator: ", ")
    return context.output.color.bold("[\(number + 1)/\(subjects.count)] Take \(words) ")
  }

  private static func help(_ answers: [AnswerKey]) -> String {
    answers.map { "  \($0.rawValue)  \($0.explanation)\n" }.joined()
  }

  private func title(_ number: Int, _ more: String, entry: DocumentPath?) -> String {
    let place = TerminalText.path(merge.path.bytes) + (entry.map { ": " + TerminalText.path($0.bytes) } ?? "")
    return context.output.color.bold("\(place): conflict \(number + 1) of \(subjects.count)\(more)") + "\n"
  }

  private func show(_ subject: Subject, _ number: Int) {
    say("\n")
    switch subject {
    case .field(let field):
      say(title(number, "", entry: nil))
      let (mine, other) = (merge.current.record, merge.other.record)
      let values =
        field == .path
        ? (TerminalText.path(mine.path.bytes), TerminalText.path(other.path.bytes))
        : ("mode " + String(mine.mode, radix: 8), "mode " + String(other.mode, radix: 8))
      say("  ours    \(values.0)  (\(names.current))\n  theirs  \(values.1)  (\(names.other))\n")
    case .whole(let conflict):
      let texts = merge.conflicts[conflict]
      say(title(number, "", entry: texts.entry) + "  \(texts.description)\n")
      say("  ours    \(Self.shape(texts.current, merge.current, texts))  (\(names.current))\n")
      say("  theirs  \(Self.shape(texts.other, merge.other, texts))  (\(names.other))\n")
    case .passage(let conflict, let hunk):
      let lines = hunk.lines.map {
        $0.count == 1 ? ", line \($0.lowerBound)" : ", lines \($0.lowerBound)-\($0.upperBound)"
      }
      say(title(number, lines ?? "", entry: merge.conflicts[conflict].entry))
      show(hunk, hasBase: passages[conflict]?.hasBase ?? false)
    }
  }

  private static func shape(_ entry: PackageEntry?, _ version: Version, _ conflict: ContentConflict) -> String {
    if let entry { return entry.kind == .folder ? "a folder" : ByteCount.text(entry.size) }
    return conflict.entry == nil && !version.record.isDeletion ? version.record.kind.word : "nothing"
  }

  private func show(_ hunk: ConflictPassages.Hunk, hasBase: Bool) {
    let color = context.output.color
    say(Self.lines(hunk.before, "    ", color.dim))
    say(color.cyan("  ours (\(names.current))") + "\n" + Self.lines(hunk.ours, "  + ", color.green))
    if hasBase { say(color.cyan("  base") + "\n" + Self.lines(hunk.base, "  - ", color.red)) }
    say(color.cyan("  theirs (\(names.other))") + "\n" + Self.lines(hunk.theirs, "  + ", color.green))
    say(Self.lines(hunk.after, "    ", color.dim))
  }

  private static func lines(_ bytes: [UInt8], _ prefix: String, _ paint: (String) -> String) -> String {
    if bytes.isEmpty { return prefix == "    " ? "" : paint("\(prefix)(nothing)") + "\n" }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { paint(prefix + TerminalText.content($0)) + "\n" }.joined()
  }
}

/// What can be answered to a question about a conflict.
private enum AnswerKey: String, CaseIterable {
  case ours = "o"
  case theirs = "t"
  case both = "b"
  case base = "a"
  case edit = "e"
  case skip = "s"
  case quit = "q"
  case help = "?"

  var explanation: String {
    switch self {
    case .ours: "ours: what the current version has"
    case .theirs: "theirs: what the other version has"
    case .both: "both, ours first"
    case .base: "base: what was there before both changes"
    case .edit: "edit it in the program that VISUAL or EDITOR names"
    case .skip: "skip: come back to it later"
    case .quit: "quit: leave everything as it was"
    case .help: "show this"
    }
  }

  /// The word with its letter marked.
  var prompt: String {
    switch self {
    case .base: "b(a)se"
    case .help: "(?)"
    default: "(\(rawValue))\("\(self)".dropFirst())"
    }
  }

  /// The letter or the whole word.
  func matches(_ word: String) -> Bool {
    word == rawValue || word == "\(self)"
  }
}
