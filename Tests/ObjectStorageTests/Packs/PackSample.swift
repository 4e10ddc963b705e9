import Hashing
import ObjectStorage
import SystemIO
import TestSupport

/// A small store in a temporary folder, and a pack in which every type of entry and encoding occurs.
struct PackSample {
  static let device = Array(UInt8(0)...15)
  static let name = PackName.active(device: device, number: 1)
  static let hello = Array("hello".utf8)
  static let world = Array("hello world".utf8)
  static let there = Array("hello there world".utf8)
  static let joined = hello + world
  static let far = Array("elsewhere!".utf8)
  static let farBase = Array("elsewhere".utf8)
  /// Where the groups of the sample end; the first number is where the header does.
  static let groupEnds: [UInt64] = [36, 106, 172, 257, 449]

  let folder: TemporaryDirectory
  var store: FilePath { folder.appending(".dver") }
  var packs: FilePath { store.appending("packs") }
  var active: FilePath { Self.name.path(inStore: store).parent }
  var torn: FilePath { active.parent.appending("torn") }
  /// What is in it; nothing where the first torn tail has not made it yet.
  var tornEntries: [DirectoryEntry] { (try? FileSystem.list(torn)) ?? [] }
  var activePath: FilePath { Self.name.path(inStore: store) }

  init() throws {
    folder = try TemporaryDirectory()
    for path in [packs, active] { _ = try FileSystem.makeFolders(at: path) }
  }

  static func blob(_ bytes: [UInt8]) -> ObjectEntry {
    ObjectEntry(
      id: SHA256.hash(bytes), kind: .blob, encoding: .raw, byteCount: UInt64(bytes.count), data: .bytes(bytes))
  }

  /// A delta that someone wrote by hand: one edit, behind it the rest is copied.
  static func thereDelta(base: EntryReference) -> ObjectEntry {
    let data = [2, 6, 6] + Array("there ".utf8)
    return ObjectEntry(
      id: SHA256.hash(there), kind: .blob, encoding: .delta, byteCount: 17, base: base, depth: 1, data: .bytes(data))
  }

  static var deflatedHello: ObjectEntry {
    // One stored block.
    ObjectEntry(
      id: SHA256.hash(hello), kind: .blob, encoding: .deflate, byteCount: 5,
      data: .bytes([1, 5, 0, 0xFA, 0xFF] + hello))
  }

  static var list: ObjectEntry {
    var writer = ByteWriter()
    writer.varint(2)
    for chunk in [hello, world] {
      writer.id(SHA256.hash(chunk))
      writer.varint(UInt64(chunk.count))
    }
    return ObjectEntry(
      id: SHA256.hash(joined), kind: .chunkList, encoding: .raw, byteCount: UInt64(writer.bytes.count),
      data: .bytes(writer.bytes))
  }

  static var farDelta: ObjectEntry {
    ObjectEntry(
      id: SHA256.hash(far), kind: .blob, encoding: .delta, byteCount: 10, base: .far(SHA256.hash(farBase)), depth: 2,
      data: .bytes([2, 9, 1, UInt8(ascii: "!")]))
  }

  /// Writes the sample as active pack 1, and gives the writer after the last commit.
  @discardableResult
  func write() throws -> ActivePackWriter {
    let writer = try ActivePackWriter.create(folder: active, device: Self.device, number: 1)
    writer.begin()
    let first = try writer.append(
      .recordWithObject(.full(Array("record one".utf8)), Self.blob(Self.world)), isBaseMark: true)
    try writer.commit(.save)
    writer.begin()
    let distance = writer.nextOffset - first
    _ = try writer.append(
      .recordWithObject(
        .elided(distance: distance, depth: 1, bytes: Array(" two".utf8)),
        Self.thereDelta(base: .near(distance: distance))))
    try writer.commit(.save)
    writer.begin()
    _ = try writer.append(.object(Self.deflatedHello))
    _ = try writer.append(.record(.full(Array("record three".utf8))))
    _ = try writer.append(.journal([2, 1, UInt8(ascii: "a")]))
    try writer.commit(.sync)
    writer.begin()
    _ = try writer.append(.object(Self.list))
    _ = try writer.append(.object(Self.farDelta))
    try writer.commit(.none)
    return writer
  }

  func open() throws -> PackFile { try PackFile.open(activePath, name: Self.name) }

  func reopen(knownByteCount: UInt64 = 0) throws -> ActivePackWriter {
    try ActivePackWriter.open(
      folder: active, device: Self.device, number: 1, tornFolder: torn, knownByteCount: knownByteCount)
  }

  /// Seals as the sample's records are made: an elided one is what follows its predecessor's bytes.
  func seal(_ sources: [PackFile], replaces: [PackID] = []) throws -> SealedPack? {
    try PackSealer.seal(
      sources, replaces: replaces, device: Self.device, to: packs, canonical: Self.canonical, elide: Self.elide)
  }

  static func canonical(
    _ pack: PackFile, _ entry: PackEntry, _ predecessor: [UInt8]?
  ) throws(ObjectStoreError) -> (id: ObjectID, full: [UInt8]) {
    let full: [UInt8]
    switch entry.record {
    case .full(let bytes): full = bytes
    case .elided(_, _, let bytes): full = (predecessor ?? []) + bytes
    case .member, nil: throw .damagedPack(pack.name, offset: entry.offset, reason: .inconsistent)
    }
    return (SHA256.hash(full), full)
  }

  static func elide(_ full: [UInt8], _ predecessor: [UInt8]) -> [UInt8]? {
    full.starts(with: predecessor) ? Array(full.dropFirst(predecessor.count)) : nil
  }

  func openSealed(_ sealed: SealedPack) throws -> PackFile {
    try PackFile.open(sealed.id.path(inPacks: packs), name: .sealed(sealed.id))
  }

  static func resolve(_ id: ObjectID, _ kind: ObjectKind) throws(ObjectStoreError) -> [UInt8] {
    guard id == SHA256.hash(farBase), kind == .blob else { throw .notFound(id) }
    return farBase
  }

  /// The contents of the sample's blobs by id.
  static let blobs: [ObjectID: [UInt8]] = [hello, world, there, far].reduce(into: [:]) { $0[SHA256.hash($1)] = $1 }

  /// What a pack gives: blobs by offset, each as it decodes, records as they stand.
  static func contents(of pack: PackFile) throws(ObjectStoreError) -> (blobs: [[UInt8]], records: [RecordEntry]) {
    var blobs: [[UInt8]] = []
    var records: [RecordEntry] = []
    try pack.forEachObject { (entry) throws(ObjectStoreError) in
      blobs.append(try pack.objectBytes(at: entry.offset, resolvingFar: resolve))
    }
    try pack.forEachRecord { (entry) throws(ObjectStoreError) in
      if let record = entry.record { records.append(record) }
    }
    return (blobs, records)
  }
}

/// Bytes of literal hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
  Hexadecimal.decode(digits.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }) ?? []
}
