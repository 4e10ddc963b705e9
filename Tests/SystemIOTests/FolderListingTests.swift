import SystemIO
import TestSupport
import Testing

@Suite("The names in a folder, read at once") struct FolderListingTests {
  private func read(_ directory: TemporaryDirectory) throws -> FolderListing {
    let listing = FolderListing()
    let empty = try TemporaryDirectory()
    try listing.read(try FileDescriptor.open(directory.path, .readOnly, options: .directory))
    return listing
  }

  private func names(_ listing: FolderListing) -> [[UInt8]] {
    (0..<listing.count).map { Array(listing.name(at: $0)) }
  }

  @Test("come in the order of their bytes, with what they are") func order() throws {
    let directory = try TemporaryDirectory()
    let files = ["b", "a", "abcdefgh", "abcdefghi", "abcdefgZ", "é", ".hidden", "a-b"].map { Array($0.utf8) }
    for name in files { try directory.write([1], to: String(decoding: name, as: UTF8.self)) }
    try FileSystem.makeFolder(at: directory.path.appending("sub"))
    try FileSystem.makeSymbolicLink(at: directory.path.appending("link"), target: Array("a".utf8))
    let listing = try read(directory)
    let all = files + [Array("sub".utf8), Array("link".utf8)]
    #expect(names(listing) == all.sorted { $0.lexicographicallyPrecedes($1) })
    for (place, name) in names(listing).enumerated() {
      #expect(listing.index(of: name) == place)
      // Some file systems don't tell.
      let kind: FileKind = name == Array("sub".utf8) ? .folder : name == Array("link".utf8) ? .symbolicLink : .file
      #expect(listing.kind(at: place) ?? kind == kind)
    }
    #expect(listing.index(of: Array("absent".utf8)) == nil)
    #expect(listing.index(of: []) == nil)
  }

  @Test("are all there where one call doesn't give them, and are forgotten with the next folder") func many() throws {
    let directory = try TemporaryDirectory()
    let files = (0..<700).map { "\($0)" + String(repeating: "x", count: $0 % 200) }
    for name in files { try directory.write([], to: name) }
    let listing = try read(directory)
    #expect(names(listing) == files.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    let empty = try TemporaryDirectory()
    try listing.read(
      try FileDescriptor.open(empty.path, .readOnly, options: .directory))
    #expect(listing.count == 0)
  }

  @Test("are asked about without following links") func status() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], to: "file")
    try FileSystem.makeSymbolicLink(at: directory.path.appending("link"), target: Array("file".utf8))
    let folder = try FileDescriptor.open(directory.path, .readOnly, options: .directory)
    let listing = FolderListing()
    let empty = try TemporaryDirectory()
    try listing.read(folder)
    for place in 0..<listing.count {
      let name = Array(listing.name(at: place))
      #expect(try folder.status(ofTerminated: listing.name(at: place)) == folder.status(of: name))
    }
    try FileSystem.remove(at: directory.path.appending("file"))
    do throws(SystemError) {
      _ = try folder.status(ofTerminated: listing.name(at: 0))
      Issue.record("a file that is gone has a status")
    } catch { #expect(error.isNotFound) }
  }

  @Test("of something that is no folder fail") func noFolder() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "file")
    let file = try FileDescriptor.open(directory.path.appending("file"), .readOnly)
    #expect(throws: SystemError.self) { try FolderListing().read(file) }
  }
}
