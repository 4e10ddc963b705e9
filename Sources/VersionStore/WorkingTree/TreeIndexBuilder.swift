import Hashing
import SystemIO
import Versioning

/// Puts a new index together, from entries in any order.
struct TreeIndexBuilder {
  private struct Item {
    let name: Range<Int>
    let entry: TreeIndexEntry
  }

  private var numbers: [[UInt8]: Int] = [:]
  private var folders: [(path: Range<Int>, items: [Item])] = []
  private var names: [UInt8] = []
  private(set) var entryCount = 0

  /// Adds a path that was not added before.
  mutating func add(_ path: DocumentPath, _ entry: TreeIndexEntry) {
    let slash = path.bytes.lastIndex(of: UInt8(ascii: "/"))
    add(path.bytes[(slash.map { $0 + 1 } ?? 0)...], in: path.bytes[..<(slash ?? 0)], entry)
  }

  private mutating func add(_ name: ArraySlice<UInt8>, in folder: ArraySlice<UInt8>, _ entry: TreeIndexEntry) {
    // Paths mostly come in order, so the folder is the last one's.
    var number = folders.count - 1
    if folders.isEmpty || !names[folders[number].path].elementsEqual(folder) {
      let path = Array(folder)
      if let known = numbers[path] {
        number = known
      } else {
        number = folders.count
        numbers[path] = number
        folders.append((keep(folder), []))
      }
    }
    folders[number].items.append(Item(name: keep(name), entry: entry))
    entryCount += 1
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = names.count
    names.append(contentsOf: bytes)
    return start..<names.count
  }

  /// Takes over what another index knows, but for what was touched since.
  mutating func add(_ index: TreeIndex) {
    var left: Set<Int> = []
    for path in index.touched { if let entry = index.entry(of: path) { left.insert(entry) } }
    index.forEachFolder(at: nil) { path, entries in
      let folder = Array(path)
      for number in entries where !left.contains(number) {
        add(Array(index.name(ofEntry: number))[...], in: folder[...], index.entry(number))
      }
    }
  }

  /// The bytes of the file; `nil` where there is too much for one.
  consuming func bytes(id: [UInt8], volume: VolumeKind) -> [UInt8]? {
    guard names.count <= Int(UInt32.max), id.count == TreeIndex.idByteCount else { return nil }
    folders.sort { names[$0.path].lexicographicallyPrecedes(names[$1.path]) }
    var writer = ByteWriter(
      capacity: TreeIndex.headerByteCount + folders.count * TreeIndex.folderByteCount
        + entryCount * TreeIndexEntry.byteCount + names.count)
    writer.raw(TreeIndex.magic)
    writer.raw(id)
    writer.u64(UInt64(volume.granularity))
    writer.u32(UInt32(folders.count))
    writer.u32(UInt32(entryCount))
    writer.u64(UInt64(names.count))
    writer.u64(0)
    var first = 0
    for folder in folders {
      Self.write(folder.path, to: &writer)
      writer.u32(UInt32(first))
      writer.u32(UInt32(folder.items.count))
      first += folder.items.count
    }
    for folder in folders {
      for item in folder.items.sorted(by: { names[$0.name].lexicographicallyPrecedes(names[$1.name]) }) {
        Self.write(item, to: &writer)
      }
    }
    writer.raw(names)
    var bytes = writer.bytes
    let sum = bytes.withUnsafeBytes { TreeIndex.checksum($0) }
    for place in 0..<8 { bytes[48 + place] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * place)) }
    return bytes
  }

  private static func write(_ name: Range<Int>, to writer: inout ByteWriter) {
    writer.u32(UInt32(name.lowerBound))
    writer.u32(UInt32(name.count))
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
