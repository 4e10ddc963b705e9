import Hashing

extension PackSealer {
  /// Where an entry stood: the number of the source, and the offset there.
  struct Origin: Hashable {
    let source: Int
    let offset: UInt64
  }

  /// A blob and a chunk list can have the same id.
  struct ObjectKey: Hashable {
    let id: ObjectID
    let kind: ObjectKind

    init(id: ObjectID, kind: ObjectKind) {
      self.id = id
      self.kind = kind
    }

    init(_ object: ObjectEntry) {
      self.init(id: object.id, kind: object.kind)
    }
  }

  /// Objects that are in the new pack.
  struct PlacedObjects {
    struct Placed {
      let offset: UInt64
      let depth: UInt8
    }

    var byOrigin: [Origin: Placed] = [:]
    /// The copy with the least depth.
    var byID: [ObjectKey: Placed] = [:]
    var items: [SealedPack.Item] = []
  }

  /// Records that are in the new pack.
  struct PlacedRecords {
    struct Placed {
      let offset: UInt64
      let depth: UInt8
      let full: [UInt8]
    }

    var placed: [Placed] = []
    var byOrigin: [Origin: Int] = [:]
    var byID: [ObjectID: Int] = [:]
    var items: [SealedPack.Item] = []
  }
}
