import Catalog
import Hashing
import SystemIO
import Versioning

/// Finds documents that were renamed outside of dver: a file is missing, and a new one is the same or nearly.
///
/// A pair must be certain: the same inode with equal or similar content, or equal content that no other file has. Empty files
/// are all alike, so they are only paired by inode and time.
struct RenameSearch {
  private let repository: Repository
  private let missing: [FileRow]
  private let new: [TreeScan.Item]

  init(_ repository: Repository, missing: [FileRow], new: [TreeScan.Item]) {
    self.repository = repository
    // Whoever asks has them from tables without an order, and what is found must not depend on that.
    self.missing = missing.sorted { $0.path < $1.path }
    self.new = new.sorted { $0.path < $1.path }
  }

  func run() throws(RepositoryError) -> [(FileRow, DocumentPath)] {
    guard !missing.isEmpty, !new.isEmpty else { return [] }
    var pairs: [(FileRow, DocumentPath)] = []
    var rows = missing
    var items = new.filter { !$0.isPackage }
    func take(_ rowAt: Int, _ itemAt: Int) {
      pairs.append((rows[rowAt], items[itemAt].path))
      rows.remove(at: rowAt)
      items.remove(at: itemAt)
    }
    var contents: [DocumentPath: WorkingFile] = [:]
    let inodes = Set(rows.compactMap { $0.status?.inode })
    for item in items {
      guard var file = (try? repository.tree.read(item.path)) ?? nil else { continue }
      // Only what may be an edited file is compared by its text.
      if !inodes.contains(item.status.inode) { file.bytes = nil }
      contents[item.path] = file
    }
    // The same inode: a rename, an edit after it included. Hard links share theirs: the same name in another folder first.
    for keepsName in [true, false] {
      for row in rows {
        guard let status = row.status, let rowAt = rows.firstIndex(where: { $0.path == row.path }) else { continue }
        let itemAt = items.firstIndex { item in
          guard item.status.inode == status.inode, !keepsName || item.path.name == row.path.name,
            let file = contents[item.path], file.kind == row.kind
          else { return false }
          return isSame(row, file) || isSimilar(row, file)
        }
        if let itemAt { take(rowAt, itemAt) }
      }
    }
    // Equal content that is on one side and the other once.
    for row in rows {
      guard let content = row.content, content != Self.empty,
        rows.filter({ $0.content == content }).count == 1,
        let rowAt = rows.firstIndex(where: { $0.path == row.path })
      else { continue }
      let matches = items.indices.filter { place in
        contents[items[place].path].map { $0.content == content && $0.kind == row.kind } ?? false
      }
      if matches.count == 1, let itemAt = matches.first { take(rowAt, itemAt) }
    }
    return pairs
  }

  private static let empty = SHA256.hash([])

  /// Whether a file with a row's inode is that row's file: of an empty one the time must agree too.
  private func isSame(_ row: FileRow, _ file: WorkingFile) -> Bool {
    guard file.content == row.content else { return false }
    guard file.content == Self.empty, let status = row.status else { return true }
    return status.modificationSeconds == file.status.modificationSeconds
      && status.modificationNanoseconds == file.status.modificationNanoseconds
  }

  /// Whether at least half of the lines of the longer of two texts are in the other.
  private func isSimilar(_ row: FileRow, _ file: WorkingFile) -> Bool {
    guard let id = row.content, let new = file.bytes, !new.isEmpty,
      let old = try? repository.store.content(id, limit: 4 << 20), !old.isEmpty
    else { return false }
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for line in old.split(separator: UInt8(ascii: "\n")) { counts[line, default: 0] += line.count + 1 }
    var shared = 0
    for line in new.split(separator: UInt8(ascii: "\n")) {
      if let count = counts[line], count > 0 {
        shared += line.count + 1
        counts[line] = count - line.count - 1
      }
    }
    if shared * 2 >= max(old.count, new.count) { return true }
    // One long line that was added to.
    return min(old.count, new.count) * 2 >= max(old.count, new.count)
      && (new.starts(with: old) || old.starts(with: new))
  }
}
