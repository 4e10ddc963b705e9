import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

/// Makes versions of a document from copies that somebody kept.
struct ImportHistoryCommand: Command {
  static let usage = CommandUsage(
    "import-history", operands: [.required("DIR", .folders), .required("PATH", .files)],
    abstract: "Make the files of a folder the versions of one document",
    options: [
      MessageOption.usage, OptionUsage("--by-time", help: "Take them by their modification times, not their names"),
    ],
    details: [
      "Each file in DIR becomes a version of PATH, dated by the file's modification time, in the order of their names; what is"
        + " in folders below is left alone. They follow what PATH has already, and the last one is put into the working file."
        + " DIR isn't changed.",
      "Where it is interrupted, what it made stays, and the same command goes on with the next file.",
    ],
    examples: [
      CommandExample("dver import-history ~/thesis-copies thesis.odt --by-time", "One document from many dated copies.")
    ])

  let folder: [UInt8]
  let path: [UInt8]
  let message: [UInt8]
  let isByTime: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let operands = try PathOperand.list(of: arguments)
    (folder, path) = (operands[0], operands[1])
    message = try MessageOption.value(arguments)
    isByTime = arguments.contains("--by-time")
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.writing)
    let path = try context.document(path, in: repository)
    guard let folder = context.filePath(folder) else { throw CommandFailure(.noFile, "no path:", path: folder) }
    let files = try Self.files(in: folder, byTime: isByTime)
    if files.isEmpty { throw CommandFailure(.noFile, "no file is in", path: folder.bytes, advice: "check the path") }
    let bar = context.progressBar("importing", unit: .items)
    let report = try repository.importHistory(files, at: path, message: message) { done in
      bar.update(done: UInt64(done), of: UInt64(files.count))
      return Interruption.isRequested
    }
    bar.finish()
    if context.output.isJSON {
      try VersionWriter(repository, context.output).writeMade(report.made, verb: "imported")
    } else {
      let versions = report.made.count == 1 ? "1 version" : "\(report.made.count) versions"
      context.output.write(line: "imported \(versions) of \(TerminalText.path(path.bytes))")
    }
    if report.passedOverCount > 0 {
      context.output.status("the first \(report.passedOverCount) of \(files.count) files were versions already")
    }
    if report.takenCount == files.count { return .done }
    throw CommandFailure(
      .interrupted, "interrupted after \(report.takenCount) of \(files.count) files",
      advice: "the same command goes on; dver undo takes back what it made")
  }

  /// The files in a folder, links to files among them; by their names' bytes, or by time and then by name.
  private static func files(in folder: FilePath, byTime: Bool) throws -> [FilePath] {
    var found: [(file: FilePath, status: FileStatus)] = []
    for entry in try FileSystem.list(folder).sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      let file = folder.appending(entry.name)
      let status = try FileStatus.of(file, followingLinks: true)
      if status.kind == .file { found.append((file, status)) }
    }
    // Sorting keeps what is equal in its order only by the number beside it.
    if !byTime { return found.map(\.file) }
    return found.enumerated().sorted { left, right in
      let (first, second) = (left.element.status, right.element.status)
      return (first.modificationSeconds, first.modificationNanoseconds, left.offset)
        < (second.modificationSeconds, second.modificationNanoseconds, right.offset)
    }.map(\.element.file)
  }
}
