import Hashing
import Testing
import Versioning

/// A value and the only bytes that stand for it, as in docs/format.md, "Golden bytes".
struct GoldenRecord: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let record: Record
  let hexadecimal: String
  let id: String

  static let all = [
    GoldenRecord(
      testDescription: "a first version",
      record: .version(
        .sample(
          parents: [], path: "Briefe/Ü.txt", content: 0xC1, size: 1234, modified: (1_764_460_799, 250_000_000))),
      hexadecimal: """
        010111111111111111111111111111111111000d4272696566652fc39c2e74787401c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1\
        c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1d209a403fea3dc920d80e59a7780a0f9a0da660080a0f9a0da6601d1d1d1d1d1d1d1\
        d1d1d1d1d1d1d1d1d1010000
        """,
      id: "888176376144569445294574743a0cd1bceeb3d62396111ad6201e17b5a889ec"),
    GoldenRecord(
      testDescription: "a resolution with a message",
      record: .version(
        .sample(
          parents: [0xA1], content: 0xC2, size: 200, mode: 0o755, modified: (-1, 999_999_999), counter: 7,
          wallTime: 1_764_460_799_000, origin: .resolve, message: "both")),
      hexadecimal: """
        01011111111111111111111111111111111101a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1\
        a105612e74787401c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c801ed0301ff93ebdc03\
        80a0f9a0da6607b090f9a0da6601d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1040004626f7468
        """,
      id: "4e85b1289c382cd39307d53c9130b670c41f6fcf7bcb9bd703c4a25bf16028dd"),
    GoldenRecord(
      testDescription: "an automatic merge at the end of time",
      record: .version(
        .sample(
          parents: [0xA2, 0xA1], kind: .symbolicLink, content: 0xC3, size: 4, mode: 0o777,
          modified: (1_764_460_799, 0), milliseconds: LogicalTime.lastMillisecond, counter: .max,
          wallTime: LogicalTime.lastMillisecond, device: nil, origin: .merge, mergeRules: 1)),
      hexadecimal: """
        01011111111111111111111111111111111102a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2\
        a2a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a105612e74787403c3c3c3c3c3c3c3c3c3c3\
        c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c304ff03fea3dc920d00feeffea1fa9d73ffffffff0ffeeffea1fa9d73\
        00030100
        """,
      id: "9d1d8714dd3447ef3bcab7c654f32043a9ad6120ee1e6f80e2842c0071468734"),
    GoldenRecord(
      testDescription: "a deletion at the beginning of time",
      record: .version(
        .sample(
          parents: [0xA3, 0xA1, 0xA2], kind: .deleted, content: nil, size: 0, modified: (0, 0),
          milliseconds: LogicalTime.firstMillisecond, wallTime: LogicalTime.firstMillisecond, device: 0xD2,
          origin: .delete)),
      hexadecimal: """
        01011111111111111111111111111111111103a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3\
        a3a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2\
        a2a2a2a2a2a2a2a2a2a2a2a2a2a2a205612e7478740400a4030000ffdfe6a2e2a01c00ffdfe6a2e2a01c01d2d2d2d2d2d2d2\
        d2d2d2d2d2d2d2d2d2070000
        """,
      id: "92d3b57c7192326527264c6e38a5d1391483e35894b732ee8d9f0cbc26a7a882"),
    GoldenRecord(
      testDescription: "a removal",
      record: .removal(
        RemovalRecord(
          kept: .sample(0xA1), removesAncestors: true, listed: [.sample(0xA2), .sample(0xA3)], device: .sample(0xD1),
          logicalTime: LogicalTime(milliseconds: 1_764_460_800_000, counter: 1), wallTime: 1_764_460_800_000)),
      hexadecimal: """
        0102a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a10102a2a2a2a2a2a2a2a2a2a2a2a2a2a2\
        a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3\
        d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da660180a0f9a0da66
        """,
      id: "0cd1346871cddfa9322bd9a82fe23eb5bbdfc21fc202f25353cfc140a694cdbd"),
    GoldenRecord(
      testDescription: "a retraction",
      record: .retraction(
        RetractionRecord(
          names: [.sample(0xA1), .sample(0xB1)], device: .sample(0xD1),
          logicalTime: LogicalTime(milliseconds: 1_764_460_800_000, counter: 2), wallTime: 1_764_460_800_000)),
      hexadecimal: """
        010302a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1\
        b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da660280a0f9a0da66
        """,
      id: "3c74aecbb519fb51bdfcc67b0daea035a09f3e211b23bc05dacd5ee342cc636b"),
    GoldenRecord(
      testDescription: "a device",
      record: .device(
        DeviceRecord(
          device: .sample(0xD1), name: Array("Mühle".utf8), platform: Array("Linux".utf8), continues: .sample(0xD0),
          isRetired: false, author: .sample(0xD1),
          logicalTime: LogicalTime(milliseconds: 1_764_460_800_000, counter: 0), wallTime: 1_764_460_800_000)),
      hexadecimal: """
        0105d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1064dc3bc686c65054c696e757801d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d000d1\
        d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da660080a0f9a0da66
        """,
      id: "e2a50140f5e19a60eba795b49532f8372b78d54da6cd765b64b46ef297271956"),
    GoldenRecord(
      testDescription: "a setting",
      record: .setting(
        SettingRecord(
          key: Array("packages".utf8), value: Array("*.pages".utf8), device: .sample(0xD1),
          logicalTime: LogicalTime(milliseconds: 1_764_460_800_000, counter: 0), wallTime: 1_764_460_800_000)),
      hexadecimal: """
        0106087061636b6167657301072a2e7061676573d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da660080a0f9a0da66
        """,
      id: "6c89eb10c24b6f8ca3295b69609c265347c285ea1be8cd6ccb52f9b212b2e3b2"),
    GoldenRecord(
      testDescription: "a setting back to its default",
      record: .setting(
        SettingRecord(
          key: Array("packages".utf8), value: nil, device: .sample(0xD1),
          logicalTime: LogicalTime(milliseconds: 1_764_460_800_000, counter: 0), wallTime: 1_764_460_800_000)),
      hexadecimal: """
        0106087061636b6167657300d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da660080a0f9a0da66
        """,
      id: "5cc16c9bc742ed45129a801b36fef41fbd773c237bc507816fc8c17f7fefc6c4"),
  ]
}

/// A record written against a predecessor.
struct GoldenElision: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let record: VersionRecord
  let contentInEntry: ObjectID?
  let hexadecimal: String

  /// The first golden record under a made-up id.
  static let predecessor = Version(
    id: .sample(0xA1),
    record: .sample(
      parents: [], path: "Briefe/Ü.txt", content: 0xC1, size: 1234, modified: (1_764_460_799, 250_000_000)))

  static let all = [
    GoldenElision(
      testDescription: "a plain save",
      record: .sample(
        parents: [0xA1], path: "Briefe/Ü.txt", content: 0xC2, size: 1240, modified: (1_764_460_805, 500_000_000),
        milliseconds: 1_764_460_805_600, wallTime: 1_764_460_805_600),
      contentInEntry: .sample(0xC2),
      hexadecimal: "000c0c80cab5ee01c801"),
    GoldenElision(
      testDescription: "everything differs",
      record: .sample(
        document: 0x12, parents: [0xA2, 0xA1], path: "b", kind: .symbolicLink, content: 0xC4, size: 3, mode: 0o777,
        modified: (1_764_460_799, 0), counter: 3, device: 0xD2, origin: .resolve, message: "m"),
      contentInEntry: nil,
      hexadecimal: """
        ff0302a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1\
        a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a112121212121212121212121212121212016203ff03c4c4c4c4c4c4c4c4c4c4c4c4\
        c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c49d130000d00f80a0f9a0da660301d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2\
        0400016d
        """),
    GoldenElision(
      testDescription: "a deletion",
      record: .sample(
        parents: [0xA1], path: "Briefe/Ü.txt", kind: .deleted, content: nil, size: 0, modified: (1_764_460_800, 0),
        origin: .delete),
      contentInEntry: nil,
      hexadecimal: "880104a4030200000700"),
  ]
}
