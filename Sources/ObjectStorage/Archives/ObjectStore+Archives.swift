import Archives
import Deflate
public import Hashing

extension ObjectStore {
  /// What an archive is put together from, by each place that tells of it; at least one.
  ///
  /// Two writers may have put one archive together differently, so what one place says is not what another means.
  func archives(_ id: ObjectID) throws(ObjectStoreError) -> [ArchiveObject] {
    var archives: [ArchiveObject] = []
    let (places, failure) = try places(of: id)
    var firstFailure = failure
    for place in places where place.object.kind == .archive {
      do throws(ObjectStoreError) {
        let archive = try archive(id, at: place)
        if !archives.contains(archive) { archives.append(archive) }
      } catch {
        firstFailure = firstFailure ?? error
      }
    }
    if archives.isEmpty { throw firstFailure ?? .notFound(id) }
    return archives
  }

  private func archive(_ id: ObjectID, at place: Place) throws(ObjectStoreError) -> ArchiveObject {
    let bytes = try archiveBytes(at: place)
    do throws(DecodingFailure) {
      return try ArchiveObject(decoding: bytes)
    } catch {
      if case .unsupportedFormat(let version) = error { throw .unsupportedArchive(version: version) }
      throw .corrupt(id, pack: place.location.pack, offset: place.location.offset)
    }
  }

  /// The bytes of an archive object at one place.
  func archiveBytes(at place: Place) throws(ObjectStoreError) -> [UInt8] {
    try place.pack.objectBytes(at: place.location.offset) { (_, _) throws(ObjectStoreError) in
      throw .damagedPack(place.location.pack, offset: place.location.offset, reason: .inconsistent)
    }
  }

  /// An archive put together again, in the first way that gives it.
  func rebuilt(_ archives: [ArchiveObject], id: ObjectID, limit: UInt64) throws(ObjectStoreError) -> [UInt8] {
    var firstFailure: ObjectStoreError?
    for archive in archives {
      do throws(ObjectStoreError) {
        guard UInt64(archive.byteCount) <= limit else { throw .tooLarge }
        return try rebuilt(archive, id: id)
      } catch {
        firstFailure = firstFailure ?? error
      }
    }
    throw firstFailure ?? .notFound(id)
  }

  /// An archive put together again. It hashes to its id, or is not given.
  private func rebuilt(_ archive: ArchiveObject, id: ObjectID) throws(ObjectStoreError) -> [UInt8] {
    let skeleton = try part(archive.skeleton, byteCount: archive.skeletonByteCount)
    var assembler = ZipAssembler(skeleton, byteCount: archive.byteCount)
    var deflaters: [DeflateSettings: ReproducibleDeflater] = [:]
    for item in archive.items {
      let (data, numbers) = try data(of: item, &deflaters)
      do throws(ZipError) {
        try assembler.append(item.member, data: data[...], numbers: numbers)
      } catch {
        throw .corruptContent(id)
      }
    }
    let bytes: [UInt8]
    do throws(ZipError) { bytes = try assembler.finish(directoryGap: archive.directoryGap) } catch {
      throw .corruptContent(id)
    }
    guard SHA256.hash(bytes) == id else { throw .corruptContent(id) }
    return bytes
  }

  private typealias ItemData = (bytes: [UInt8], numbers: (checksum: UInt32, inflatedByteCount: UInt64)?)

  /// The data of a member as it stands in the archive.
  private func data(
    of item: ArchiveObject.Item, _ deflaters: inout [DeflateSettings: ReproducibleDeflater]
  ) throws(ObjectStoreError) -> ItemData {
    let known = item.numbers.map { ($0.checksum, $0.inflatedByteCount) }
    switch item.source {
    case .skeleton: return ([], known)
    case .stored(let id, let byteCount): return (try part(id, byteCount: byteCount), known)
    case .deflated(let id, let byteCount, let recipe):
      let content = try part(id, byteCount: byteCount)
      let deflater = deflaters[recipe.settings] ?? ReproducibleDeflater(recipe.settings)
      deflaters[recipe.settings] = deflater
      let stream = content.withUnsafeBytes { deflater.deflate($0, flushes: recipe.flushes) }
      return (stream, known ?? (CRC32.checksum(content), UInt64(content.count)))
    }
  }

  /// An archive that another one may be stored against, or `nil` where the content isn't stored as one.
  ///
  /// - Parameter device: of whose packs the bases of deltas have to be.
  public func archiveBase(_ id: ObjectID, device: [UInt8]) -> ArchiveBase? {
    for archive in (try? archives(id)) ?? [] {
      guard let skeleton = try? part(archive.skeleton, byteCount: archive.skeletonByteCount),
        let names = try? ZipSkeleton.names(in: skeleton, of: archive.items.map(\.member))
      else { continue }
      return ArchiveBase(id: id, archive: archive, names: names) { (id) in
        (try? self.deltaCandidates(for: id, device: device)) ?? []
      }
    }
    return nil
  }
}
