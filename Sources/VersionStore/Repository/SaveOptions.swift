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

  /// How work is spread over threads.
  var threads = SaveThreads()

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

/// When a save uses threads, and how many.
struct SaveThreads: Sendable {
  /// How many read and encode beside the one that writes.
  var count = Machine.processorCount
  /// From so many files on they are read ahead.
  var leastFileCount = 64
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
