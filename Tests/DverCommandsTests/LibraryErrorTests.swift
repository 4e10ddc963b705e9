import Exchange
import Hashing
import SystemIO
import Testing
import VersionStore
import Versioning

@testable import DverCommands

@Suite("Errors of the library") struct LibraryErrorTests {
  private static let path = DocumentPath(Array("a\nb".utf8))!
  private static let id = RecordID(.init(digest: [UInt8](repeating: 0xab, count: 32))!)

  private static let repositoryErrors: [(RepositoryError, FailureCode)] = [
    (.notARepository(FilePath("/x")), .noStore), (.outside([0x2f]), .usage), (.noSuchDocument(path), .noDocument),
    (.noSuchVersion([0x61], path), .noVersion),
    (.nothingSaved(upTo: 0, path, first: 1), .noVersion), (.noSuchDevice([0x61]), .noDevice),
    (.ambiguous([0x61], candidates: [id, id]), .ambiguous), (.foreignVersion(id, path), .usage),
    (.refused(.unsavedChanges(path)), .unsavedChanges), (.refused(.removedVersion(id)), .removedVersion),
    (.refused(.massDeletion(missing: 3, of: 3)), .massDeletion), (.refused(.stoodOn(path)), .notPossible),
    (.refused(.nothingToUndo), .notPossible), (.refused(.currentVersion(path)), .notPossible),
    (.refused(.pathTaken(path)), .alreadyExists), (.refused(.unreachable(path)), .notPossible),
    (.refused(.changing(path)), .notPossible), (.refused(.noConflict(path)), .notPossible),
    (.refused(.notTwoSides(path)), .notPossible), (.refused(.nothingToKeep(path)), .notPossible),
    (.refused(.notMergeable(path)), .notPossible),
    (.locked(FilePath("l")), .locked), (.readOnly(FilePath("l")), .readOnly),
    (.unsupportedFormat([0x39]), .newerFormat),
    (.damaged("x"), .damage), (.incomplete(id), .damage), (.notLocal(id.digest), .notLocal),
    (.system(SystemError(function: "f", path: nil, code: 28)), .diskFull),
  ]

  @Test("have a code, and one safe line that says what to do", arguments: repositoryErrors.indices)
  func repository(row: Int) {
    let (error, code) = Self.repositoryErrors[row]
    let failure = CommandFailure(describing: error)
    #expect(failure.code == code)
    let line = failure.line(command: "x")
    #expect(!line.contains("\n") && line.hasPrefix("dver: x: "))
    if case .system = error { return }
    #expect(failure.advice != nil, "\(error)")
    #expect(line.split(separator: ": ").count >= 4, "\(line)")
  }

  private static let remoteErrors: [(RemoteError, Int32)] = [
    (.unreachable(place: "/r", reason: "gone"), 6), (.notARemote(place: "/r", reason: "empty"), 6),
    (.readOnly(place: "/r"), 6), (.refused(.marker), 6), (.noSpace(place: "/r"), 4), (.unsupportedFormat("2"), 4),
    (.notFound(.marker), 6), (.system(SystemError(function: "f", path: FilePath("/r"), code: 5)), 6),
  ]

  @Test("of remotes have the statuses of the contract", arguments: remoteErrors.indices)
  func remote(row: Int) {
    let (error, status) = Self.remoteErrors[row]
    #expect(CommandFailure(describing: ExchangeError.remote(error)).status.rawValue == status)
  }

  @Test("of exchange have the statuses of the contract")
  func exchange() {
    #expect(CommandFailure(ExchangeError.notYet(scheme: "ssh")).status == .remote)
    #expect(CommandFailure(ExchangeError.invalidURL("x")).status == .usage)
    #expect(CommandFailure(ExchangeError.notEmpty(FilePath("x"))).status == .refused)
    #expect(CommandFailure(ExchangeError.busy(FilePath("x"))).code == .locked)
    #expect(CommandFailure(ExchangeError.repository(.damaged("x"))).status == .damage)
  }

  @Test("list the versions that a short id may mean")
  func candidates() {
    let failure = CommandFailure(RepositoryError.ambiguous(Array("abab".utf8), candidates: [Self.id, Self.id]))
    #expect(failure.message == "\"abab\" may be any of abababababab, abababababab: name one by more of its digits")
  }
}
