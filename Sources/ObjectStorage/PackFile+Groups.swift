/// What stands behind the last commit entry of an active pack.
public enum PackTail: Equatable, Sendable {
  /// Nothing.
  case none
  /// A group that was not committed.
  case torn
  /// Something unreadable at an offset, with a commit entry behind it: a torn write leaves no such thing.
  case damaged(offset: UInt64, reason: PackFormatError)
}

extension PackFile {
  /// Gives the committed groups that begin at an offset, or at the first entry, in order, and returns where the last one ends.
  ///
  /// A group's entries do not hold their objects' data. It stops in front of a group that is not committed or that is
  /// damaged: ``tail(from:)`` tells which.
  public func forEachCommittedGroup<E>(
    from offset: UInt64 = 0,
    _ body: (_ entries: [PackEntry], _ operation: PackOperation, _ end: UInt64) throws(E) -> Void
  ) throws(E) -> UInt64 {
    var end = max(offset, UInt64(header.byteCount))
    guard !header.isSealed else { return end }
    while let group = committedGroup(from: end) {
      end = group.end
      try body(group.entries, group.operation, end)
    }
    return end
  }

  private func committedGroup(
    from offset: UInt64
  ) -> (entries: [PackEntry], operation: PackOperation, end: UInt64)? {
    var entries: [PackEntry] = []
    var offset = offset
    while let entry = try? decodeEntry(at: offset) {
      offset = entry.end
      if case .commit(let operation) = entry.content { return (entries, operation, offset) }
      entries.append(entry)
    }
    return nil
  }

  /// What stands behind the end of the last committed group.
  ///
  /// - Complexity: O(length of the tail)
  public func tail(from committedEnd: UInt64) -> PackTail {
    guard committedEnd < byteCount else { return .none }
    var offset = committedEnd
    while offset < byteCount {
      do throws(PackFormatError) {
        offset = try decodeEntry(at: offset).end
      } catch {
        return PackFormat.hasCommitEntry(in: bytes, from: offset) ? .damaged(offset: offset, reason: error) : .torn
      }
    }
    return .torn
  }
}

extension PackFormat {
  /// Whether the bytes of a valid commit entry begin anywhere at or behind an offset.
  static func hasCommitEntry(in bytes: UnsafeRawBufferPointer, from offset: UInt64) -> Bool {
    guard bytes.count >= commitByteCount, offset <= UInt64(bytes.count - commitByteCount) else { return false }
    for start in Int(offset)...bytes.count - commitByteCount
    where bytes[start] == EntryType.commit && bytes[start + 1] == 1 {
      if (try? decodeEntry(in: bytes, at: UInt64(start))) != nil { return true }
    }
    return false
  }
}
