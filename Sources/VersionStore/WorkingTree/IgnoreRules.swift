import SystemIO
import Versioning

/// Which files are no documents: the patterns of `.dverignore` files on the way from the root, the last match counts.
///
/// Left out always: `.dver`, unfinished files of dver's own. Left out unless a pattern takes them back in: `.git`, `.hg` and
/// `.svn`, whose files only make sense together, and the files by which office programs say that somebody has a document open.
struct IgnoreRules {
  static let fileName = Array(".dverignore".utf8)
  private static let largestFile = 1 << 20

  /// The patterns of one folder and where its path ends, in bytes with the slash.
  private struct Level {
    let start: Int
    let patterns: [IgnorePattern]
  }

  private var levels: [Level] = []

  init() {
    let preset = [
      ".git/", ".hg/", ".svn/", ".~lock.*#", "~$*.doc", "~$*.docx", "~$*.docm", "~$*.xls", "~$*.xlsx", "~$*.xlsm",
      "~$*.ppt",
      "~$*.pptx", "~$*.pptm",
    ].compactMap { IgnorePattern(line: Array($0.utf8)) }
    levels = [Level(start: 0, patterns: preset)]
  }

  /// The rules inside a folder: these, and those of its own file.
  func entering(_ folder: [UInt8], _ open: borrowing FileDescriptor) -> IgnoreRules {
    guard let file = try? open.open(Self.fileName, .readOnly, options: [.noFollow, .nonBlocking]),
      let status = try? file.status(), status.kind == .file,
      let text = try? file.readAll(limit: Self.largestFile)
    else { return self }
    var rules = self
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = text.dropFirst(text.starts(with: mark) ? mark.count : 0).split(separator: UInt8(ascii: "\n"))
    rules.levels.append(
      Level(start: folder.isEmpty ? 0 : folder.count + 1, patterns: lines.compactMap { IgnorePattern(line: $0) }))
    return rules
  }

  /// Whether a name in a folder that is not ignored is left out.
  func ignores(_ name: UnsafeRawBufferPointer, in folder: [UInt8], isFolder: Bool) -> Bool {
    // What is left out by itself is a folder, or begins with one of two characters: most names need no path.
    let mayBePreset = isFolder || name.first == UInt8(ascii: ".") || name.first == UInt8(ascii: "~")
    if levels.count == 1 && !mayBePreset { return false }
    return ignores(folder + (folder.isEmpty ? [] : [UInt8(ascii: "/")]) + Array(name), isFolder: isFolder)
  }

  /// Whether a path, whose folder is not ignored, is left out.
  func ignores(_ path: [UInt8], isFolder: Bool) -> Bool {
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    if name.elementsEqual(RepositoryLayout.storeName) || name.starts(with: RepositoryLayout.temporaryPrefix) {
      return true
    }
    for level in levels.reversed() {
      for pattern in level.patterns.reversed() where pattern.matches(path[level.start...], isFolder: isFolder) {
        return !pattern.isNegated
      }
    }
    return false
  }
}
