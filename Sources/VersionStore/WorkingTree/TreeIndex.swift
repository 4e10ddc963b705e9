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
///     40      4     count of other names
///     44      4     zero
///     48      8     length of the names
///     56      8     checksum of all other bytes
///     64      64 each  folders (KnownFolder), ascending by path
///             56 each  entries (TreeIndexEntry), those of a folder side by side, ascending by name
///             12 each  other names, those of a folder side by side: u32 where it begins, u32 its length, u32 kind
///                   names, each with a zero byte behind it
final class TreeIndex: @unchecked Sendable {
  // Unchecked: the bytes are only read.
  static let magic = Array("dvertre1".utf8)
  static let idByteCount = 16
  static let headerByteCount = 64

  let entryCount: Int
  let folderCount: Int
  /// The paths of which nothing here counts, in order.
  let touched: [DocumentPath]
  private let otherCount: Int
  private let firstOther: Int
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
    otherCount = Int(Self.u32(bytes, 40))
    firstEntry = Self.headerByteCount + folderCount * KnownFolder.byteCount
    firstOther = firstEntry + entryCount * TreeIndexEntry.byteCount
    let firstName = firstOther + otherCount * Self.otherByteCount
    guard firstName <= bytes.count, Self.u64(bytes, 48) == UInt64(bytes.count - firstName),
      Self.u64(bytes, 56) == Self.checksum(bytes)
    else { return nil }
    names = UnsafeRawBufferPointer(rebasing: bytes[firstName...])
    self.file = file
    self.touched = touched
    guard isSound() else { return nil }
  }

  /// Whether everything that is pointed at is there.
  private func isSound() -> Bool {
    for number in 0..<folderCount {
      let folder = folder(number)
      guard hasName(at: Self.headerByteCount + number * KnownFolder.byteCount),
        folder.entries.upperBound <= entryCount, folder.others.upperBound <= otherCount
      else { return false }
    }
    return (0..<entryCount).allSatisfy { hasName(at: offset(ofEntry: $0)) }
      && (0..<otherCount).allSatisfy { hasName(at: firstOther + $0 * Self.otherByteCount) }
  }

  private func hasName(at place: Int) -> Bool {
    let end = Int(u32(place)) + Int(u32(place + 4))
    return end < names.count && names[end] == 0
  }

  // MARK: Looking up

  /// What is known of a folder, by its path.
  func folder(at path: [UInt8]) -> KnownFolder? {
    var range = 0..<folderCount
    while let first = range.first {
      let middle = first + range.count / 2
      let order = path.withUnsafeBytes { FolderListing.order($0, self.path(ofFolder: middle)) }
      if order == 0 { return folder(middle) }
      range = order < 0 ? first..<middle : middle + 1..<range.upperBound
    }
    return nil
  }

  /// The entry of a path.
  func entry(of path: DocumentPath) -> Int? {
    let name = path.name
    var range = folder(at: path.folder?.bytes ?? [])?.entries ?? 0..<0
    while let first = range.first {
      let middle = first + range.count / 2
      let order = name.withUnsafeBytes { FolderListing.order($0, self.name(ofEntry: middle)) }
      if order == 0 { return middle }
      range = order < 0 ? first..<middle : middle + 1..<range.upperBound
    }
    return nil
  }

  /// Calls the body with each folder that is a folder or lies below it, in order; `nil` for all.
  func forEachFolder(at root: DocumentPath?, _ body: (_ path: UnsafeRawBufferPointer, KnownFolder) -> Void) {
    for number in 0..<folderCount {
      let path = path(ofFolder: number)
      if let root {
        guard path.count == root.bytes.count || (path.count > root.bytes.count && path[root.bytes.count] == 0x2F),
          path.starts(with: root.bytes)
        else { continue }
      }
      body(path, folder(number))
    }
  }

  func entry(_ number: Int) -> TreeIndexEntry { TreeIndexEntry(at: offset(ofEntry: number), in: file.bytes) }

  func facts(ofEntry number: Int) -> TreeIndexEntry.Facts {
    TreeIndexEntry.Facts(rawValue: u32(offset(ofEntry: number) + 8))
  }

  func name(ofEntry number: Int) -> UnsafeRawBufferPointer { name(at: offset(ofEntry: number)) }

  /// A name in a folder that is no entry, and what it is; `nil` where only another call tells.
  func other(_ number: Int) -> (name: UnsafeRawBufferPointer, kind: FileKind?) {
    let place = firstOther + number * Self.otherByteCount
    return (name(at: place), Self.kind(u32(place + 8)))
  }

  private func path(ofFolder number: Int) -> UnsafeRawBufferPointer {
    name(at: Self.headerByteCount + number * KnownFolder.byteCount)
  }

  private func folder(_ number: Int) -> KnownFolder {
    KnownFolder(at: Self.headerByteCount + number * KnownFolder.byteCount, in: file.bytes)
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

  // MARK: Other names

  static let otherByteCount = 12
  private static let kinds: [FileKind] = [.file, .folder, .symbolicLink, .fifo, .socket, .device, .other]

  static func number(of kind: FileKind?) -> UInt32 {
    kind.flatMap { kinds.firstIndex(of: $0) }.map { UInt32($0 + 1) } ?? 0
  }

  private static func kind(_ number: UInt32) -> FileKind? {
    (1...UInt32(kinds.count)).contains(number) ? kinds[Int(number) - 1] : nil
  }

  // MARK: Checksum

  /// A checksum of a file but for the checksum's own place: against what a power cut leaves, not against people.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = UInt64(bytes.count)
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    for place in stride(from: 0, to: 56, by: 8) { add(u64(bytes, place)) }
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
