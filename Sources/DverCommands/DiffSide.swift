import SystemIO
import VersionStore
import Versioning

/// One of the two states that a diff compares.
struct DiffSide {
  /// Content beyond this many bytes is not compared by lines.
  static let limit: UInt64 = 1 << 28

  /// The document's path.
  let path: DocumentPath
  /// What people call it: the path, with `@` and the version's id where it is no file on disk.
  let name: String
  /// `nil` for the file on disk.
  let version: Version?
  /// `nil` where there is nothing: a deletion, a missing file.
  let kind: VersionKind?
  let mode: UInt16
  let size: UInt64
  /// `nil` where the content is too large, or no sequence of bytes.
  let bytes: [UInt8]?

  /// A version's state.
  init(_ version: Version, at path: DocumentPath, in repository: Repository) throws {
    let record = version.record
    self.path = path
    self.version = version
    name = "\(TerminalText.path(path.bytes))@\(version.id.shortText)"
    kind = record.isDeletion ? nil : record.kind
    mode = record.mode
    size = record.size
    if record.content != nil, record.kind != .package, record.size <= Self.limit {
      bytes = try repository.content(of: version, at: path)
    } else {
      bytes = record.isDeletion ? [] : nil
    }
  }

  /// The file on disk.
  init(fileAt path: DocumentPath, in repository: Repository) throws {
    self.path = path
    version = nil
    name = TerminalText.path(path.bytes)
    let file = try DiskFile(path, in: repository.root)
    kind = file.kind
    mode = file.mode
    size = file.size
    bytes = file.bytes
  }

  /// As the two first lines of a diff have it.
  func label(_ side: String) -> [UInt8] {
    kind == nil ? Array("/dev/null".utf8) : Array("\(side)/".utf8) + path.bytes
  }
}

/// What is on disk at a document's path, reached without following a link.
private struct DiskFile {
  var kind: VersionKind?
  var mode: UInt16 = 0
  var size: UInt64 = 0
  var bytes: [UInt8]? = []

  init(_ path: DocumentPath, in root: FilePath) throws {
    do { try read(path, in: Self.folder(of: path, in: root)) } catch let error as SystemError where error.isNotFound {}
  }

  private mutating func read(_ path: DocumentPath, in folder: borrowing FileDescriptor) throws {
    let status = try folder.status(of: path.name)
    mode = status.permissions
    size = status.size
    switch status.kind {
    case .file:
      kind = .file
      guard size <= DiffSide.limit else {
        bytes = nil
        return
      }
      let file = try folder.open(path.name, .readOnly, options: [.noFollow, .nonBlocking])
      let content = try file.readAll(limit: Int(DiffSide.limit) * 2)
      size = UInt64(content.count)
      bytes = content
    case .symbolicLink:
      kind = .symbolicLink
      mode = 0o777
      bytes = try folder.readLink(path.name)
    case .folder:
      kind = .package
      bytes = nil
    default:
      throw CommandFailure(Refusal.unreachable(path))
    }
  }

  private static func folder(of path: DocumentPath, in root: FilePath) throws(SystemError) -> FileDescriptor {
    var folder = try FileDescriptor.open(root, .readOnly, options: .directory)
    for name in path.components.dropLast() {
      folder = try folder.open(name, .readOnly, options: [.directory, .noFollow])
    }
    return folder
  }
}
