public import Hashing

extension PackFile {
  /// Whether the file hashes to its name; an active pack has no such name, and passes.
  ///
  /// Cost: about 0.6 ms a megabyte.
  public func hasItsName() -> Bool {
    guard case .sealed(let id) = name else { return true }
    return SHA256.hash(bytes) == id.digest
  }

  /// Everything wrong with the pack: its hash, every entry's checksum, the index against the entries; in an active pack
  /// what is committed. Records' contents are for others to judge.
  ///
  /// - Parameters:
  ///   - deep: also decode every object and compare it with its id.
  ///   - resolvingFar: gives an object of an older pack and of a kind, for the deep check.
  public func verify(
    deep: Bool, resolvingFar: (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]
  ) -> [PackDamage] {
    var damages: [PackDamage] = []
    if !hasItsName() { damages.append(PackDamage(pack: name, reason: .hash)) }
    var places: [UInt64] = []
    if header.isSealed {
      damages += sealedDamages(&places)
    } else {
      let end = forEachCommittedGroup { entries, _, _ in
        for entry in entries where entry.object != nil { places.append(entry.offset) }
      }
      if case .damaged(let offset, let reason) = tail(from: end) {
        damages.append(PackDamage(pack: name, offset: offset, reason: .format(reason)))
      }
    }
    if deep {
      // What threads leave, above all anything that is wrong, is looked at again in order: the report does not depend on timing.
      switch checkAhead(places) {
      case .sound(let left): damages += objectDamages(at: left, resolvingFar)
      case .unsound: damages += objectDamages(at: places, resolvingFar)
      }
    }
    return damages
  }

  /// What is wrong with the entries of a sealed pack, and its index.
  private func sealedDamages(_ places: inout [UInt64]) -> [PackDamage] {
    var damages: [PackDamage] = []
    var objects: [UInt64] = []
    do throws(ObjectStoreError) {
      try forEachObject { (entry) throws(ObjectStoreError) in objects.append(entry.offset) }
    } catch {
      damages.append(damage(error))
    }
    var recordCount = 0
    do throws(ObjectStoreError) {
      try forEachRecord { (_) throws(ObjectStoreError) in recordCount += 1 }
    } catch {
      damages.append(damage(error))
    }
    places = objects
    return damages + indexDamages(objects: objects, recordCount: recordCount)
  }

  private func damage(_ error: ObjectStoreError) -> PackDamage {
    if case .damagedPack(_, let offset, let reason) = error {
      return PackDamage(pack: name, offset: offset, reason: .format(reason))
    }
    return PackDamage(pack: name, reason: .format(.inconsistent))
  }

  /// The index holds exactly the entries, in order; whether records stand under their own ids, their owner knows.
  private func indexDamages(objects places: [UInt64], recordCount: Int) -> [PackDamage] {
    guard let footer, let objectIndex, let recordIndex else { return [] }
    let range = Int(footer.indexOffset)..<Int(footer.indexOffset + footer.indexByteCount)
    let indexBytes = UnsafeRawBufferPointer(rebasing: bytes[range])
    var isGood = PackFormat.checksum(indexBytes) == footer.indexChecksum
    isGood = isGood && places.count == objectCount && recordCount == self.recordCount && areBlocksOrdered()
    let listed = (0..<objectIndex.count).map { (objectIndex.prefix(at: $0), objectIndex.offset(at: $0)) }
    isGood = isGood && zip(listed, listed.dropFirst()).allSatisfy { $0 < $1 }
    for (prefix, offset) in listed where isGood {
      isGood = (try? object(at: UInt64(offset)))?.id.prefix == prefix
    }
    let records = (0..<recordIndex.count).map { (recordIndex.prefix(at: $0), recordIndex.offset(at: $0)) }
    isGood = isGood && zip(records, records.dropFirst()).allSatisfy { $0 < $1 }
    for (_, offset) in records where isGood {
      isGood = (try? entry(at: UInt64(offset)))?.record != nil
    }
    return isGood ? [] : [PackDamage(pack: name, offset: footer.indexOffset, reason: .index)]
  }

  func objectDamages(
    at places: [UInt64], _ resolvingFar: (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]
  ) -> [PackDamage] {
    var damages: [PackDamage] = []
    // In order, every base was decoded just before.
    let decoded = DecodedObjects()
    let blocks = BlockCache()
    for offset in places {
      guard let object = try? blocks.object(at: offset, in: self) else { continue }
      do throws(ObjectStoreError) {
        let bytes = try objectBytes(at: offset, known: decoded, blocks, resolvingFar: resolvingFar)
        if object.kind == .blob {
          decoded.insert(object.id, bytes)
        } else if !object.kind.allows(bytes, id: object.id) {
          throw .corrupt(object.id, pack: name, offset: offset)
        }
      } catch {
        damages.append(PackDamage(pack: name, offset: offset, reason: .object(object.id, error)))
      }
    }
    return damages
  }
}
