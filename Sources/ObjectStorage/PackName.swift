import Hashing
public import SystemIO

/// Which pack: a sealed one by its hash, an active one by its device and number.
public enum PackName: Hashable, Sendable {
  case sealed(PackID)
  /// `device` has 16 bytes.
  case active(device: [UInt8], number: UInt64)

  public var isSealed: Bool {
    if case .sealed = self { true } else { false }
  }

  /// The pack's place below the folder of a store (`.dver`).
  ///
  /// Source: docs/format.md, "The store and the remote's tree".
  public func path(inStore folder: FilePath) -> FilePath {
    switch self {
    case .sealed(let id): id.path(inPacks: folder.appending("packs"))
    case .active(let device, let number):
      folder.appending("private").appending(Hexadecimal.encode(device)).appending("active").appending(String(number))
    }
  }
}

extension PackID {
  /// The pack's place below the folder `packs`.
  public func path(inPacks folder: FilePath) -> FilePath {
    let name = digest.hexadecimal
    return folder.appending(String(name.prefix(2))).appending(name)
  }
}

extension PackName: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sealed(let id): "pack \(id)"
    case .active(let device, let number): "active pack \(number) of device \(Hexadecimal.encode(device))"
    }
  }
}
