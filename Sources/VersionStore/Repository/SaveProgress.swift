public import Versioning

/// How far a save is.
public struct SaveProgress: Sendable {
  /// A large file that is read or stored.
  public struct File: Sendable {
    public enum Stage: Sendable {
      /// It is read whole, hashed and cut into chunks.
      case reading
      /// Those chunks that the store lacks are stored.
      case storing
    }

    public var path: DocumentPath
    public var stage: Stage
    /// Bytes of the file, and of how many.
    public var done: UInt64
    public var total: UInt64

    public init(path: DocumentPath, stage: Stage, done: UInt64, total: UInt64) {
      self.path = path
      self.stage = stage
      self.done = done
      self.total = total
    }
  }

  /// Files that are done, of how many that are new or may have changed.
  public var done: Int
  public var total: Int
  /// Present while one file takes long enough to be told of.
  public var file: File?

  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

extension SaveProgress {
  /// Tells `report` how far a large file of a path is.
  func of(
    _ path: DocumentPath, _ stage: File.Stage, _ report: @escaping (SaveProgress) -> Void
  ) -> ByteProgress {
    ByteProgress { done, total in
      var state = self
      state.file = File(path: path, stage: stage, done: done, total: total)
      report(state)
    }
  }
}

/// What a large file's reading is to tell how far it is, in bytes, and of how many.
struct ByteProgress {
  let report: (_ done: UInt64, _ total: UInt64) -> Void

  static var none: ByteProgress { ByteProgress { _, _ in } }
}
