import SystemIO
import Testing
import VersionStore

@testable import DverCommands

@Suite("Command failures") struct CommandFailureTests {
  @Test("have the statuses of the contract")
  func statuses() {
    let expected: [(Int32, [FailureCode])] = [
      (2, [.usage]), (3, [.noStore, .noDocument, .noVersion, .noRemote, .noDevice, .noFile, .ambiguous]),
      (
        4,
        [
          .unsavedChanges, .removedVersion, .notLocal, .massDeletion, .alreadyExists, .notPossible, .partial, .locked,
          .readOnly, .diskFull, .permission, .newerFormat, .system,
        ]
      ),
      (5, [.damage]), (6, [.remoteUnreachable, .remoteRefused]), (130, [.interrupted]),
    ]
    for (status, codes) in expected {
      for code in codes { #expect(code.status.rawValue == status) }
    }
    #expect(Set(expected.flatMap(\.1)) == Set(FailureCode.allCases))
  }

  @Test("are one safe line whatever they name")
  func line() {
    let failure = CommandFailure(
      .noDocument, "no document is at", path: [0x61, 0x0a, 0x1b, 0xff], advice: "see dver status\u{202E}")
    #expect(
      failure.line(command: "cat")
        == #"dver: cat: no document is at "a\n\x1b\xff": see dver status\xe2\x80\xae"#)
    #expect(CommandFailure(.locked, "busy").line(command: nil) == "dver: busy")
  }

  @Test("are one JSON object, its path in base64 where it is no UTF-8")
  func json() {
    var json = JSONWriter()
    CommandFailure(.noFile, "no file", path: [0xff]).write(to: &json)
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"error":{"code":"no-file","message":"no file \"\\xff\"","pathBytes":"/w=="}}"#)
    var other = JSONWriter()
    CommandFailure(.locked, "busy", advice: "wait").write(to: &other)
    #expect(
      String(decoding: other.bytes, as: UTF8.self) == #"{"error":{"code":"locked","message":"busy: wait"}}"#)
  }

  @Test(
    "take their code from the system's error",
    arguments: [(2, .noFile), (13, .permission), (28, .diskFull), (30, .readOnly), (5, .system)]
      as [(Int32, FailureCode)])
  func systemErrors(number: Int32, code: FailureCode) {
    let failure = CommandFailure(
      SystemError(function: "open", path: FilePath("a\nb"), code: number), doing: "opening")
    #expect(failure.code == code)
    #expect(failure.message.hasPrefix("opening: "))
    #expect(failure.message.contains(": \"a\\nb\": "))
  }

  @Test("of the system are themselves behind any error")
  func anyError() {
    let error = SystemError(function: "open", path: FilePath("a"), code: 2)
    for failure in [CommandFailure(describing: error), CommandFailure(describing: RepositoryError.system(error))] {
      #expect(failure == CommandFailure(error))
    }
  }
}
