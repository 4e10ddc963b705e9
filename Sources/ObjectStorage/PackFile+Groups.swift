/// What stands behind the last commit entry of an active pack.
public enum PackTail: Equatable, Sendable {
  /// Nothing.
  case none
  /// A group that was not committed.
  case torn
  /// Something unreadable at an offset, with a commit entry behind it. A write that was torn seldom leaves such a
  /// thing, and
  /// as it may be more than that, it is never cut.
  case damaged(offset: UInt64, reason: PackFormatError)
}

extension PackFile {
  /// Gives the committed groups that begin at an offset, or at the first entry, in order, and returns where the last
  /// one ends.
  ///
  /// A group's entries do not hold their objects' data. It stops in front of a group that is not committed or that is
  /// damaged: ``tail(from:)`` tells which.
  public func forEachCommittedGroup<E>(
    from offset: UInt64 = 0,
    _ body: (_ entries: [PackEntry], _ operation: PackOperation, _ end: UInt64) throws(E) -> Void
  ) throws(E) -> UInt64 {
    var end = max(offset, UInt64(header.byteCount))
    guard !header.isSealed else { return end }
    var released = end
    while let group = committedGroup(from: end) {
      end = group.end
      try body(group.entries, group.operation, end)
      if end - released > Self.walkByteCount {
        releaseMemory()
        released = end
      }
    }
    return end
  }

  /// Gives the committed groups as ``forEachCommittedGroup(from:_:)`` does, and those behind damage as well.
  public func forEachReadableGroup<E>(
    from offset: UInt64 = 0,
    _ body: (_ entries: [PackEntry], _ operation: PackOperation, _ end: UInt64) throws(E) -> Void
  ) throws(E) -> UInt64 {
    var end = try forEachCommittedGroup(from: offset, body)
    while case .damaged(let place, _) = tail(from: end), let next = groupStart(behind: place), next > end {
      end = try forEachCommittedGroup(from: next, body)
    }
    return end
  }

  /// Whether something unreadable stands in front of a committed group.
  public var isDamagedInside: Bool {
    let end = forEachCommittedGroup { _, _, _ in }
    if case .damaged = tail(from: end) { return true }
    return false
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

  /// Where the first commit entry at or behind an offset ends: reading groups can go on there after a damaged one.
  public func groupStart(behind offset: UInt64) -> UInt64? {
    guard !header.isSealed, let commit = PackFormat.commitEntry(in: bytes, from: offset) else { return nil }
    return commit + UInt64(PackFormat.commitByteCount)
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
        let isFollowed = PackFormat.commitEntry(in: bytes, from: offset) != nil
        return isFollowed ? .damaged(offset: offset, reason: error) : .torn
      }
    }
    return .torn
  }
}

extension PackFormat {
  /// Where, at or behind an offset, the bytes of a valid commit entry begin.
  static func commitEntry(in bytes: UnsafeRawBufferPointer, from offset: UInt64) -> UInt64? {
    guard bytes.count >= commitByteCount, offset <= UInt64(bytes.count - commitByteCount) else { return nil }
    for start in Int(offset)...bytes.count - commitByteCount
    where bytes[start] == EntryType.commit && bytes[start + 1] == 1 {
      if (try? decodeEntry(in: bytes, at: UInt64(start))) != nil { return UInt64(start) }
    }
    return nil
  }
}
