import ArgumentParsing
import Exchange
import Hashing
import SystemIO
import VersionStore
import Versioning

extension CommandFailure {
  /// Any error of the library as one line with what to do about it.
  init(describing error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as RepositoryError: self.init(error)
    case let error as ExchangeError: self.init(error)
    case let error as SystemError: self.init(error)
    case let error as UsageError: self.init(.usage, error.message { TerminalText.quoted($0) })
    default: self.init(.system, "\(error)")
    }
  }

  init(_ error: RepositoryError) {
    switch error {
    case .notARepository(let folder):
      self.init(
        .noStore, "no dver repository is at or above", path: folder.bytes,
        advice: "make one with dver init, or name its folder with -C DIR")
    case .outside(let given):
      self.init(
        .usage, "not the path of a document in this repository:", path: given,
        advice: "name a path below the repository's folder and outside of .dver")
    case .noSuchDocument(let path):
      self.init(
        .noDocument, "no document is at", path: path.bytes,
        advice: "check the path, dver log --all shows deleted documents too")
    case .noSuchVersion(let text, let path):
      self.init(
        .noVersion, "no version \(TerminalText.quoted(text)) of", path: path.bytes, advice: "see dver log --all PATH")
    case .nothingSaved(let time, let path, let first):
      self.init(
        .noVersion, "nothing was saved up to \(TimeFormat.short(milliseconds: time)) of", path: path.bytes,
        advice: "its first version is of \(TimeFormat.short(milliseconds: first))")
    case .noSuchDevice(let text):
      self.init(.noDevice, "no device is called \(TerminalText.quoted(text))", advice: "see dver device list")
    case .ambiguous(let text, let candidates):
      let list = candidates.prefix(10).map { $0.hexadecimal.prefix(12) }.joined(separator: ", ")
      let more = candidates.count > 10 ? " and \(candidates.count - 10) more" : ""
      self.init(
        .ambiguous, "\(TerminalText.quoted(text)) may be any of \(list)\(more)",
        advice: "name one by more of its digits")
    case .foreignVersion(let id, let path):
      self.init(
        .usage, "version \(id.shortText) is not one of", path: path.bytes,
        advice: "name a version of that document, or none")
    case .refused(let refusal): self.init(refusal)
    case .locked:
      self.init(
        .locked, "another dver works in this store",
        advice: "try again later, or wait longer with --lock-timeout SECONDS")
    case .readOnly(let place):
      self.init(.readOnly, "can't write to", path: place.bytes, advice: "check its permissions and its medium")
    case .unsupportedFormat(let format):
      self.init(.newerFormat, "the store has format \(TerminalText.quoted(format))", advice: "use a newer dver")
    case .damaged(let what): self.init(damage: what)
    case .incomplete(let id):
      self.init(damage: "version \(id.shortText) is named but isn't here")
    case .notLocal: self = Self.notLocal
    case .objects, .catalog, .system: self.init(cause: error.cause ?? .other("\(error)"))
    }
  }

  private init(damage what: String) {
    self.init(.damage, what, advice: "dver verify lists what is damaged, dver sync --check fetches what a remote has")
  }

  private static let notLocal = CommandFailure(
    .notLocal, "the content isn't on this device", advice: "dver sync with a device or remote that has it")

  private init(cause: RepositoryError.Cause) {
    switch cause {
    case .system(let error): self.init(error)
    case .damage(let what): self.init(damage: what)
    case .notLocal: self = Self.notLocal
    case .busy: self.init(.locked, "another dver works in this store", advice: "try again later")
    case .noSpace:
      self.init(.diskFull, "the disk is full", advice: "free some space and try again, nothing that was saved is lost")
    case .newerFormat(let format): self.init(.newerFormat, "a pack has format \(format)", advice: "use a newer dver")
    case .newerArchive(let form):
      self.init(.newerFormat, "a zip document is stored in form \(form)", advice: "use a newer dver")
    case .tooLarge:
      self.init(
        .notPossible, "the content is larger than dver can work with here", advice: "dver restore --to writes it")
    case .other(let text): self.init(.system, text, advice: "try again, then see dver verify")
    }
  }

  /// A file that an interrupted run left, with content that no version holds.
  static func displaced(_ path: FilePath) -> CommandFailure {
    CommandFailure(
      .partial, "an interrupted run left a file with changes that no version holds, it is now", path: path.bytes,
      advice: "look whether you need it")
  }

  /// A request that was refused to protect data.
  init(_ refusal: Refusal) {
    switch refusal {
    case .unsavedChanges(let path):
      self.init(
        .unsavedChanges, "unsaved changes in", path: path.bytes, advice: "dver save them first, or move the file away")
    case .removedVersion(let id):
      self.init(.removedVersion, "version \(id.shortText) was removed", advice: "dver undo may bring it back")
    case .massDeletion(let missing, let count):
      self.init(
        .massDeletion, "\(missing) of \(count) documents are missing",
        advice: "check that the disk is mounted; where they are meant to be deleted, use --allow-mass-delete")
    case .stoodOn(let path):
      self.init(
        .notPossible, "newer versions stand on the last operation, of", path: path.bytes,
        advice: "dver restore an earlier version instead")
    case .nothingToUndo: self.init(.notPossible, "there is nothing to undo", advice: "see dver undo --list")
    case .currentVersion(let path):
      self.init(
        .notPossible, "the version is the current one of", path: path.bytes,
        advice: "dver restore another version first, or dver rm the document")
    case .pathTaken(let path):
      self.init(.alreadyExists, "something else is at", path: path.bytes, advice: "move it away first")
    case .unreachable(let path):
      self.init(
        .notPossible, "no document can be at", path: path.bytes,
        advice: "a link or a file is on the way there, or it is a pipe, a socket or a device")
    case .changing(let path):
      self.init(.notPossible, "the file kept changing:", path: path.bytes, advice: "try again when nobody writes to it")
    case .noConflict(let path):
      self.init(.notPossible, "no conflict is at", path: path.bytes, advice: "see dver conflicts")
    case .notTwoSides(let path):
      self.init(
        .notPossible, "more or less than two sides are at", path: path.bytes, advice: "settle some with dver resolve")
    case .nothingToKeep(let path):
      self.init(
        .notPossible, "one side is a deletion, so there aren't two contents to keep, of", path: path.bytes,
        advice: "dver resolve --current or --use VERSION chooses a side")
    case .notMergeable(let path):
      self.init(
        .notPossible, "the versions can't be merged, of", path: path.bytes, advice: "choose one with dver resolve")
    }
  }
}

extension RecordID {
  /// The first eight digits, which people tell versions apart by.
  var shortText: String {
    let start = UInt32(truncatingIfNeeded: digest.prefix >> 32)
    return withUnsafeBytes(of: start.bigEndian) { Hexadecimal.encode($0) }
  }
}
