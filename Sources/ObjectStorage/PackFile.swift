public import Hashing
public import SystemIO

/// A pack whose bytes are mapped, for reading; active or sealed.
///
/// It sees the file as long as it was when it was opened: a pack that grows is opened again (``reopened()``), which
/// costs three system calls. A file that somebody shortens under it ends the process (SIGBUS): only the writer of an
/// active pack
/// shortens one, and only behind the last commit entry.
///
/// Nothing that a pack says is believed: every entry's checksum, every length and every reference is checked on
/// reading.
public final class PackFile: Sendable {
  public let name: PackName
  public let path: FilePath
  public let header: PackHeader
  let footer: PackFooter?
  private let mapping: MappedFile

  private init(name: PackName, path: FilePath, header: PackHeader, footer: PackFooter?, mapping: MappedFile) {
    self.name = name
    self.path = path
    self.header = header
    self.footer = footer
    self.mapping = mapping
  }

  /// Opens a pack and checks its header and footer; whether a sealed pack hashes to its name is ``hasItsName()``'s
  /// business.
  ///
  /// - Parameter knownByteCount: what is relied on: a shorter file is damaged.
  public static func open(
    _ path: FilePath, name: PackName, knownByteCount: UInt64? = nil
  ) throws(ObjectStoreError) -> PackFile {
    let mapping = try map(path, name: name)
    let bytes = mapping.bytes
    if let known = knownByteCount, UInt64(bytes.count) < known {
      throw .damagedPack(name, offset: UInt64(bytes.count), reason: .truncated)
    }
    let header: PackHeader
    var footer: PackFooter?
    do throws(PackFormatError) {
      header = try PackFormat.decodeHeader(in: bytes)
      guard header.isSealed == name.isSealed else { throw .inconsistent }
      if case .active(let device, _) = name, device != header.device { throw .inconsistent }
      if header.isSealed {
        footer = try PackFormat.decodeFooter(
          in: bytes, headerByteCount: header.byteCount, version: header.version)
      }
    } catch .unsupportedFormat(let version) {
      throw .unsupportedFormat(version: version)
    } catch {
      throw .damagedPack(name, offset: 0, reason: error)
    }
    return PackFile(name: name, path: path, header: header, footer: footer, mapping: mapping)
  }

  private static func map(_ path: FilePath, name: PackName) throws(ObjectStoreError) -> MappedFile {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking])
      let status = try file.status()
      if status.kind == .file, status.size <= PackFormat.maximumByteCount {
        return try MappedFile(file, byteCount: Int(status.size))
      }
    } catch {
      throw .system(error)
    }
    throw .damagedPack(name, offset: 0, reason: .notAPack)
  }

  /// The same pack as it is now.
  public func reopened() throws(ObjectStoreError) -> PackFile {
    try Self.open(path, name: name)
  }

  /// Lets go of the memory of what was read so far; reading it again loads it again.
  public func releaseMemory() {
    mapping.release()
  }

  /// After so many bytes who goes through a pack lets go of the memory of what is behind.
  static let walkByteCount: UInt64 = 16 << 20

  /// The length that was mapped.
  public var byteCount: UInt64 { UInt64(mapping.bytes.count) }

  /// The mapped bytes, valid as long as the pack is kept.
  var bytes: UnsafeRawBufferPointer { mapping.bytes }

  /// Where entries end: an index begins there, or the mapped file ends.
  var entriesEnd: UInt64 { footer?.indexOffset ?? byteCount }

  // MARK: Entries

  /// The entry that begins at an offset, its checksum verified; in a block the member that the offset stands for: the block's
  /// offset for the first, one more for each other.
  public func entry(at offset: UInt64) throws(ObjectStoreError) -> PackEntry {
    do throws(PackFormatError) {
      return try decodeEntry(at: offset)
    } catch {
      throw .damagedPack(name, offset: offset, reason: error)
    }
  }

  func decodeEntry(at offset: UInt64) throws(PackFormatError) -> PackEntry {
    guard offset >= UInt64(header.byteCount) else { throw .inconsistent }
    guard offset < entriesEnd else { throw .truncated }
    guard let footer else { return try PackFormat.decodeEntry(in: bytes, at: offset) }
    if let place = blocks?.block(holding: offset) { return try member(offset, of: place.offset, place.memberCount) }
    // An entry must not reach into the next section.
    let isObject = offset < footer.recordsOffset
    let end = Int(isObject ? footer.recordsOffset : footer.indexOffset)
    let entry = try PackFormat.decodeEntry(in: UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: offset)
    switch entry.content {
    case .object where isObject: return entry
    case .record where !isObject && !entry.isBaseMark: return entry
    default: throw .inconsistent
    }
  }

  /// The record of the entry that begins at an offset, and the id of the object in the same entry, its checksum verified; of a
  /// member of a block the block and its number.
  ///
  /// - Throws: `.damagedPack` where there is no record too.
  public func record(at offset: UInt64) throws(ObjectStoreError) -> (record: RecordEntry, content: ObjectID?) {
    do throws(PackFormatError) {
      if footer == nil {
        guard offset >= UInt64(header.byteCount) else { throw .inconsistent }
        return try PackFormat.decodeRecordEntry(in: bytes, at: offset)
      }
      switch try decodeEntry(at: offset).content {
      case .record(let record): return (record, nil)
      case .recordWithObject(let record, let object): return (record, object.id)
      default: throw .inconsistent
      }
    } catch {
      throw .damagedPack(name, offset: offset, reason: error)
    }
  }

  /// The object of the entry, or of the member of a block, that an offset stands for; its data is not copied.
  public func object(at offset: UInt64) throws(ObjectStoreError) -> ObjectEntry {
    guard let object = try entry(at: offset).object else {
      throw .damagedPack(name, offset: offset, reason: .inconsistent)
    }
    return object
  }

  /// An object's encoded data, copied.
  public func data(of object: ObjectEntry) -> [UInt8] {
    switch object.data {
    case .bytes(let data): data
    case .stored: withData(of: object) { Array($0) }
    case .member: []
    }
  }

  /// An object's encoded data in place.
  func withData<R, E>(
    of object: ObjectEntry, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    switch object.data {
    case .stored(let range):
      precondition(range.upperBound <= byteCount, "an entry of another pack")
      return try body(UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    case .member:
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    case .bytes(let data):
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
      defer { copy.deallocate() }
      copy.copyBytes(from: data)
      return try body(UnsafeRawBufferPointer(copy))
    }
  }
}
