import Glibc
import SystemIO

/// A temporary folder and what workloads do in it.
struct ScratchFolder {
  let path: FilePath

  /// Makes a new folder.
  init(below parent: String) throws(BenchmarkError) {
    path = FilePath(parent).appending("dver-benchmark-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
    try Self.checked { () throws(SystemError) in try FileSystem.makeFolder(at: path) }
  }

  private init(path: FilePath) {
    self.path = path
  }

  /// The path as an argument of a program.
  var argument: String { String(decoding: path.bytes, as: UTF8.self) }

  /// Makes a folder in this one.
  func folder(_ name: String) throws(BenchmarkError) -> ScratchFolder {
    let below = path.appending(name)
    _ = try Self.checked { () throws(SystemError) in try FileSystem.makeFolders(at: below) }
    return ScratchFolder(path: below)
  }

  /// Replaces a file as editors do, by rename; not synchronized, that is the measured program's task.
  func write(_ bytes: [UInt8], to name: String) throws(BenchmarkError) {
    try Self.checked { () throws(SystemError) in
      try AtomicFile.write(bytes, to: path.appending(name), isDurable: false)
    }
  }

  func read(_ name: String) throws(BenchmarkError) -> [UInt8] {
    try Self.checked { () throws(SystemError) in try FileSystem.read(path.appending(name), limit: 1 << 30) }
  }

  /// The names of the files with a suffix, in ascending order.
  func names(withSuffix suffix: String) throws(BenchmarkError) -> [String] {
    try Self.checked { () throws(SystemError) in try FileSystem.list(path) }
      .map { String(decoding: $0.name, as: UTF8.self) }
      .filter { $0.hasSuffix(suffix) }
      .sorted()
  }

  /// The lengths of all files below a folder whose path from here holds one of the names given; of all where none is.
  func byteCount(below name: String, in parts: [String] = []) throws(BenchmarkError) -> Int64 {
    let folder = path.appending(name)
    var total: Int64 = 0
    for entry in try Self.checked({ () throws(SystemError) in try FileSystem.list(folder) }) {
      let entryName = String(decoding: entry.name, as: UTF8.self)
      let status = try Self.checked { () throws(SystemError) in try FileStatus.of(folder.appending(entry.name)) }
      if status.kind == .folder {
        total += try byteCount(below: name + "/" + entryName, in: parts.contains(entryName) ? [] : parts)
      } else if parts.isEmpty {
        total += Int64(clamping: status.size)
      }
    }
    return total
  }

  /// Removes the folder and everything in it; what can't be removed stays.
  func remove() {
    try? FileSystem.removeTree(at: path)
  }

  static func exists(_ path: String) -> Bool {
    (try? FileStatus.of(FilePath(path), followingLinks: true)) != nil
  }

  private static func checked<R>(_ body: () throws(SystemError) -> R) throws(BenchmarkError) -> R {
    do {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
