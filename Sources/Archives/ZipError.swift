/// Why bytes are no zip archive that can be read, or why a member can't.
public enum ZipError: Error, Equatable, Sendable {
  /// There is no end record: not a zip archive.
  case notAnArchive
  /// The archive, or the header of a member, contradicts itself; `offset` is where.
  case malformed(offset: Int)
  /// Two members claim the same bytes; `offset` is where the later one begins.
  case overlappingMembers(offset: Int)
  /// Two members have the same name.
  case duplicateName([UInt8])
  /// The archive is one of several parts.
  case multipleParts
  /// The member is encrypted.
  case encrypted
  /// The member is compressed by another method than deflate.
  case unsupportedMethod(UInt16)
  /// The member claims to inflate to more than 200 times its stored size, or to more than fits in memory.
  case inflatesTooFar
  /// The member's bytes are damaged.
  case damagedContent
  /// The archive to write would be longer than 4 GiB.
  case tooLong
  /// This build of dver doesn't compress as it has to, so nothing that it makes may be kept.
  case wrongEncoder
}
