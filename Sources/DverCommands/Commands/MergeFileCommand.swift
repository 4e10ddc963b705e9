import ArgumentParsing
import Diffing
import Merging
import SystemIO

/// Merges three files outside any store, as git's merge-file does.
struct MergeFileCommand: Command {
  static let failureStatus: ExitStatus? = ExitStatus(rawValue: 255)

  static let usage = CommandUsage(
    "merge-file", operands: [.required("CURRENT", .files), .required("BASE", .files), .required("OTHER", .files)],
    abstract: "Merge three files as git merge-file does",
    options: [
      OptionUsage("-p", "--stdout", help: "Write the result to standard output, not to CURRENT"),
      OptionUsage("--marker-size", value: "N", help: "Make conflict markers of N characters, 7 without it"),
      OptionUsage("--diff3", help: "Show the base between the sides of a conflict"),
      OptionUsage("--zdiff3", help: "As --diff3, without lines that both sides begin or end with"),
      OptionUsage("--ours", help: "Take the side of CURRENT where both changed"),
      OptionUsage("--theirs", help: "Take the side of OTHER where both changed"),
      OptionUsage("--union", help: "Take both sides where both changed"),
      OptionUsage("-L", value: "LABEL", help: "Name CURRENT, then BASE, then OTHER in markers", repeats: true),
    ],
    details: [
      "What changed between BASE and OTHER is put into CURRENT. No store is needed. The exit status is the number of"
        + " conflicts, at most 127, or 255 on an error, for instance where a file is no text."
    ])

  private static let contentLimit = 1 << 30
  private static let markerSizes = 1...1000

  let files: [[UInt8]]
  let labels: [[UInt8]]
  let writesOutput: Bool
  let markerSize: Int
  let style: ConflictStyle
  private let favor: ConflictFavor?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    for (operand, name) in zip(arguments.operands, ["CURRENT", "BASE", "OTHER"]) {
      try PathOperand.check(operand, name: name)
    }
    files = arguments.operands
    let given = arguments.values("-L")
    if given.count > 3 { throw .other("option -L may be given three times at most") }
    labels = given + files[given.count...]
    writesOutput = arguments.contains("--stdout")
    markerSize = try arguments.number("--marker-size", in: Self.markerSizes) ?? ConflictMarkers.defaultSize
    try arguments.checkExclusive("--ours", "--theirs", "--union")
    favor =
      arguments.contains("--ours")
      ? .ours : arguments.contains("--theirs") ? .theirs : arguments.contains("--union") ? .union : nil
    style = arguments.contains("--zdiff3") ? .zdiff3 : arguments.contains("--diff3") ? .diff3 : .merge
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    var contents: [[UInt8]] = []
    for file in files {
      guard let path = context.filePath(file) else { return .usage }
      contents.append(try FileSystem.read(path, limit: Self.contentLimit))
    }
    guard let (merged, count) = merge(ours: contents[0], base: contents[1], theirs: contents[2]) else {
      let binary = zip(files, contents).first { BinaryDetection.isBinary($0.1) }
      throw CommandFailure(
        .notPossible, "not a text:", path: binary?.0, advice: "binary files can't be merged by lines")
    }
    if context.output.isJSON {
      context.output.write { json in
        json.member("conflicts", count)
        if writesOutput { json.text("content", merged) }
      }
    } else if writesOutput {
      context.output.write(bytes: merged)
    }
    if !writesOutput, merged != contents[0] { try replace(files[0], with: merged, context) }
    return ExitStatus(rawValue: Int32(min(count, 127)))
  }

  private func merge(ours: [UInt8], base: [UInt8], theirs: [UInt8]) -> (bytes: [UInt8], conflictCount: Int)? {
    guard let favor else {
      let names = ConflictLabels(ours: labels[0], base: labels[1], theirs: labels[2])
      return ConflictMarkers.render(
        base: base, ours: ours, theirs: theirs, labels: names, markerSize: markerSize, style: style
      ).map { ($0.bytes, $0.conflictCount) }
    }
    if case .clean(let bytes) = FieldMerge(base: base, ours: ours, theirs: theirs) { return (bytes, 0) }
    if [base, ours, theirs].contains(where: BinaryDetection.isBinary) { return nil }
    return (TextMerge(base: base, ours: ours, theirs: theirs).bytes(favoring: favor, in: style), 0)
  }

  /// Replaces a file whole; where it is a link, what it leads to.
  private func replace(_ file: [UInt8], with bytes: [UInt8], _ context: CommandContext) throws {
    guard let path = context.filePath(file) else { return }
    let place = try FileSystem.resolve(path)
    let permissions = try FileStatus.of(place).permissions
    try AtomicFile.write(bytes, to: place, permissions: permissions)
    try FileSystem.setPermissions(permissions, at: place)
  }
}
