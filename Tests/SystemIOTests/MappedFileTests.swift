import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("A mapped file") struct MappedFileTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("shows the file's bytes", arguments: [0, 1, 4095, 4096, 4097, 100_000])
  func content(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try folder.write(bytes, to: "f")
    let mapped = try MappedFile.map(path)
    #expect(mapped.bytes.elementsEqual(bytes))
    let file = try FileDescriptor.open(path, .readOnly)
    let half = try MappedFile(file, byteCount: size / 2)
    #expect(half.bytes.elementsEqual(bytes[..<(size / 2)]))
  }

  @Test("outlives its descriptor and its name")
  func lifetime() throws {
    let path = try folder.write([1, 2, 3], to: "f")
    let mapped = try MappedFile.map(path)
    try FileSystem.remove(at: path)
    #expect(Array(mapped.bytes) == [1, 2, 3])
  }

  @Test("is refused beyond the file's end and for what is no file", arguments: [4, -1, .max])
  func refusals(byteCount: Int) throws {
    let file = try FileDescriptor.open(try folder.write([1, 2, 3], to: "f"), .readOnly)
    #expect(errorCode { () throws(SystemError) in _ = try MappedFile(file, byteCount: byteCount) } == EINVAL)
    #expect(errorCode { () throws(SystemError) in _ = try MappedFile.map(folder.path) } == EINVAL)
    #expect(errorCode { () throws(SystemError) in _ = try MappedFile.map(FilePath("/dev/zero")) } == EINVAL)
  }
}
