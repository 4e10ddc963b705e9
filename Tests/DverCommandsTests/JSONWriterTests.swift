import TestSupport
import Testing

@testable import DverCommands

@Suite("JSON objects") struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object(body)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("keep the order of their members")
  func order() {
    let written = text { json in
      json.member("b", "x")
      json.member("a", 5)
      json.member("n", nil as String?)
      json.member("i", nil as Int?)
      json.null("z")
      json.member("t", true)
      json.member("large", UInt64.max)
      json.member("small", Int64.min)
      json.member("list", strings: ["p", "q"])
      json.member("none", strings: [])
      json.member(
        "device",
        object: { device in
          device.member("id", "1")
          device.member("name", "laptop")
        })
      json.member("each", objects: [1, 2]) { json, number in json.member("k", number) }
      json.member("last", false)
    }
    #expect(
      written == """
        {"b":"x","a":5,"n":null,"i":null,"z":null,"t":true,"large":18446744073709551615,\
        "small":-9223372036854775808,"list":["p","q"],"none":[],"device":{"id":"1","name":"laptop"},\
        "each":[{"k":1},{"k":2}],"last":false}
        """)
    #expect(text { _ in } == "{}")
  }

  @Test(
    "escape what JSON or a terminal would take for something else",
    arguments: [
      ("a\"b\\c", #"a\"b\\c"#), ("\n\r\t", #"\n\r\t"#), ("\u{0}\u{1B}", #"\u0000\u001b"#), ("ä日👩", "ä日👩"),
      ("\u{7F}\u{9B}", #"\u007f\u009b"#), ("\u{202E}", #"\u202e"#), ("\u{2028}", #"\u2028"#),
      ("\u{E0041}", #"\udb40\udc41"#), ("/", "/"),
    ])
  func escapes(value: String, expected: String) {
    #expect(text { $0.member("k", value) } == "{\"k\":\"\(expected)\"}")
  }

  @Test("give a path that is no UTF-8 as base64")
  func paths() {
    #expect(text { $0.path("path", Array("a/ä".utf8)) } == #"{"path":"a/ä"}"#)
    #expect(text { $0.path("path", [0x61, 0xff]) } == #"{"pathBytes":"Yf8="}"#)
    #expect(text { $0.path("from", [0xed, 0xa0, 0x80]) } == #"{"fromBytes":"7aCA"}"#)
    #expect(text { $0.path("path", [0xc0, 0xaf]) } == #"{"pathBytes":"wK8="}"#)
  }

  @Test("replace what is no UTF-8 in text")
  func lossyText() {
    #expect(text { $0.text("message", [0x61, 0xff, 0x62]) } == "{\"message\":\"a\u{FFFD}b\"}")
  }

  @Test("give times in UTC, and seconds beside null where RFC 3339 ends")
  func times() {
    #expect(text { $0.time("savedAt", milliseconds: 0) } == #"{"savedAt":"1970-01-01T00:00:00.000Z"}"#)
    #expect(
      text { $0.time("savedAt", milliseconds: 253_402_300_800_000) }
        == #"{"savedAt":null,"savedAtSeconds":253402300800}"#)
    #expect(
      text { $0.time("modifiedAt", seconds: 1, nanoseconds: 999_999_999) }
        == #"{"modifiedAt":"1970-01-01T00:00:01.999Z"}"#)
    #expect(
      text { $0.time("modifiedAt", seconds: .min, nanoseconds: 0) }
        == #"{"modifiedAt":null,"modifiedAtSeconds":-9223372036854775808}"#)
  }

  @Test(
    "write base64 as RFC 4648 does",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
  }

  @Test("are valid UTF-8 in one line whatever they hold", arguments: 0..<200 as Range<UInt64>)
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    var json = JSONWriter()
    json.object { json in
      json.path("path", bytes)
      json.text("message", bytes)
    }
    #expect(String(validating: json.bytes, as: UTF8.self) != nil)
    #expect(json.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
  }
}
