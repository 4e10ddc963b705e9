import Hashing
import SystemIO
import Versioning

/// Puts a new index together, from entries in any order.
struct TreeIndexBuilder {
  private struct Item {
    let name: Range<Int>
    let entry: TreeIndexEntry
  }

  private struct Folder {
    let path: Range<Int>
    var items: [Item] = []
    var others: [(name: Range<Int>, kind: FileKind?)] = []
    var stamp: FolderStamp?
  }

  private var numbers: [[UInt8]: Int] = [:]
  private var folders: [Folder] = []
  private var names: [UInt8] = []
  private(set) var entryCount = 0

  /// Adds a path that was not added before.
  mutating func add(_ path: DocumentPath, _ entry: TreeIndexEntry) {
    let slash = path.bytes.lastIndex(of: UInt8(ascii: "/"))
    add(path.bytes[(slash.map { $0 + 1 } ?? 0)...], in: path.bytes[..<(slash ?? 0)], entry)
  }

  private mutating func add(_ name: ArraySlice<UInt8>, in folder: ArraySlice<UInt8>, _ entry: TreeIndexEntry) {
    let number = self.number(of: folder)
    folders[number].items.append(Item(name: keep(name), entry: entry))
    entryCount += 1
  }

  private mutating func number(of folder: ArraySlice<UInt8>) -> Int {
    // Paths mostly come in order, so the folder is the last one's.
    if let last = folders.last, names[last.path].elementsEqual(folder) { return folders.count - 1 }
    let path = Array(folder)
    if let known = numbers[path] { return known }
    numbers[path] = folders.count
    folders.append(Folder(path: keep(folder)))
    return folders.count - 1
  }

  /// Adds what a folder was read to have, in place of what was known of it. Comes behind all entries.
  mutating func add(_ read: ReadFolder) {
    let number = self.number(of: read.path[...])
    let entries = Set(folders[number].items.map { Array(names[$0.name]) })
    folders[number].stamp = read.stamp
    folders[number].others = []
    for name in read.names where !entries.contains(name.bytes) {
      folders[number].others.append((keep(name.bytes[...]), name.kind))
    }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = names.count
    names.append(contentsOf: bytes)
    names.append(0)
    return start..<names.count - 1
  }

  /// Takes over what another index knows, but for what was touched since.
  ///
  /// - Returns: what it knows of the names of folders.
  mutating func add(_ index: TreeIndex) -> [ReadFolder] {
    var left: Set<Int> = []
    var read: [ReadFolder] = []
    for path in index.touched { if let entry = index.entry(of: path) { left.insert(entry) } }
    index.forEachFolder(at: nil) { path, folder in
      let path = Array(path)
      var all: [ReadFolder.Name] = []
      for number in folder.entries {
        let name = Array(index.name(ofEntry: number))
        if !left.contains(number) { add(name[...], in: path[...], index.entry(number)) }
        // Where it is no entry any more it may be a file all the same.
        all.append(ReadFolder.Name(bytes: name, kind: nil))
      }
      guard let stamp = folder.stamp else { return }
      for number in folder.others {
        let other = index.other(number)
        all.append(ReadFolder.Name(bytes: Array(other.name), kind: other.kind))
      }
      read.append(ReadFolder(path: path, stamp: stamp, names: all))
    }
    return read
  }

  /// The bytes of the file; `nil` where there is too much for one.
  consuming func bytes(id: [UInt8], volume: VolumeKind) -> [UInt8]? {
    guard names.count <= Int(UInt32.max), id.count == TreeIndex.idByteCount else { return nil }
    folders.sort { names[$0.path].lexicographicallyPrecedes(names[$1.path]) }
    let otherCount = folders.reduce(0) { $0 + $1.others.count }
    var writer = ByteWriter(
      capacity: TreeIndex.headerByteCount + folders.count * KnownFolder.byteCount + otherCount * 12
        + entryCount * TreeIndexEntry.byteCount + names.count)
    writer.raw(TreeIndex.magic)
    writer.raw(id)
    writer.u64(UInt64(volume.granularity))
    writer.u32(UInt32(folders.count))
    writer.u32(UInt32(entryCount))
    writer.u32(UInt32(otherCount))
    writer.u32(0)
    writer.u64(UInt64(names.count))
    writer.u64(0)
    var (firstEntry, firstOther) = (0, 0)
    for folder in folders {
      Self.write(folder, firstEntry, firstOther, to: &writer)
      firstEntry += folder.items.count
      firstOther += folder.others.count
    }
    for folder in folders {
      for item in folder.items.sorted(by: { names[$0.name].lexicographicallyPrecedes(names[$1.name]) }) {
        Self.write(item, to: &writer)
      }
    }
    for folder in folders {
      for other in folder.others {
        Self.write(other.name, to: &writer)
        writer.u32(TreeIndex.number(of: other.kind))
      }
    }
    writer.raw(names)
    var bytes = writer.bytes
    let sum = bytes.withUnsafeBytes { TreeIndex.checksum($0) }
    for place in 0..<8 { bytes[56 + place] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * place)) }
    return bytes
  }

  private static func write(_ name: Range<Int>, to writer: inout ByteWriter) {
    writer.u32(UInt32(name.lowerBound))
    writer.u32(UInt32(name.count))
  }

  private static func write(_ folder: Folder, _ firstEntry: Int, _ firstOther: Int, to writer: inout ByteWriter) {
    write(folder.path, to: &writer)
    for number in [firstEntry, folder.items.count, firstOther, folder.others.count] { writer.u32(UInt32(number)) }
    writer.u32(folder.stamp == nil ? 0 : 1)
    writer.u32(folder.stamp?.modificationNanoseconds ?? 0)
    writer.u32(folder.stamp?.changeNanoseconds ?? 0)
    writer.u32(0)
    writer.u64(UInt64(bitPattern: folder.stamp?.modificationSeconds ?? 0))
    writer.u64(UInt64(bitPattern: folder.stamp?.changeSeconds ?? 0))
    writer.u64(folder.stamp?.inode ?? 0)
  }

  private static func write(_ item: Item, to writer: inout ByteWriter) {
    let entry = item.entry
    write(item.name, to: &writer)
    writer.u32(entry.facts.rawValue)
    writer.u32(entry.modificationNanoseconds)
    writer.u32(entry.changeNanoseconds)
    writer.u32(0)
    writer.u64(entry.size)
    writer.u64(UInt64(bitPattern: entry.modificationSeconds))
    writer.u64(UInt64(bitPattern: entry.changeSeconds))
    writer.u64(entry.inode)
  }
}
