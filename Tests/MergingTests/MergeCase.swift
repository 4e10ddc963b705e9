import Glibc
import Merging

/// One folder of a corpus of merges. A version that is `nil` does not exist: the document was deleted, or is new.
struct MergeCase {
  let id: String
  /// The row of `cases.tsv`, by column.
  let row: [String: String]
  let base: [UInt8]?
  let ours: [UInt8]?
  let theirs: [UInt8]?
  let expected: [UInt8]?
  let alternative: [UInt8]?

  var verdict: String { row["verdict"] ?? "" }

  /// The number of conflicts that git counts, where the corpus says so.
  var conflictCount: Int? { row["conflicts"].flatMap { Int($0) } }

  /// All cases of a folder that are there; `nil` without a `cases.tsv`.
  static func all(in folder: String) -> [MergeCase]? {
    guard let table = read(folder + "/cases.tsv") else { return nil }
    let lines = String(decoding: table, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    }
    guard let names = lines.first else { return nil }
    return lines.dropFirst().compactMap { fields in
      let folder = folder + "/" + fields[0]
      guard access(folder, F_OK) == 0 else { return nil }
      return MergeCase(
        id: fields[0], row: Dictionary(uniqueKeysWithValues: zip(names, fields)),
        base: read(folder + "/base"), ours: read(folder + "/ours"), theirs: read(folder + "/theirs"),
        expected: read(folder + "/expected"), alternative: read(folder + "/alternative"))
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return content }
      content += buffer[..<count]
    }
  }
}

/// Where test data lies.
enum TestData {
  /// The folder of the package.
  static let package: String = {
    let components = #filePath.split(separator: "/").dropLast(3)
    return "/" + components.joined(separator: "/")
  }()

  /// A corpus outside of the package: where the variable says, else beside the package; `nil` if it is not there.
  static func corpus(_ name: String, variable: String) -> [MergeCase]? {
    corpusFolder(name, variable: variable)?.cases
  }

  /// The same and the folder it is in.
  static func corpusFolder(_ name: String, variable: String) -> (cases: [MergeCase], folder: String)? {
    let folder = getenv(variable).map { String(cString: $0) } ?? package + "/../shared/corpus/" + name
    return MergeCase.all(in: folder).map { ($0, folder) }
  }

  /// The small cases that the package holds.
  static var handmade: [MergeCase] {
    MergeCase.all(in: package + "/Tests/Fixtures/merge-handmade") ?? []
  }
}
