import Hashing
import Testing
import VersionStore
import Versioning

@testable import DverCommands

@Suite("Version objects") struct VersionWriterTests {
  private let record = VersionRecord(
    document: DocumentID(high: 1, low: 2), parents: [RecordID(ObjectID(digest: [UInt8](repeating: 1, count: 32))!)],
    path: DocumentPath(Array("notes/a.md".utf8))!, kind: .file,
    content: ObjectID(digest: [UInt8](repeating: 2, count: 32))!, size: 1234, mode: 0o644,
    modificationTime: FileTime(seconds: 1_796_033_700, nanoseconds: 0)!,
    logicalTime: LogicalTime(milliseconds: 0, counter: 0), wallTime: 1_796_033_702_120,
    device: DeviceID(high: 3, low: 4), origin: .save, message: Array("m".utf8))

  private func text(_ record: VersionRecord, _ state: VersionState, name: [UInt8] = Array("laptop".utf8)) -> String {
    var json = JSONWriter()
    let version = Version(id: RecordID(ObjectID(digest: [UInt8](repeating: 0, count: 32))!), record: record)
    json.object {
      VersionWriter.members(of: version, deviceName: name, state: state, isResolved: false, isLocal: true, to: &$0)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("have the members of the contract in its order")
  func golden() {
    let zeros = String(repeating: "00", count: 32)
    #expect(
      text(record, .current)
        == "{\"version\":\"\(zeros)\",\"document\":\"00000000000000010000000000000002\",\"path\":\"notes/a.md\","
        + "\"kind\":\"file\",\"state\":\"current\",\"parents\":[\"\(String(repeating: "01", count: 32))\"],"
        + "\"content\":\"\(String(repeating: "02", count: 32))\",\"size\":1234,\"mode\":\"644\","
        + "\"modifiedAt\":\"2026-11-30T10:15:00.000Z\",\"savedAt\":\"2026-11-30T10:15:02.120Z\","
        + "\"device\":{\"id\":\"00000000000000030000000000000004\",\"name\":\"laptop\"},\"origin\":\"save\","
        + "\"message\":\"m\",\"isConflict\":false,\"isResolved\":false,\"isLocal\":true}")
  }

  @Test("of a deletion have no content, of an automatic merge no device")
  func nulls() {
    var deletion = record
    deletion.kind = .deleted
    deletion.content = nil
    deletion.device = nil
    deletion.modificationTime = FileTime(wholeSeconds: 253_402_300_800)
    deletion.path = DocumentPath([0xff])!
    let object = text(deletion, .conflict)
    #expect(object.contains(#""kind":"deleted","state":"conflict""#))
    #expect(object.contains(#""content":null"#))
    #expect(object.contains(#""device":null"#))
    #expect(object.contains(#""modifiedAt":null,"modifiedAtSeconds":253402300800"#))
    #expect(object.contains(#""pathBytes":"/w==""#) && !object.contains(#""path""#))
    #expect(object.contains(#""isConflict":true"#))
  }

  @Test("name every kind, origin and state", arguments: [VersionState.current, .conflict, .history, .removed])
  func words(state: VersionState) {
    #expect(text(record, state).contains("\"state\":\"\(state.rawValue)\""))
    #expect(
      [VersionKind.file, .package, .symbolicLink, .deleted].map(\.word) == ["file", "package", "symlink", "deleted"])
    #expect(
      (1...9).compactMap { VersionOrigin(rawValue: $0)?.word }
        == ["save", "restore", "merge", "resolve", "import", "watch", "delete", "rename", "undo"])
  }
}
