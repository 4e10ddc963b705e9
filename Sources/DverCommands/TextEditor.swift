import SystemIO

/// The program with which somebody edits texts: that of `VISUAL`, else of `EDITOR`, else `vi`.
struct TextEditor {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Lets somebody edit a text.
  ///
  /// - Parameter name: the end of the name that the file has meanwhile.
  /// - Returns: `nil` where the program ended with another status than 0.
  func edit(_ text: [UInt8], named name: [UInt8]) throws -> [UInt8]? {
    let folder = try ScratchFolder(context)
    defer { folder.remove() }
    let file = try folder.write(text, as: "conflict-", name)
    let environment = context.surroundings.environment
    let given = [environment("VISUAL"), environment("EDITOR")].compactMap { $0 }.first { !$0.isEmpty }
    // A line for `sh`, as git takes it: it may have options.
    let line = (given ?? Array("vi".utf8)) + Array(" \"$@\"".utf8)
    let process = try ChildProcess.spawn(
      program: FilePath("sh"), arguments: [Array("-c".utf8), line, Array("sh".utf8), file.bytes],
      folder: context.folder, input: .inherited)
    guard try process.wait().status == 0 else { return nil }
    return try FileSystem.read(file, limit: 1 << 28)
  }
}
