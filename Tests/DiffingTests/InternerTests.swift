import Testing

@testable import Diffing

@Suite("An interner") struct InternerTests {
  @Test("compares the bytes, whatever the hashes say", arguments: [0, 1, 7, 8, 9, 16, 21])
  func collisions(length: Int) {
    var strings: [[UInt8]] = [[UInt8](repeating: 0, count: length)]
    for place in 0..<length {
      strings.append(strings[0])
      strings[place + 1][place] = 1
    }
    strings.append([UInt8](repeating: 0, count: length + 1))
    let all = Array(strings.joined())
    all.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var interner = Interner(expecting: 0)
      for _ in 0..<2 {
        var offset = 0
        let numbers = strings.map { string in
          defer { offset += string.count }
          return interner.number(of: base + offset, byteCount: string.count, hash: 42)
        }
        #expect(numbers == (0..<strings.count).map { Int32($0) })
      }
      #expect(interner.count == strings.count)
    }
  }

  @Test("gets hashes that lengths and zero bytes change")
  func hashes() {
    let zeros = [UInt8](repeating: 0, count: 32)
    let hashes = zeros.withUnsafeBytes { buffer in
      (0...32).compactMap { count in buffer.baseAddress.map { LineHash.hash($0, byteCount: count) } }
    }
    #expect(Set(hashes).count == 33)
  }
}
