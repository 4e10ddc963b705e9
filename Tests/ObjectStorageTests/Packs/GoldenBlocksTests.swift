import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The golden bytes of blocks") struct GoldenBlocksTests {
  private func open() throws -> PackFile {
    let sample = try PackSample()
    let id = SHA256.hash(GoldenBlocks.pack)
    #expect(id.hexadecimal == GoldenBlocks.packName)
    let path = PackID(id).path(inPacks: sample.packs)
    _ = try FileSystem.makeFolders(at: path.parent)
    try AtomicFile.write(GoldenBlocks.pack, to: path, isDurable: false)
    return try PackFile.open(path, name: .sealed(PackID(id)))
  }

  @Test("Every text of a compacted pack comes back, each by itself") func texts() throws {
    let pack = try open()
    #expect(pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    #expect(pack.objectCount == 6 && pack.recordCount == 4)
    for (text, offset) in zip(GoldenBlocks.texts, [36, 193, 194, 192, 343, 344] as [UInt64]) {
      let id = SHA256.hash(text)
      #expect(pack.objectOffsets(prefix: id.prefix) == [offset])
      #expect(try pack.object(at: offset).id == id)
      #expect(try pack.objectBytes(at: offset, resolvingFar: PackSample.resolve) == text)
    }
  }

  @Test("The columns of its records come back") func columns() throws {
    let (columns, count) = try open().recordBlock(at: 445)
    #expect(columns == GoldenBlocks.columns && count == 4)
  }
}
