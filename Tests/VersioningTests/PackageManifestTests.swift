import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Package manifests") struct PackageManifestTests {
  /// Docs/format.md, "Golden bytes".
  private static let golden = """
    01030d436f6e74656e74732f6461746101a403fea3dc920d05c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1\
    c1c1c1c1c1c1c1ac0205456d70747905ed030300046c696e6b03ff0300ff93ebdc03c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2\
    c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c20d
    """

  private static func entry(
    _ path: String, _ kind: PackageEntryKind = .file, mode: UInt16 = 0o644, modified: (Int64, UInt32) = (0, 0),
    content: UInt8? = 0xC1, size: UInt64 = 1
  ) -> PackageEntry {
    PackageEntry(
      path: .sample(path), kind: kind, mode: mode,
      modificationTime: FileTime(seconds: modified.0, nanoseconds: modified.1)!, content: content.map { .sample($0) },
      size: size)
  }

  private static func folder(_ path: String) -> PackageEntry { entry(path, .folder, content: nil, size: 0) }

  @Test("A manifest has the bytes of the format, whatever the order of its entries")
  func isGolden() throws {
    let manifest = try PackageManifest([
      Self.entry("link", .symbolicLink, mode: 0o777, modified: (0, 999_999_999), content: 0xC2, size: 13),
      Self.entry("Empty", .folder, mode: 0o755, modified: (-2, 0), content: nil, size: 0),
      Self.entry("Contents/data", modified: (1_764_460_799, 5), size: 300),
    ])
    #expect(Hexadecimal.encode(manifest.encoded()) == Self.golden)
    #expect(try PackageManifest(decoding: bytes(Self.golden)) == manifest)
    #expect(manifest.fileByteCount == 300)
    #expect(
      SHA256.hash(manifest.encoded()).hexadecimal == "955ca193bd8a194903acea8e0797200917329118c96009e66ce2315ed82faea9")
  }

  @Test("An empty package has an empty manifest")
  func isEmpty() throws {
    let manifest = try PackageManifest([])
    #expect(manifest.encoded() == [1, 0])
    #expect(try PackageManifest(decoding: [1, 0]) == manifest)
  }

  @Test("Entries that no package can have are refused")
  func refusesInvalid() {
    let rows: [[PackageEntry]] = [
      [Self.entry("a"), Self.entry("a")],
      [Self.entry("a"), Self.entry("a/b")],
      [Self.entry("a"), Self.entry("a-"), Self.entry("a/b/c")],
      [Self.folder("a"), Self.entry("a/b")],
      [Self.entry(".dver/lock")],
      [Self.entry("a", content: nil)],
      [Self.entry("a", .folder, content: 1, size: 0)],
      [Self.entry("a", .folder, content: nil, size: 1)],
      [Self.entry("a", mode: 0o10000)],
      [Self.entry("a", size: 1 << 53)],
      [Self.entry("a", size: 1 << 52), Self.entry("b", size: 1 << 52)],
    ]
    for row in rows { #expect(throws: DecodingFailure.self) { try PackageManifest(row) } }
  }

  @Test("Names that only begin alike don't lie below one another")
  func takesSimilarNames() throws {
    let paths = ["a-", "a.b", "a/c", "a/d/e", "aa", "a b"]
    let manifest = try PackageManifest(paths.map { Self.entry($0) })
    #expect(manifest.entries.map(\.path) == paths.map { DocumentPath.sample($0) }.sorted())
    #expect(try PackageManifest(decoding: manifest.encoded()) == manifest)
  }

  @Test("Damaged bytes are refused or are another manifest with exactly these bytes")
  func keepsBytes() {
    let whole = bytes(Self.golden)
    for count in whole.indices {
      #expect(throws: DecodingFailure.self) { try PackageManifest(decoding: Array(whole[..<count])) }
    }
    for place in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[place] ^= 1 << UInt8(bit)
        guard let manifest = try? PackageManifest(decoding: damaged) else { continue }
        #expect(manifest.encoded() == damaged)
      }
    }
  }

  @Test("A hostile count reserves nothing")
  func refusesHostileCount() {
    let longest: [UInt8] = [UInt8](repeating: 0xFF, count: 9) + [1]
    #expect(throws: DecodingFailure.truncated) { try PackageManifest(decoding: [1] + longest) }
    #expect(throws: DecodingFailure.unsupportedFormat(2)) { try PackageManifest(decoding: [2, 0]) }
  }
}
