import SystemIO

/// The package's own files, as text.
struct SourceTree {
  /// A Swift file of one module.
  struct File {
    let module: String
    /// Relative to the package.
    let path: String
    let lines: [Substring]
    let imports: Set<String>

    var name: Substring { path.split(separator: "/").last ?? "" }
  }

  /// The files of `Sources/`, by path.
  let files: [File]
  /// The folders of `Sources/` without a Swift file.
  let cModules: Set<String>
  let architecture: String
  let package: String

  /// The tree that the tests were compiled from, read once.
  static let shared = Result { try SourceTree() }

  /// Reads the tree that this file was compiled from.
  init() throws {
    let here = FilePath(#filePath)
    let root = here.parent.parent.parent
    architecture = try Self.text(root.appending("docs/architecture.md"))
    package = try Self.text(root.appending("Package.swift"))
    var files: [File] = []
    var cModules: Set<String> = []
    for entry in try FileSystem.list(root.appending("Sources")) {
      let module = String(decoding: entry.name, as: UTF8.self)
      let found = try Self.swiftFiles(below: "Sources/\(module)", in: root).map { path in
        let lines = try Self.lines(root.appending(path))
        return File(module: module, path: path, lines: lines, imports: Set(lines.compactMap(importedModule)))
      }
      if found.isEmpty { cModules.insert(module) }
      files += found
    }
    self.files = files.sorted { $0.path < $1.path }
    self.cModules = cModules
  }

  private static func swiftFiles(below folder: String, in root: FilePath) throws -> [String] {
    var paths: [String] = []
    for entry in try FileSystem.list(root.appending(folder)) {
      let path = folder + "/" + String(decoding: entry.name, as: UTF8.self)
      if path.hasSuffix(".swift") {
        paths.append(path)
      } else if try FileStatus.of(root.appending(path)).kind == .folder {
        paths += try swiftFiles(below: path, in: root)
      }
    }
    return paths
  }

  private static func text(_ path: FilePath) throws -> String {
    String(decoding: try FileSystem.read(path, limit: 1 << 22), as: UTF8.self)
  }

  private static func lines(_ path: FilePath) throws -> [Substring] {
    var lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
