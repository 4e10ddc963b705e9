internal import Deflate

/// Puts an archive together from its skeleton and its members' data, or compares what would come out with what is there.
///
/// Never makes more bytes than it was told that there are.
public struct ZipAssembler {
  private let skeleton: ZipFields
  private let byteCount: Int
  private let expected: [UInt8]?
  private var position = 0
  private var output: [UInt8] = []
  private var outputByteCount = 0
  private var entries: [ZipDirectoryFill.Entry] = []

  /// - Parameters:
  ///   - byteCount: the length of the archive.
  ///   - expected: the archive itself, with which all is compared, and then nothing is kept.
  public init(_ skeleton: [UInt8], byteCount: Int, comparingWith expected: [UInt8]? = nil) {
    self.skeleton = ZipFields(bytes: skeleton)
    self.byteCount = byteCount
    self.expected = expected
    if expected == nil { output.reserveCapacity(byteCount) }
  }

  /// Appends the next member.
  ///
  /// - Parameters:
  ///   - data: as it is stored in the archive; of a member whose data stands in the skeleton it is not looked at.
  ///   - numbers: checksum and inflated length where they are not those of the data itself.
  /// - Throws: `malformed` where the skeleton isn't one for this, `damagedContent` where something else is expected.
  public mutating func append(
    _ member: ZipSkeleton.Member, data: ArraySlice<UInt8>, numbers: (checksum: UInt32, inflatedByteCount: UInt64)? = nil
  ) throws(ZipError) {
    let (header, _) = try skeleton.header(behind: position, member)
    try emit(skeleton.bytes[position..<header.lowerBound])
    position = header.upperBound
    var data = data
    if let count = member.inlineByteCount {
      guard count >= 0 else { throw .malformed(offset: position) }
      data = skeleton.bytes[try skeleton.range(at: position, UInt64(count))]
      position = data.endIndex
    }
    let full = ZipNumbers(
      checksum: numbers?.checksum ?? data.withUnsafeBytes { CRC32.checksum($0) },
      storedByteCount: UInt64(data.count), inflatedByteCount: numbers?.inflatedByteCount ?? UInt64(data.count))
    var bytes = Array(skeleton.bytes[header])
    if member.filled.contains(.header) {
      guard full.isShort else { throw .tooLong }
      bytes.fillHeader(at: 0, modified: member.modified, full)
    } else {
      bytes.replace(at: 10, littleEndian: member.modified)
    }
    entries.append(ZipDirectoryFill.Entry(modified: member.modified, numbers: full, offset: outputByteCount))
    try emit(bytes[...])
    try emit(data)
    for form in [ZipSkeleton.Filled.signedDescriptor, .descriptor] where member.filled.contains(form) {
      try emit(full.descriptor(form)[...])
    }
  }

  /// Appends what comes behind the last member, and gives the archive; nothing where it was compared with another.
  public consuming func finish(directoryGap: Int?) throws(ZipError) -> [UInt8] {
    var rest = Array(skeleton.bytes[position...])
    if let directoryGap {
      guard directoryGap >= 0, directoryGap <= rest.count else { throw .malformed(offset: position) }
      rest = try ZipDirectoryFill.filled(rest, at: directoryGap, entries, start: outputByteCount + directoryGap)
    }
    try emit(rest[...])
    guard outputByteCount == byteCount else { throw .damagedContent }
    return output
  }

  private mutating func emit(_ bytes: ArraySlice<UInt8>) throws(ZipError) {
    guard bytes.count <= byteCount - outputByteCount else { throw .damagedContent }
    if let expected {
      guard outputByteCount + bytes.count <= expected.count,
        expected[outputByteCount..<outputByteCount + bytes.count] == bytes
      else { throw .damagedContent }
    } else {
      output += bytes
    }
    outputByteCount += bytes.count
  }
}
