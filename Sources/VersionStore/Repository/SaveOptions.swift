public import SystemIO
public import Versioning

/// What a version starts from (`--based-on`).
public enum Basis: Equatable, Sendable {
  /// What the working file came from (R7).
  case workingFile
  /// Exactly these versions; empty: a document without a past.
  case versions([RecordID])
}

/// How to save.
public struct SaveOptions: Sendable {
  public var message: [UInt8]
  public var basis: Basis
  /// Records deletions even where everything, or more than half of ten or more documents, is missing (R4).
  public var allowsMassDeletion: Bool
  /// Reads every file again, whatever its times say.
  public var rereadsEverything: Bool

  var limits = SaveLimits()

  public init(
    message: [UInt8] = [], basis: Basis = .workingFile, allowsMassDeletion: Bool = false,
    rereadsEverything: Bool = false
  ) {
    self.message = message
    self.basis = basis
    self.allowsMassDeletion = allowsMassDeletion
    self.rereadsEverything = rereadsEverything
  }
}

/// How much a save does at once.
struct SaveLimits: Sendable {
  /// So many threads read and encode beside the one that writes.
  var threadCount = Machine.processorCount
  /// From so many files on they are read ahead.
  var leastFileCount = 32
  /// How much new content goes into one group, in bytes; a larger save is made of several, and while one is written
  /// the next is read.
  var groupByteCount: UInt64 = 16 << 20
  /// How much of one content does, in bytes.
  var contentByteCount: UInt64 = 32 << 20
}

/// What came of saving.
public struct SaveReport: Sendable {
  /// The versions made, in the order of their paths.
  public var saved: [Version] = []
  /// Files that could not be read: they are as they were in the store (R4).
  public var unreadable: [UnreadableFile] = []
  /// Paths of pipes, sockets and devices, which are no documents.
  public var notDocuments: [DocumentPath] = []
  /// Files that an interrupted run left, with content that no version holds: where they are now.
  public var displaced: [FilePath] = []

  public init() {}
}

/// A file or folder that could not be read.
public struct UnreadableFile: Equatable, Sendable {
  public let path: DocumentPath
  /// For people: what happened.
  public let reason: String

  public init(path: DocumentPath, reason: String) {
    self.path = path
    self.reason = reason
  }
}
