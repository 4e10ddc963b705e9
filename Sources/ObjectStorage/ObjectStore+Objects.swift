import Deflate
public import Hashing

extension ObjectStore {
  /// What is known of a stored object without decoding it.
  public struct ObjectInfo: Sendable {
    public let location: ObjectLocation
    /// Its data is not copied.
    public let entry: ObjectEntry
    /// The device whose pack it is, 16 bytes.
    public let device: [UInt8]
  }

  /// Where an object stands and how it is stored, once for each place.
  public func info(of id: ObjectID) throws(ObjectStoreError) -> [ObjectInfo] {
    try places(of: id).found.map {
      ObjectInfo(location: $0.location, entry: $0.object, device: $0.pack.header.device)
    }
  }

  /// Whether an object of that id, of whatever kind, is at hand; its bytes are not decoded.
  public func contains(_ id: ObjectID) throws(ObjectStoreError) -> Bool {
    try !places(of: id).found.isEmpty
  }

  func contains(_ id: ObjectID, _ kind: ObjectKind) throws(ObjectStoreError) -> Bool {
    try places(of: id).found.contains { $0.object.kind == kind }
  }

  /// A blob's bytes, verified. Every place is tried.
  public func object(_ id: ObjectID) throws(ObjectStoreError) -> [UInt8] {
    try bytes(of: id, kind: .blob)
  }

  /// What another object may be stored against: a blob's bytes, verified, or those of a chunk list or an archive.
  public func base(_ id: ObjectID, _ kind: ObjectKind) throws(ObjectStoreError) -> [UInt8] {
    try bytes(of: id, kind: kind)
  }

  /// Objects to store a new one against: at most one blob and one chunk list, and every archive, since these may have other
  /// bytes elsewhere; none where the device's own packs have none.
  public func deltaCandidates(for id: ObjectID, device: [UInt8]) throws(ObjectStoreError) -> [DeltaCandidate] {
    var candidates: [DeltaCandidate] = []
    for place in try places(of: id).found where place.pack.header.device == device {
      let kind = place.object.kind
      if kind != .archive, candidates.contains(where: { $0.kind == kind }) { continue }
      let candidate = DeltaCandidate(id: id, kind: kind, location: place.location, depth: place.object.depth) {
        () throws(ObjectStoreError) in
        kind == .archive ? try self.archiveBytes(at: place) : try self.bytes(of: id, kind: kind)
      }
      candidates.append(candidate)
    }
    return candidates
  }

  /// How many objects of other packs may be gone through; depths bound the rest.
  private static let stepLimit = 1024
  /// How often another place is tried where one turns out damaged.
  private static let attemptLimit = 64

  /// An object's bytes. A blob is verified, a chunk list or an archive decodes.
  ///
  /// A first attempt verifies the result alone. Where that fails, further ones verify every object at which another
  /// pack is entered, and go around those that are damaged.
  func bytes(of id: ObjectID, kind: ObjectKind) throws(ObjectStoreError) -> [UInt8] {
    if kind == .blob, let known = decoded[id] { return known }
    var search = Search(id: id, kind: kind)
    for attempt in 0..<Self.attemptLimit {
      let segments = try segments(&search)
      if let bytes = decode(segments, &search, isCareful: attempt > 0) {
        if kind == .blob { decoded.insert(id, bytes) }
        return bytes
      }
    }
    throw search.failure ?? .notFound(id)
  }

  /// The state of a search: places known to be no good, and why the first of them isn't.
  private struct Search {
    let id: ObjectID
    let kind: ObjectKind
    var excluded: Set<ObjectLocation> = []
    var failure: ObjectStoreError?

    mutating func exclude(_ location: ObjectLocation, _ error: ObjectStoreError) {
      excluded.insert(location)
      failure = failure ?? error
    }
  }

  /// The part of a chain that lies in one pack.
  private struct Segment {
    let place: Place
    let chain: DeltaChain
  }

  /// Finds a way to bytes that depend on nothing, from the wanted object down.
  private func segments(_ search: inout Search) throws(ObjectStoreError) -> [Segment] {
    var segments: [Segment] = []
    var wanted = search.id
    var steps = 0
    while true {
      let (found, failure) = try places(of: wanted)
      let place = found.first { $0.object.kind == search.kind && !search.excluded.contains($0.location) }
      guard let place else {
        let error = failure ?? .notFound(wanted)
        guard let above = segments.popLast() else { throw search.failure ?? error }
        search.exclude(above.place.location, error)
        wanted = above.place.object.id
        continue
      }
      do throws(ObjectStoreError) {
        let chain = try place.pack.chain(at: place.location.offset, known: decoded, blocks)
        steps += chain.deltas.count + 1
        guard steps <= Self.stepLimit else {
          throw .damagedPack(place.location.pack, offset: place.location.offset, reason: .inconsistent)
        }
        segments.append(Segment(place: place, chain: chain))
        guard case .far(let base) = chain.foundation else { return segments }
        wanted = base
      } catch {
        search.exclude(place.location, error)
      }
    }
  }

  /// Decodes from the bottom up, or notes which segment is no good.
  private func decode(_ segments: [Segment], _ search: inout Search, isCareful: Bool) -> [UInt8]? {
    let inflater = Inflater()
    var bytes: [UInt8] = []
    for (number, segment) in segments.enumerated().reversed() {
      let place = segment.place
      do throws(ObjectStoreError) {
        switch segment.chain.foundation {
        case .whole(let link): bytes = try place.pack.wholeBytes(of: link, inflater)
        case .known(let known): bytes = known
        case .member(let block, let number): bytes = try place.pack.memberBytes(number, of: block, blocks, inflater)
        case .far: break
        }
        bytes = try place.pack.applying(segment.chain.deltas, to: bytes, inflater)
        if number == 0 || isCareful { try verify(bytes, place) }
      } catch {
        // Without care the fault may lie below: the next attempt tells.
        if isCareful || segments.count == 1 { search.exclude(place.location, error) }
        return nil
      }
    }
    return bytes
  }

  private func verify(_ bytes: [UInt8], _ place: Place) throws(ObjectStoreError) {
    guard place.object.kind.allows(bytes, id: place.object.id) else {
      throw .corrupt(place.object.id, pack: place.location.pack, offset: place.location.offset)
    }
  }
}
