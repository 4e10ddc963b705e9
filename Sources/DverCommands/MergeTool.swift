import SystemIO
import VersionStore
import Versioning

/// Runs a program that merges two versions of a file.
struct MergeTool {
  private let command: [UInt8]
  private let context: CommandContext

  init(_ command: [UInt8], _ context: CommandContext) {
    self.command = command
    self.context = context
  }

  /// Hands out the versions as files, and takes what the program wrote.
  ///
  /// - Returns: the versions made, or `nil` where the program gave up.
  func run(at path: DocumentPath, in repository: Repository) throws -> [Version]? {
    let (current, base, other) = try repository.sides(of: path)
    let folder = try scratchFolder()
    defer { try? FileSystem.removeTree(at: folder) }
    var variables: [[UInt8]] = []
    for (name, version) in [("BASE", base), ("LOCAL", current), ("REMOTE", other)] {
      variables.append(try write(version, as: name, of: path, to: folder, in: repository))
    }
    let merged = folder.appending(Array("MERGED-".utf8) + path.name)
    try repository.export(current, at: path, to: merged)
    variables.append(Array("MERGED=".utf8) + merged.bytes)
    context.output.flush()
    // `env` adds the variables to what this process has.
    let process = try ChildProcess.spawn(
      program: FilePath("env"), arguments: variables + [Array("sh".utf8), Array("-c".utf8), command],
      folder: context.folder, input: .inherited)
    guard try process.wait().status == 0 else { return nil }
    return try repository.resolve(path, .merged(merged))
  }

  private func write(
    _ version: Version?, as name: String, of path: DocumentPath, to folder: FilePath, in repository: Repository
  ) throws -> [UInt8] {
    let place = folder.appending(Array("\(name)-".utf8) + path.name)
    if let version {
      try repository.export(version, at: path, to: place)
    } else {
      try AtomicFile.write([], to: place, isDurable: false)
    }
    return Array("\(name)=".utf8) + place.bytes
  }

  private func scratchFolder() throws -> FilePath {
    let parent = context.surroundings.environment("TMPDIR").flatMap { FilePath(bytes: $0) } ?? FilePath("/tmp")
    let folder = parent.appending("dver-merge-" + String(UInt64.random(in: 0...UInt64.max), radix: 36))
    try FileSystem.makeFolder(at: folder, permissions: 0o700)
    return folder
  }
}
