/// Memory of a fixed number of elements that stays in place, so that pointers to it can be kept beside it.
final class FixedMemory<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int, repeating element: Element) {
    start = .allocate(capacity: count)
    start.initialize(repeating: element, count: count)
    self.count = count
  }

  init(_ elements: [Element]) {
    start = .allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
    count = elements.count
  }

  deinit {
    start.deallocate()
  }
}

/// The codes of deflate that are the same in every stream.
///
/// Source: RFC 1951, sections 3.2.5 and 3.2.6.
final class DeflateCodes: Sendable {
  static let shared = DeflateCodes()

  static let endOfBlock = 256
  static let literalAndLengthCount = 286
  static let distanceCount = 30

  /// The code of a length, less 257, by the length less 3.
  nonisolated(unsafe) let lengthCode: UnsafePointer<UInt8>
  nonisolated(unsafe) let lengthBase: UnsafePointer<UInt16>
  nonisolated(unsafe) let lengthExtra: UnsafePointer<UInt8>
  /// The code of a distance less 1: the first 256 directly, others by their upper bits from 256 on.
  nonisolated(unsafe) let distanceCode: UnsafePointer<UInt8>
  nonisolated(unsafe) let distanceBase: UnsafePointer<UInt16>
  nonisolated(unsafe) let distanceExtra: UnsafePointer<UInt8>
  nonisolated(unsafe) let fixedLiteralLengths: UnsafePointer<UInt8>
  nonisolated(unsafe) let fixedLiteralCodes: UnsafePointer<UInt16>
  nonisolated(unsafe) let fixedDistanceLengths: UnsafePointer<UInt8>
  nonisolated(unsafe) let fixedDistanceCodes: UnsafePointer<UInt16>
  /// Extra bits of the codes that describe code lengths.
  nonisolated(unsafe) let runExtra: UnsafePointer<UInt8>
  /// The order in which a block tells the lengths of those codes.
  nonisolated(unsafe) let runOrder: UnsafePointer<UInt8>

  private nonisolated(unsafe) let owned: [AnyObject]

  private init() {
    var owned: [AnyObject] = []
    func keep<Element>(_ elements: [Element]) -> UnsafePointer<Element> where Element: BitwiseCopyable {
      let memory = FixedMemory(elements)
      owned.append(memory)
      return UnsafePointer(memory.start)
    }
    let lengthExtraBits: [UInt8] =
      [UInt8](repeating: 0, count: 8) + (1...5 as ClosedRange<UInt8>).flatMap { [$0, $0, $0, $0] } + [0]
    let lengths = Self.lengthTables(extra: lengthExtraBits)
    let distanceExtraBits: [UInt8] = [0, 0, 0, 0] + (1...13 as ClosedRange<UInt8>).flatMap { [$0, $0] }
    let distances = Self.distanceTables(extra: distanceExtraBits)
    let literalLengths =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
      + [UInt8](repeating: 8, count: 8)
    let distanceLengths = [UInt8](repeating: 5, count: Self.distanceCount)
    lengthCode = keep(lengths.codes)
    lengthBase = keep(lengths.bases)
    lengthExtra = keep(lengthExtraBits)
    distanceCode = keep(distances.codes)
    distanceBase = keep(distances.bases)
    distanceExtra = keep(distanceExtraBits)
    fixedLiteralLengths = keep(literalLengths)
    fixedLiteralCodes = keep(Self.canonicalCodes(lengths: literalLengths))
    fixedDistanceLengths = keep(distanceLengths)
    fixedDistanceCodes = keep(Self.canonicalCodes(lengths: distanceLengths))
    runExtra = keep([UInt8](repeating: 0, count: 16) + [2, 3, 7])
    runOrder = keep([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])
    self.owned = owned
  }

  private static func lengthTables(extra: [UInt8]) -> (codes: [UInt8], bases: [UInt16]) {
    var codes: [UInt8] = []
    var bases: [UInt16] = []
    for (code, bits) in extra.enumerated().dropLast() {
      bases.append(UInt16(codes.count))
      codes += [UInt8](repeating: UInt8(code), count: 1 << Int(bits))
    }
    // The greatest length has a code of its own.
    codes[255] = 28
    return (codes, bases + [255])
  }

  private static func distanceTables(extra: [UInt8]) -> (codes: [UInt8], bases: [UInt16]) {
    var near: [UInt8] = []
    var far: [UInt8] = [0, 0]
    var bases: [UInt16] = []
    for (code, bits) in extra.enumerated() {
      if code < 16 {
        bases.append(UInt16(near.count))
        near += [UInt8](repeating: UInt8(code), count: 1 << Int(bits))
      } else {
        bases.append(UInt16(far.count << 7))
        far += [UInt8](repeating: UInt8(code), count: 1 << (Int(bits) - 7))
      }
    }
    return (near + far, bases)
  }

  private static func canonicalCodes(lengths: [UInt8]) -> [UInt16] {
    var codes = [UInt16](repeating: 0, count: lengths.count)
    var code = 0
    for length in 1...15 {
      for index in lengths.indices where Int(lengths[index]) == length {
        codes[index] = reversed(code, bits: length)
        code += 1
      }
      code <<= 1
    }
    return codes
  }

  /// A code as it is sent: its highest bit first.
  static func reversed(_ code: Int, bits: Int) -> UInt16 {
    var (code, result) = (code, 0)
    for _ in 0..<bits {
      result = result << 1 | code & 1
      code >>= 1
    }
    return UInt16(truncatingIfNeeded: result)
  }
}
