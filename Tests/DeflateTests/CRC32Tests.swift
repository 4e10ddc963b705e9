import Deflate
import Testing

@Suite("CRC32") struct CRC32Tests {
  @Test("gives the check value of the catalogue of checksums")
  func checkValue() {
    #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.checksum([]) == 0)
  }

  @Test("can be computed in parts")
  func parts() {
    let bytes = Array("a zip archive".utf8)
    let first = CRC32.checksum(Array(bytes[..<5]))
    #expect(bytes[5...].withUnsafeBytes { CRC32.checksum($0, continuing: first) } == CRC32.checksum(bytes))
  }
}
