import CSystem
import Glibc

/// The names in a folder, ascending by their bytes: for walks over many folders, with one piece of memory for all of them.
///
/// Used by one thread at a time.
public final class FolderListing {
  private struct Place {
    /// The first eight bytes of the name as a big-endian number: it decides nearly every comparison.
    let key: UInt64
    let start: Int
    let byteCount: Int
    let type: UInt8
  }

  /// Each name is followed by a zero byte.
  private var names: UnsafeMutableRawBufferPointer
  private var usedByteCount = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 8)
  private var places: [Place] = []

  public init() {
    names = .allocate(byteCount: 32 << 10, alignment: 8)
  }

  deinit {
    names.deallocate()
    buffer.deallocate()
  }

  public var count: Int { places.count }

  /// A name, with a zero byte behind it in memory; valid until another folder is read.
  public func name(at index: Int) -> UnsafeRawBufferPointer {
    let place = places[index]
    return UnsafeRawBufferPointer(rebasing: names[place.start..<place.start + place.byteCount])
  }

  /// `nil` where the file system does not tell without another call.
  public func kind(at index: Int) -> FileKind? { FileKind(entryType: places[index].type) }

  /// Where a name is.
  public func index(of name: [UInt8]) -> Int? {
    var range = 0..<count
    while let first = range.first {
      let middle = first + range.count / 2
      let order = name.withUnsafeBytes { Self.order($0, self.name(at: middle)) }
      if order == 0 { return middle }
      range = order < 0 ? first..<middle : middle + 1..<range.upperBound
    }
    return nil
  }

  /// How two names order by their bytes: below, at or above zero.
  public static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = memcmp(first, second, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Reads a folder that was just opened; what was read before is forgotten.
  public func read(_ folder: borrowing FileDescriptor) throws(SystemError) {
    usedByteCount = 0
    places.removeAll(keepingCapacity: true)
    let fd = folder.rawValue
    while true {
      let count = try call("readdir", folder.path) {
        Int(csystem_read_folder(fd, buffer.baseAddress, buffer.count))
      }
      if count == 0 { break }
      add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    let start = UnsafeRawPointer(names.baseAddress)
    places.sort { left, right in
      if left.key != right.key { return left.key < right.key }
      guard let start else { return false }
      return Self.order(
        UnsafeRawBufferPointer(start: start + left.start, count: left.byteCount),
        UnsafeRawBufferPointer(start: start + right.start, count: right.byteCount)) < 0
    }
  }

  /// Takes over entries as the kernel gives them: `u64` inode, `u64` offset, `u16` length of the entry, `u8` type, the name and a
  /// zero byte.
  private func add(_ entries: UnsafeRawBufferPointer) {
    var place = 0
    while place + 19 < entries.count {
      let length = Int(entries.loadUnaligned(fromByteOffset: place + 16, as: UInt16.self))
      guard length > 19, place + length <= entries.count else { return }
      let field = entries[place + 19..<place + length]
      let name = UnsafeRawBufferPointer(rebasing: field[..<(field.firstIndex(of: 0) ?? field.endIndex)])
      let type = entries[place + 18]
      place += length
      if name.count <= 2 && name.allSatisfy({ $0 == .dot }) { continue }
      append(name, type)
    }
  }

  private func append(_ name: UnsafeRawBufferPointer, _ type: UInt8) {
    let needed = usedByteCount + name.count + 1
    if needed > names.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, names.count * 2), alignment: 8)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: names[..<usedByteCount]))
      names.deallocate()
      names = larger
    }
    var key: UInt64 = 0
    for index in 0..<8 { key = key << 8 | (index < name.count ? UInt64(name[index]) : 0) }
    UnsafeMutableRawBufferPointer(rebasing: names[usedByteCount..<needed - 1]).copyMemory(from: name)
    names[needed - 1] = 0
    places.append(Place(key: key, start: usedByteCount, byteCount: name.count, type: type))
    usedByteCount = needed
  }
}

extension FileDescriptor {
  /// What is known of a name in this folder. No link is followed.
  ///
  /// - Parameter name: behind it in memory there must be a zero byte; it is not looked at for slashes.
  public func status(ofTerminated name: UnsafeRawBufferPointer) throws(SystemError) -> FileStatus {
    var status = stat()
    try call("fstatat", pathOf(Array(name))) {
      guard let start = name.baseAddress else {
        errno = EINVAL
        return -1
      }
      return Int(fstatat(rawValue, start.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW))
    }
    return FileStatus(status)
  }
}
