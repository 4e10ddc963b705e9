import Merging
import SystemIO
import VersionStore
import Versioning

/// Runs a program that merges two versions of a file, or of each file of a package in conflict.
struct MergeTool {
  private let known: KnownMergeTool?
  private let command: [UInt8]
  private let context: CommandContext

  /// - Parameter command: the name of a known tool, or a line for `sh`.
  init(_ command: [UInt8], _ context: CommandContext) {
    self.command = command
    self.context = context
    known = KnownMergeTool(rawValue: String(decoding: command, as: UTF8.self))
  }

  /// Hands out the versions as files, and takes what the program wrote.
  ///
  /// - Returns: the versions made, or `nil` where the program gave up.
  func run(at path: DocumentPath, in repository: Repository, _ writer: VersionWriter) throws -> [Version]? {
    try repository.checkSettles(path)
    let merge = try repository.proposedMerge(at: path)
    guard !merge.conflicts.isEmpty, merge.conflicts.allSatisfy(\.isOfFiles) else {
      throw CommandFailure(
        .notPossible, "no tool can decide about", path: path.bytes,
        advice: "\(merge.descriptions().joined(separator: "; ")); choose with dver resolve")
    }
    for field in merge.descriptions().prefix(merge.fieldConflicts.count) {
      context.output.status("\(TerminalText.path(path.bytes)): \(field): the current one is kept")
    }
    let names = try ConflictNames(merge, writer)
    var decisions: [ConflictDecision] = []
    for (number, conflict) in merge.conflicts.enumerated() {
      if let entry = conflict.entry {
        let count = "\(number + 1) of \(merge.conflicts.count)"
        context.output.status("\(TerminalText.path(path.bytes)): \(TerminalText.path(entry.bytes)), \(count)")
      }
      let place = conflict.entry.flatMap { DocumentPath(path.bytes + [UInt8(ascii: "/")] + $0.bytes) } ?? path
      guard let bytes = try merged(try ConflictTexts(conflict, in: repository), at: place, names) else { return nil }
      decisions.append(.content(bytes))
    }
    return try repository.resolve(path, .settled(merge, decisions), basis: .versions(merge.heads))
  }

  /// Runs the program on the files of one conflict.
  private func merged(_ texts: ConflictTexts, at place: DocumentPath, _ names: ConflictNames) throws -> [UInt8]? {
    let folder = try ScratchFolder(context)
    defer { folder.remove() }
    let start = texts.marked(names.labels)?.bytes ?? texts.current
    var variables: [[UInt8]] = []
    for (name, bytes) in [
      ("BASE", texts.base ?? []), ("LOCAL", texts.current), ("REMOTE", texts.other), ("MERGED", start),
    ] {
      // With the document's name behind, since its ending tells a tool how to show it.
      variables.append(Array("\(name)=".utf8) + (try folder.write(bytes, as: "\(name)-", place.name)).bytes)
    }
    let merged = folder.file("MERGED-", place.name)
    let status = try run(variables, hasBase: texts.base != nil)
    if status == 126 || status == 127 {
      let name = known.map { Array($0.program.utf8) } ?? command
      throw CommandFailure(
        .notPossible, "the merge tool can't be run:", path: name, advice: "install it, or name another with --tool")
    }
    guard status == 0 else { return nil }
    let bytes = try read(merged, of: place)
    if texts.leavesMarkers(in: bytes) {
      throw CommandFailure(
        .notPossible, bytes == start ? "the merge tool changed nothing in" : "the merge tool left conflict markers in",
        path: place.bytes, advice: "run it again, or choose with dver resolve")
    }
    if bytes == start, !(known?.isTrustedByStatus ?? false), try !isConfirmed(place) { return nil }
    return bytes
  }

  /// Reads what the program wrote: a file and nothing else, whatever it put in its place.
  private func read(_ merged: FilePath, of place: DocumentPath) throws -> [UInt8] {
    let advice = "run it again, or choose with dver resolve"
    do throws(SystemError) {
      if try FileStatus.of(merged).kind == .file {
        return try FileDescriptor.open(merged, .readOnly, options: [.noFollow, .nonBlocking]).readAll(limit: 1 << 30)
      }
    } catch {
      guard error.isNotFound else { throw error }
      throw CommandFailure(
        .notPossible, "the merge tool removed its result for", path: place.bytes, advice: advice)
    }
    throw CommandFailure(
      .notPossible, "the merge tool left no file as its result for", path: place.bytes, advice: advice)
  }

  private func run(_ variables: [[UInt8]], hasBase: Bool) throws -> Int32 {
    context.output.flush()
    let line = known.map { Array($0.command(hasBase: hasBase).utf8) } ?? command
    // `env` adds the variables to what this process has.
    let process = try ChildProcess.spawn(
      program: FilePath("env"), arguments: variables + [Array("sh".utf8), Array("-c".utf8), line],
      folder: context.folder, input: .inherited)
    return try process.wait().status
  }

  /// Whether somebody says that a file which the tool left as it was is the merge.
  ///
  /// - Throws: where nobody can be asked.
  private func isConfirmed(_ place: DocumentPath) throws -> Bool {
    guard context.surroundings.isTerminal(0) else {
      throw CommandFailure(
        .notPossible, "the merge tool changed nothing in", path: place.bytes,
        advice: "where the current version is meant, dver resolve --current says so")
    }
    while true {
      context.output.write(bytes: "\(TerminalText.path(place.bytes)) is as it was. Is it the merge? [y/n] ".utf8)
      context.output.flush()
      switch try context.surroundings.readLine()?.first {
      case UInt8(ascii: "y"), UInt8(ascii: "Y"): return true
      case UInt8(ascii: "n"), UInt8(ascii: "N"), nil: return false
      default: continue
      }
    }
  }
}

/// A folder for files that a program which is started works on; nobody else can look into it.
struct ScratchFolder {
  let path: FilePath

  init(_ context: CommandContext) throws {
    let parent = context.surroundings.environment("TMPDIR").flatMap { FilePath(bytes: $0) } ?? FilePath("/tmp")
    path = parent.appending("dver-merge-" + String(UInt64.random(in: 0...UInt64.max), radix: 36))
    try FileSystem.makeFolder(at: path, permissions: 0o700)
  }

  /// Where the file of a role and a document's name is.
  ///
  /// Of a long name the beginning is left out: its end tells programs what it is.
  func file(_ role: String, _ name: [UInt8]) -> FilePath {
    var end = name[...]
    if role.utf8.count + end.count > Self.longestName {
      end = end.suffix(Self.longestName - role.utf8.count)
      // Not from inside a character, where it is UTF-8.
      end = end.drop { $0 & 0xC0 == 0x80 }
    }
    return path.appending(Array(role.utf8) + end)
  }

  /// What every volume allows for one name, in bytes.
  private static let longestName = 143

  func write(_ bytes: [UInt8], as role: String, _ name: [UInt8]) throws -> FilePath {
    let place = file(role, name)
    try AtomicFile.write(bytes, to: place, isDurable: false)
    return place
  }

  func remove() { try? FileSystem.removeTree(at: path) }
}
