import Hashing
import SystemIO
import Versioning

/// What the catalog knows of the working files, by folders, in a form that a walk over them can go by without asking it.
///
/// It belongs to the state of a catalog that names its id; of the paths that have changed since, nothing in it counts. It is a
/// cache in a file beside the catalog: one that is damaged, of another id or of another kind of volume is as good as none.
///
///     offset  size  field
///     0       8     magic: ASCII "dvertre1"
///     8       16    id
///     24      8     what a look at a file must be younger than its change by, in nanoseconds (see FileRow)
///     32      4     count of folders
///     36      4     count of entries
///     40      8     length of the names
///     48      8     checksum of all other bytes
///     56      16 each  folders, ascending by path: u32 where the path begins, u32 its length, u32 first entry, u32 count
///             56 each  entries (TreeIndexEntry), those of a folder side by side, ascending by name
///                   names
final class TreeIndex: @unchecked Sendable {
  // Unchecked: the bytes are only read.
  static let magic = Array("dvertre1".utf8)
  static let idByteCount = 16
  static let headerByteCount = 56
  static let folderByteCount = 16

  let entryCount: Int
  /// The paths of which nothing here counts, in order.
  let touched: [DocumentPath]
  private let folderCount: Int
  private let file: MappedFile
  private let firstEntry: Int
  private let names: UnsafeRawBufferPointer

  /// - Returns: `nil` unless the file is whole and of this id.
  init?(_ file: MappedFile, id: [UInt8], touched: [DocumentPath], volume: VolumeKind) {
    let bytes = file.bytes
    guard bytes.count >= Self.headerByteCount, bytes.prefix(8).elementsEqual(Self.magic),
      bytes[8..<24].elementsEqual(id), Self.u64(bytes, 24) == UInt64(volume.granularity)
    else { return nil }
    folderCount = Int(Self.u32(bytes, 32))
    entryCount = Int(Self.u32(bytes, 36))
    firstEntry = Self.headerByteCount + folderCount * Self.folderByteCount
    let firstName = firstEntry + entryCount * TreeIndexEntry.byteCount
    guard firstName <= bytes.count, Self.u64(bytes, 40) == UInt64(bytes.count - firstName),
      Self.u64(bytes, 48) == Self.checksum(bytes)
    else { return nil }
    names = UnsafeRawBufferPointer(rebasing: bytes[firstName...])
    self.file = file
    self.touched = touched
    guard isSound() else { return nil }
  }

  /// Whether everything that is pointed at is there.
  private func isSound() -> Bool {
    for number in 0..<folderCount {
      let place = Self.headerByteCount + number * Self.folderByteCount
      guard hasName(at: place), Int(u32(place + 8)) + Int(u32(place + 12)) <= entryCount else { return false }
    }
    return (0..<entryCount).allSatisfy { hasName(at: offset(ofEntry: $0)) }
  }

  private func hasName(at place: Int) -> Bool { Int(u32(place)) + Int(u32(place + 4)) <= names.count }

  // MARK: Looking up

  /// The entries of a folder, by its path; none where it is unknown.
  func entries(ofFolder path: [UInt8]) -> Range<Int> {
    var range = 0..<folderCount
    while let first = range.first {
      let middle = first + range.count / 2
      let order = path.withUnsafeBytes { FolderListing.order($0, self.path(ofFolder: middle)) }
      if order == 0 { return entries(ofFolder: middle) }
      range = order < 0 ? first..<middle : middle + 1..<range.upperBound
    }
    return 0..<0
  }

  /// The entry of a path.
  func entry(of path: DocumentPath) -> Int? {
    let name = path.name
    var range = entries(ofFolder: path.folder?.bytes ?? [])
    while let first = range.first {
      let middle = first + range.count / 2
      let order = name.withUnsafeBytes { FolderListing.order($0, self.name(ofEntry: middle)) }
      if order == 0 { return middle }
      range = order < 0 ? first..<middle : middle + 1..<range.upperBound
    }
    return nil
  }

  /// Calls the body with each folder that is a folder or lies below it, in order; `nil` for all.
  func forEachFolder(at root: DocumentPath?, _ body: (_ path: UnsafeRawBufferPointer, _ entries: Range<Int>) -> Void) {
    for number in 0..<folderCount {
      let path = path(ofFolder: number)
      if let root {
        guard path.count == root.bytes.count || (path.count > root.bytes.count && path[root.bytes.count] == 0x2F),
          path.starts(with: root.bytes)
        else { continue }
      }
      body(path, entries(ofFolder: number))
    }
  }

  func entry(_ number: Int) -> TreeIndexEntry { TreeIndexEntry(at: offset(ofEntry: number), in: file.bytes) }

  func facts(ofEntry number: Int) -> TreeIndexEntry.Facts {
    TreeIndexEntry.Facts(rawValue: u32(offset(ofEntry: number) + 8))
  }

  func name(ofEntry number: Int) -> UnsafeRawBufferPointer { name(at: offset(ofEntry: number)) }

  private func path(ofFolder number: Int) -> UnsafeRawBufferPointer {
    name(at: Self.headerByteCount + number * Self.folderByteCount)
  }

  private func entries(ofFolder number: Int) -> Range<Int> {
    let place = Self.headerByteCount + number * Self.folderByteCount
    let first = Int(u32(place + 8))
    return first..<first + Int(u32(place + 12))
  }

  private func offset(ofEntry number: Int) -> Int { firstEntry + number * TreeIndexEntry.byteCount }

  private func name(at place: Int) -> UnsafeRawBufferPointer {
    let start = Int(u32(place))
    return UnsafeRawBufferPointer(rebasing: names[start..<start + Int(u32(place + 4))])
  }

  private func u32(_ place: Int) -> UInt32 { Self.u32(file.bytes, place) }

  private static func u32(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  private static func u64(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  // MARK: Checksum

  /// A checksum of a file but for the checksum's own place: against what a power cut leaves, not against people.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = UInt64(bytes.count)
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    for place in stride(from: 0, to: 48, by: 8) { add(u64(bytes, place)) }
    var place = headerByteCount
    while place + 8 <= bytes.count {
      add(u64(bytes, place))
      place += 8
    }
    while place < bytes.count {
      add(UInt64(bytes[place]))
      place += 1
    }
    return sum
  }
}
