import Hashing
public import SystemIO

extension ActivePackWriter {
  /// Creates an active pack in the folder `active`. It is durable when this returns.
  ///
  /// - Throws: a system error that ``SystemError/alreadyExists`` where there is one of that number.
  public static func create(
    folder: FilePath, device: [UInt8], number: UInt64
  ) throws(ObjectStoreError) -> ActivePackWriter {
    let path = folder.appending(String(number))
    let header = PackFormat.encode(PackHeader(isSealed: false, device: device))
    do throws(SystemError) {
      try AtomicFile.create(header, at: path)
      let file = try FileDescriptor.open(path, .readWrite, options: [.noFollow])
      return ActivePackWriter(
        name: .active(device: device, number: number), path: path, file: file, byteCount: UInt64(header.count))
    } catch {
      throw .system(error)
    }
  }

  /// Opens an active pack to go on with it. Only the holder of the lock may.
  ///
  /// A torn tail, or a header that was never whole, is copied to `tornFolder`, which is made where it is missing, and cut
  /// off, durably.
  ///
  /// - Parameter knownByteCount: the end of a committed group, or 0: what is before it is relied on and not read again; where the
  ///   file is shorter, the pack is damaged, not torn.
  /// - Throws: `damagedPack` where a commit entry follows something unreadable: nothing was changed, and the next pack
  ///   is begun.
  public static func open(
    folder: FilePath, device: [UInt8], number: UInt64, tornFolder: FilePath, knownByteCount: UInt64 = 0
  ) throws(ObjectStoreError) -> ActivePackWriter {
    let name = PackName.active(device: device, number: number)
    let path = folder.appending(String(number))
    if let writer = try openWhole(folder: folder, device: device, number: number, byteCount: knownByteCount) {
      return writer
    }
    let end = try committedEnd(path, name: name, from: knownByteCount)
    let header = PackFormat.encode(PackHeader(isSealed: false, device: device))
    guard (end ?? 0) >= knownByteCount else {
      throw .damagedPack(name, offset: end ?? 0, reason: .truncated)
    }
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, .readWrite, options: [.noFollow])
      let size = try file.status().size
      let kept = end ?? 0
      if size > kept || end == nil {
        try copyTail(of: file, from: kept, to: size, number: number, tornFolder: tornFolder)
        try file.truncate(to: kept)
        if end == nil { try file.write(header, at: 0) }
        try file.synchronizeData()
        try FileSystem.synchronizeFolder(at: folder)
      }
      return ActivePackWriter(name: name, path: path, file: file, byteCount: end ?? UInt64(header.count))
    } catch {
      throw .system(error)
    }
  }

  /// Opens an active pack that ends where it is known to, without reading it; `nil` where it ends elsewhere.
  ///
  /// - Parameter byteCount: the end of a committed group. With 0 the answer is `nil`.
  public static func openWhole(
    folder: FilePath, device: [UInt8], number: UInt64, byteCount: UInt64
  ) throws(ObjectStoreError) -> ActivePackWriter? {
    guard byteCount > 0 else { return nil }
    let name = PackName.active(device: device, number: number)
    let path = folder.appending(String(number))
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, .readWrite, options: [.noFollow])
      guard try file.status().size == byteCount else { return nil }
      return ActivePackWriter(name: name, path: path, file: file, byteCount: byteCount)
    } catch { throw .system(error) }
  }

  /// Where the last commit entry ends, or the header; `nil` where not even that is whole, and nothing follows it.
  private static func committedEnd(
    _ path: FilePath, name: PackName, from known: UInt64
  ) throws(ObjectStoreError) -> UInt64? {
    let pack: PackFile
    do throws(ObjectStoreError) {
      pack = try PackFile.open(path, name: name)
    } catch .damagedPack(let name, let offset, let reason) {
      guard reason != .inconsistent else { throw .damagedPack(name, offset: offset, reason: reason) }
      let bytes: MappedFile
      do throws(SystemError) { bytes = try MappedFile.map(path) } catch { throw .system(error) }
      guard PackFormat.commitEntry(in: bytes.bytes, from: 0) == nil else {
        throw .damagedPack(name, offset: offset, reason: reason)
      }
      return nil
    }
    let start = known <= pack.byteCount ? known : 0
    let end = pack.forEachCommittedGroup(from: start) { _, _, _ in }
    if case .damaged(let offset, let reason) = pack.tail(from: end) {
      throw .damagedPack(name, offset: offset, reason: reason)
    }
    return end
  }

  private static func copyTail(
    of file: borrowing FileDescriptor, from start: UInt64, to end: UInt64, number: UInt64, tornFolder: FilePath
  ) throws(SystemError) {
    guard start < end else { return }
    for made in try FileSystem.makeFolders(at: tornFolder) { try FileSystem.synchronizeFolder(at: made.parent) }
    let copy = try StagedFile(in: tornFolder)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    var offset = start
    while offset < end {
      let count = try file.read(into: piece, at: offset)
      guard count > 0 else { break }
      try copy.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += UInt64(count)
    }
    // The digest keeps two different tails at one place apart, and makes one of the same tail.
    try copy.publish(as: tornFolder.appending("\(number)-\(start)-\(copy.digest.hexadecimal.prefix(16))"))
  }
}
