import SystemIO
import Versioning

/// An index with what a walk has met of it.
///
/// Walks of several threads note entries of different folders, each folder by one thread.
final class KnownTree: @unchecked Sendable {
  // Unchecked: no two threads touch the same mark.
  private enum Mark: UInt8 {
    case open
    /// Met, and unchanged.
    case unchanged
    /// The index doesn't count here.
    case touched
  }

  let index: TreeIndex
  private let marks: UnsafeMutableBufferPointer<UInt8>

  init(_ index: TreeIndex) {
    self.index = index
    marks = .allocate(capacity: max(index.entryCount, 1))
    marks.initialize(repeating: Mark.open.rawValue)
    for path in index.touched {
      if let entry = index.entry(of: path) { marks[entry] = Mark.touched.rawValue }
    }
  }

  deinit {
    marks.deallocate()
  }

  /// Whether a file of this status is unchanged; notes that it was met if so.
  func meets(_ entry: Int, _ status: FileStatus) -> Bool {
    guard marks[entry] != Mark.touched.rawValue, index.entry(entry).isUnchanged(status) else { return false }
    marks[entry] = Mark.unchanged.rawValue
    return true
  }

  /// The paths at or below a folder of which more has to be looked up to compare working files: all but those met unchanged.
  func unmet(below folder: DocumentPath?) -> [DocumentPath] {
    paths(below: folder) { marks[$0] == Mark.open.rawValue && index.facts(ofEntry: $0).contains(.hasFile) }
  }

  /// The paths below a folder whose documents need attention, or may.
  func unsettled(below folder: DocumentPath?) -> [DocumentPath] {
    paths(below: folder) {
      marks[$0] != Mark.touched.rawValue && !index.facts(ofEntry: $0).contains(.isSettled)
    }
  }

  /// Those of which a condition holds, and all that were touched.
  private func paths(below folder: DocumentPath?, where fits: (Int) -> Bool) -> [DocumentPath] {
    var paths = index.touched.filter { folder?.isAncestor(of: $0) ?? true }
    index.forEachFolder(at: folder) { path, folder in
      for entry in folder.entries where fits(entry) {
        let name = index.name(ofEntry: entry)
        if let path = DocumentPath(Array(path) + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + Array(name)) {
          paths.append(path)
        }
      }
    }
    return paths
  }
}
