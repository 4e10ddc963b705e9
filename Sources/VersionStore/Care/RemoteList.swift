import SystemIO

/// A remote by its name.
public struct RemoteEntry: Equatable, Sendable {
  public let name: [UInt8]
  public let url: [UInt8]

  public init(name: [UInt8], url: [UInt8]) {
    self.name = name
    self.url = url
  }
}

extension Repository {
  /// The remotes of this device, in the order in which they were added.
  public func remotes() throws(RepositoryError) -> [RemoteEntry] {
    guard let file = store.privateLayout?.remotes else { return [] }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try FileSystem.read(file, limit: 1 << 20) } catch {
      if error.isNotFound { return [] }
      throw .system(error)
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: " "))
      guard parts.count == 2, let name = PercentEscaping.decode(Array(parts[0])),
        let url = PercentEscaping.decode(Array(parts[1]))
      else { return nil }
      return RemoteEntry(name: name, url: url)
    }
  }

  /// Replaces the list of remotes, durably.
  public func setRemotes(_ remotes: [RemoteEntry]) throws(RepositoryError) {
    try store.withLock { () throws(RepositoryError) in
      guard let folder = store.privateLayout else { throw .readOnly(root) }
      var text: [UInt8] = []
      for remote in remotes {
        text += PercentEscaping.encode(remote.name) + [UInt8(ascii: " ")] + PercentEscaping.encode(remote.url)
        text.append(UInt8(ascii: "\n"))
      }
      do throws(SystemError) { try AtomicFile.write(text, to: folder.remotes) } catch {
        throw RepositoryError(error, writingTo: folder.remotes)
      }
    }
  }
}
