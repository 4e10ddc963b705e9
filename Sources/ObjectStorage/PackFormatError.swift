public import Hashing

/// Why bytes are no pack, or no entry of one.
public enum PackFormatError: Error, Equatable, Sendable {
  /// The file does not begin as a pack does.
  case notAPack
  /// A newer dver wrote it.
  case unsupportedFormat(version: UInt16)
  /// The bytes end too early.
  case truncated
  /// A checksum does not fit its bytes.
  case checksum
  /// No type of entry that this version knows.
  case unknownEntryType(UInt8)
  /// A field is malformed.
  case malformed(DecodingFailure)
  /// Parts contradict each other: an index and its entries, a base and what is stored against it.
  case inconsistent
}

extension PackFormatError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAPack: "it does not begin as a pack does"
    case .unsupportedFormat(let version): "format \(version), of a newer dver"
    case .truncated: "it ends too early"
    case .checksum: "the checksum does not fit"
    case .unknownEntryType(let type): "no entry has type \(type)"
    case .malformed(let failure): "malformed (\(failure))"
    case .inconsistent: "parts contradict each other"
    }
  }
}
