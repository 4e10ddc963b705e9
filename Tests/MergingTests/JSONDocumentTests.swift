import TestSupport
import Testing

@testable import Merging

@Suite("The check of JSON") struct JSONDocumentTests {
  static let wellFormed = [
    "{}", "[]", " {\"a\" : 1 , \"b\":[true,false,null]}\r\n", "\"\"", "0", "-0.5e+10", "1E5", "\u{FEFF}[1]",
    "\"\\u00e9\\n\\\"\\\\\\/\\b\\f\\r\\t\"", "[[],{},\"é\"]", "{\"a\":{\"a\":1}}", "{\"\":0}",
    "\"\\ud83d\\ude00\\ud800\"",
  ]

  static let malformed = [
    "", " ", "{", "[", "}", "]", "{]", "[}", "[1,]", "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:1}", "[1 2]",
    "[,1]", "01", "1.", ".5", "-", "+1", "1e", "1e+", "tru", "nul", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\n\"", "\"\u{1}\"", "1 2", "{} {}", "// a\n{}", "['a']", "NaN", "[1]]", "\u{FEFF}", "[\u{FEFF}1]",
  ]

  @Test("accepts documents", arguments: wellFormed)
  func accepts(_ document: String) {
    let parsed = JSONDocument(bytes(document))
    #expect(parsed?.hasUniqueNames == true)
    #expect(JSONDocument.isWellFormed(bytes(document)))
    // A parser of its own agrees.
    let text = document.hasPrefix("\u{FEFF}") ? String(document.unicodeScalars.dropFirst()) : document
    if !document.contains("ud800") { #expect((try? JSONValue(parsing: bytes(text))) != nil) }
  }

  @Test("refuses what is none", arguments: malformed)
  func refuses(_ document: String) {
    #expect(JSONDocument(bytes(document)) == nil)
    #expect(!JSONDocument.isWellFormed(bytes(document)))
  }

  @Test(
    "finds names that are there twice, however they are written",
    arguments: [
      "{\"a\":1,\"a\":1}", "[{\"a\":1,\"b\":2,\"a\":3}]", "{\"é\":1,\"\\u00e9\":2}", "{\"/\":1,\"\\/\":2}",
      "{\"\":1,\"\":2}", "{\"😀\":1,\"\\ud83d\\ude00\":2}",
    ])
  func names(_ document: String) {
    #expect(JSONDocument(bytes(document))?.hasUniqueNames == false)
    #expect(!JSONDocument.isWellFormed(bytes(document)))
  }

  @Test("knows where values are")
  func places() throws {
    let document = try #require(JSONDocument(bytes(" {\"a\": [1, {\"b\" :2}], \"c\":\"x\"}")))
    #expect(document.nodes.map(\.kind) == [.object, .array, .number, .object, .number, .string])
    #expect(document.children(of: 0) == [1, 5] && document.children(of: 1) == [2, 3])
    #expect(text(document.text(of: 1)) == "[1, {\"b\" :2}]" && text(document.text(of: 5)) == "\"x\"")
    #expect(text(JSONDocument.tokens(document.bytes)) == "{\"a\":[1,{\"b\":2}],\"c\":\"x\"}")
  }

  @Test("is quick and bounded on a megabyte of anything")
  func largeInputs() {
    let million = 1 << 20
    #expect(JSONDocument([UInt8](repeating: UInt8(ascii: "["), count: million)) == nil)
    #expect(JSONDocument(bytes(String(repeating: "{\"a\":", count: million / 5))) == nil)
    #expect(JSONDocument(bytes("[" + String(repeating: "[],", count: million / 3) + "0]"))?.nodes.count == 349_527)
    #expect(JSONDocument(bytes("\"" + String(repeating: "\\\\", count: million / 2) + "\"")) != nil)
    let members = (0..<million / 16).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(JSONDocument(bytes("{\(members)}"))?.hasUniqueNames == true)
  }
}
