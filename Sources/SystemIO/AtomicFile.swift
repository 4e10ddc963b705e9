import Glibc

/// Files that appear whole or not at all.
///
/// The bytes go to a file of a reserved name beside the target (``TemporaryName``), which then takes the target's name.
/// A crash leaves at most that file behind.
public enum AtomicFile {
  /// Replaces a file, or makes it. A symbolic link of that name is replaced, not followed.
  ///
  /// - Parameters:
  ///   - permissions: of the new file, less `umask`.
  ///   - isDurable: whether the bytes and the name are on stable storage when the call returns.
  /// - Throws: Nothing has changed then, except where the last call (`fsync` of the folder) failed: the file is there
  ///   but may be the old one after a power loss. The temporary file is removed as far as possible.
  public static func write(
    _ bytes: [UInt8], to path: FilePath, permissions: UInt16 = 0o644, isDurable: Bool = true
  ) throws(SystemError) {
    try place(bytes, at: path, permissions, isDurable) { (folder, temporary, name) throws(SystemError) in
      try folder.rename(temporary, to: name)
    }
  }

  /// Makes a file; `EEXIST` where the name is taken, and then nothing has changed. Otherwise like
  /// ``write(_:to:permissions:isDurable:)``.
  public static func create(
    _ bytes: [UInt8], at path: FilePath, permissions: UInt16 = 0o644, isDurable: Bool = true
  ) throws(SystemError) {
    try place(bytes, at: path, permissions, isDurable) { (folder, temporary, name) throws(SystemError) in
      do throws(SystemError) {
        try folder.rename(temporary, to: name, how: .noReplace)
      } catch  where error.isUnsupported {
        try folder.makeHardLink(name, to: temporary)
        // The file is there from now on; a second name that stays is litter, not a failure.
        try? folder.remove(temporary)
      }
    }
  }

  private static func place(
    _ bytes: [UInt8], at path: FilePath, _ permissions: UInt16, _ isDurable: Bool,
    _ takeName: (borrowing FileDescriptor, _ temporary: [UInt8], _ name: [UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    let name = path.lastComponent
    let folder = try FileDescriptor.open(path.parent, .readOnly, options: .directory)
    let temporary = TemporaryName.random()
    let file = try folder.open(
      temporary, .writeOnly, options: [.create, .exclusive, .noFollow], permissions: permissions)
    do throws(SystemError) {
      if !bytes.isEmpty { try file.write(bytes) }
      if isDurable { try file.synchronizeData() }
      try takeName(folder, temporary, name)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    guard isDurable else { return }
    do throws(SystemError) {
      try folder.synchronize()
    } catch  where error.isUnsupported {}
  }
}
