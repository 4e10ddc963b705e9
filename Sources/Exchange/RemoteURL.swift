public import SystemIO

/// The place of a remote as a person writes it.
public enum RemoteURL: Hashable, Sendable {
  /// A folder: of its own, a store (`.dver`), or one that holds a store. Relative to the repository's root unless absolute.
  case folder(FilePath)

  /// Reads a path, or `file://` and an absolute percent-escaped path.
  ///
  /// - Throws: `.invalidURL`; `.notYet` for other kinds of remotes.
  public init(_ text: [UInt8]) throws(ExchangeError) {
    let printable = FilePath.printable(text)
    guard let scheme = Self.scheme(of: text) else {
      guard let path = FilePath(bytes: text) else { throw .invalidURL(printable) }
      self = .folder(path)
      return
    }
    guard scheme == "file" else { throw .notYet(scheme: scheme) }
    let rest = text.dropFirst("file://".utf8.count)
    guard let start = rest.firstIndex(of: UInt8(ascii: "/")),
      rest[..<start].isEmpty || rest[..<start].elementsEqual("localhost".utf8),
      let bytes = Self.unescaped(rest[start...]), let path = FilePath(bytes: bytes)
    else { throw .invalidURL(printable) }
    self = .folder(path)
  }

  /// Opens the remote; whether something is there, it says when it is asked.
  ///
  /// - Parameter root: an absolute folder that a relative path starts from.
  public func open(from root: FilePath) -> any Remote {
    switch self {
    case .folder(let path): DirectoryRemote(path.isAbsolute ? path : root.appending(path.bytes))
    }
  }

  /// What the device remembers a remote by; see ``KnownRemotes``.
  ///
  /// - Parameter root: an absolute folder that a relative path starts from.
  public func key(from root: FilePath) -> [UInt8] {
    switch self {
    case .folder(let path): path.isAbsolute ? path.bytes : root.appending(path.bytes).bytes
    }
  }

  /// The letters before `://`, in lower case; at least two, so that no single letter is one.
  private static func scheme(of text: [UInt8]) -> String? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon >= 2,
      text[colon...].starts(with: "://".utf8)
    else { return nil }
    let scheme = String(decoding: text[..<colon], as: UTF8.self)
    guard
      scheme.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "+-.0123456789".contains(Character($0)))
      })
    else { return nil }
    return scheme.lowercased()
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var place = text.startIndex
    while place < text.endIndex {
      if text[place] == UInt8(ascii: "%") {
        guard place + 2 < text.endIndex, let high = text[place + 1].hexadecimalValue,
          let low = text[place + 2].hexadecimalValue
        else { return nil }
        bytes.append(high << 4 | low)
        place += 3
      } else {
        bytes.append(text[place])
        place += 1
      }
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
