public import SystemIO
public import Versioning

/// Where things lie in a store.
///
/// Source: docs/format.md, "The store and the remote's tree".
public struct RepositoryLayout: Sendable {
  /// The name of the store's folder at the root of a repository.
  public static let storeName = Array(".dver".utf8)
  /// The names of unfinished files begin so, wherever they are; they are cleared by the next holder of the lock.
  public static let temporaryPrefix = Array(".dver-tmp-".utf8)
  /// What the marker of a store or remote holds.
  public static let marker = Array("dver-remote 1\n".utf8)

  /// The folder of documents.
  public let root: FilePath
  /// The store.
  public let store: FilePath

  public init(root: FilePath) {
    self.root = root
    store = root.appending(Self.storeName)
  }

  public var markerFile: FilePath { store.appending("dver-remote") }
  public var packs: FilePath { store.appending("packs") }
  public var logs: FilePath { store.appending("log") }
  public var privateFolders: FilePath { store.appending("private") }

  public func privateFolder(of device: DeviceID) -> FilePath { privateFolders.appending(device.hexadecimal) }

  public func log(of device: DeviceID) -> FilePath { logs.appending(device.hexadecimal) }

  /// The repository that a folder lies in: the nearest one upwards with a store.
  public static func find(from folder: FilePath) -> RepositoryLayout? {
    var place = folder
    while true {
      let layout = RepositoryLayout(root: place)
      if let status = try? FileStatus.of(layout.markerFile), status.kind == .file { return layout }
      let parent = place.parent
      if parent == place || !place.isAbsolute { return nil }
      place = parent
    }
  }

  /// The document's path that a path given by a person means.
  ///
  /// - Parameters:
  ///   - given: absolute, or relative to `folder`; `.` and `..` are understood.
  ///   - folder: an absolute folder without links.
  /// - Returns: `nil` for the repository's root itself.
  /// - Throws: `.outside` where it lies outside of the repository or inside of its store.
  public func documentPath(_ given: [UInt8], from folder: FilePath) throws(RepositoryError) -> DocumentPath? {
    let slash = UInt8(ascii: "/")
    let whole = given.first == slash ? given : folder.bytes + [slash] + given
    var components: [ArraySlice<UInt8>] = []
    for component in whole.split(separator: slash) where !component.elementsEqual([UInt8(ascii: ".")]) {
      if component.elementsEqual(Array("..".utf8)) {
        _ = components.popLast()
      } else {
        components.append(component)
      }
    }
    let rootComponents = root.bytes.split(separator: slash)
    guard components.starts(with: rootComponents, by: { $0.elementsEqual($1) }) else { throw .outside(given) }
    let rest = components.dropFirst(rootComponents.count)
    guard let first = rest.first else { return nil }
    guard !first.elementsEqual(RepositoryLayout.storeName),
      let path = DocumentPath(Array(rest.joined(separator: [slash])))
    else { throw .outside(given) }
    return path
  }
}

/// Where things lie in the private folder of a device.
///
/// Source: docs/format.md, "The private folder".
public struct PrivateLayout: Sendable {
  public let folder: FilePath

  public init(_ folder: FilePath) {
    self.folder = folder
  }

  public var binding: FilePath { folder.appending("binding") }
  public var lock: FilePath { folder.appending("lock") }
  public var active: FilePath { folder.appending("active") }
  /// What the last saves left for the next ones.
  public var recent: FilePath { folder.appending("recent") }
  public var catalog: FilePath { folder.appending("catalog.sqlite") }
  /// How the working files looked: a cache that goes with the catalog.
  public var treeIndex: FilePath { folder.appending("tree-index") }
  public var remotes: FilePath { folder.appending("remotes") }
  public var settings: FilePath { folder.appending("settings") }
  public var torn: FilePath { folder.appending("torn") }
  public var displaced: FilePath { folder.appending("displaced") }
  /// What is on its way in from a remote.
  public var incoming: FilePath { folder.appending("incoming") }
  /// Held for a whole exchange; ``lock`` only for its steps.
  public var exchangeLock: FilePath { folder.appending("exchange-lock") }
  /// The places that were synchronised with.
  public var knownRemotes: FilePath { folder.appending("known-remotes") }

  public func activePack(_ number: UInt64) -> FilePath { active.appending("\(number)") }
}
