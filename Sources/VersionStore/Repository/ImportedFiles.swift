import Hashing
import SystemIO
import Versioning

/// What an import that ended early, or an earlier one of the same files, has already made versions of.
///
/// The versions of an import follow one another; a file is known by its bytes, permissions and modification time together. So the
/// same command goes on where it was interrupted, and again makes nothing.
struct ImportedFiles {
  /// The versions that imports made, up to the one that the next is made from, the oldest first.
  private var run: [Version] = []
  /// What they follow.
  private var before: Version?
  private var digests: [Int: ObjectID] = [:]
  private let files: [FilePath]

  init(_ files: [FilePath], upTo version: Version?, in store: Store) throws(RepositoryError) {
    self.files = files
    var next = version
    while let version = next {
      guard version.record.origin == .import, version.record.parents.count <= 1 else { break }
      run.append(version)
      next = try store.versions(version.record.parents).first
    }
    before = next
    run.reverse()
  }

  /// How many files, from the first on, are what the last versions were made of; 0 where it is not so. Reads these files.
  mutating func count() -> Int {
    for start in run.indices {
      if let count = count(from: start) { return count }
    }
    return 0
  }

  /// How many files the versions from a place to the last one were made of.
  private mutating func count(from start: Int) -> Int? {
    var place = start
    var taken = 0
    while taken < files.count {
      let previous = place > 0 ? run[place - 1] : before
      if place < run.count, isFile(taken, like: run[place], isMadeOf: true) {
        place += 1
      } else if !isFile(taken, like: previous) {
        break
      }
      taken += 1
    }
    return place == run.count && place > start ? taken : nil
  }

  /// Whether a file makes no version behind this one; `isMadeOf`: whether it is just what this one was made of.
  private mutating func isFile(_ number: Int, like version: Version?, isMadeOf: Bool = false) -> Bool {
    guard let record = version?.record, record.kind == .file,
      let status = try? FileStatus.of(files[number], followingLinks: true),
      record.mode == status.permissions, record.size == status.size,
      !isMadeOf || record.modificationTime == status.modificationTime
    else { return false }
    return digest(number) == record.content
  }

  /// `nil` where it can't be read: the import will say so.
  private mutating func digest(_ number: Int) -> ObjectID? {
    if let known = digests[number] { return known }
    let bytes = try? FileSystem.read(files[number], limit: HistoryImport.fileByteCountLimit)
    let digest = bytes.map { SHA256.hash($0) }
    digests[number] = digest
    return digest
  }
}
