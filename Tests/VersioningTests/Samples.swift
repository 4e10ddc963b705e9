import Hashing
import Versioning

extension ObjectID {
  /// An id of one byte repeated.
  static func sample(_ byte: UInt8) -> ObjectID {
    ObjectID(hexadecimal: Hexadecimal.encodeBytes([UInt8](repeating: byte, count: 32)))!
  }
}

extension RecordID {
  /// An id of one byte repeated.
  static func sample(_ byte: UInt8) -> RecordID { RecordID(.sample(byte)) }
}

extension Identifier128 {
  /// An identifier of one byte repeated.
  static func sample(_ byte: UInt8) -> Self { Self(bytes: [UInt8](repeating: byte, count: 16))! }
}

extension DocumentPath {
  static func sample(_ text: String) -> DocumentPath { DocumentPath(Array(text.utf8))! }
}

extension VersionRecord {
  /// A version; ids are bytes that are repeated.
  static func sample(
    document: UInt8 = 0x11, parents: [UInt8] = [], path: String = "a.txt", kind: VersionKind = .file,
    content: UInt8? = 0xC0, size: UInt64 = 100, mode: UInt16 = 0o644,
    modified: (seconds: Int64, nanoseconds: UInt32) = (1_764_460_800, 0), milliseconds: Int64 = 1_764_460_800_000,
    counter: UInt32 = 0, wallTime: Int64 = 1_764_460_800_000, device: UInt8? = 0xD1, origin: VersionOrigin = .save,
    mergeRules: UInt32 = 0, message: String = ""
  ) -> VersionRecord {
    VersionRecord(
      document: .sample(document), parents: parents.map { .sample($0) }, path: .sample(path), kind: kind,
      content: content.map { .sample($0) }, size: size, mode: mode,
      modificationTime: FileTime(seconds: modified.seconds, nanoseconds: modified.nanoseconds)!,
      logicalTime: LogicalTime(milliseconds: milliseconds, counter: counter), wallTime: wallTime,
      device: device.map { .sample($0) }, origin: origin, mergeRules: mergeRules, message: Array(message.utf8))
  }
}

extension Version {
  /// A version under an id of one byte repeated.
  static func sample(_ id: UInt8, _ record: VersionRecord = .sample()) -> Version {
    Version(id: .sample(id), record: record)
  }
}

/// The bytes that hexadecimal digits in a test stand for.
func bytes(_ hexadecimal: String) -> [UInt8] { Hexadecimal.decode(Array(hexadecimal.utf8))! }
