import TestSupport
import Testing

@testable import Merging

@Suite("The check of YAML") struct YAMLCheckTests {
  static let sound = [
    "", "# only a comment\n", "a: 1\nb: 2\n", "---\na: 1\n---\na: 1\n...\n",
    "a:\n  b: 1\n  c:\n    - d\n    - e: 1\n      f: 2\ng: h\n",
    "a:\n- b\n- c: 1\n  d: 2\n- - e\n  - f\ng: 1\n", "a: |\n  b: 1\n  b: 1\n\n  \tc\n   d\nd: >-\n  e\n",
    "a: 'it''s: so' # b\n\"c: d\": \"\\\"\"\n",
    "a: |2\n   b\n  c\n", "a: one\n  two\n  three\nb: 1\n", "a: [1, {b: 2},\n  \"]\", 'c']\nd: {\n  e: f }\n",
    "a: \"one\n  two: three\n  four\"\nb: 1\n",
    "a: &x\n  b: *x\nc: !tag d\n", "a: http://b:80/c#d\n", "- a\n- b: 1\n-\n  c: 2\n", "a:\r\n  b: 1\r\nc: 2\r\n",
    "plain\nscalar\n",
    "a:\n  b: 1\n\n  # between\n  c: 2\n",
  ]

  static let unsound = [
    "a: 1\na: 2\n", "a:\n  b: 1\n  c: 2\n  b: 3\n", "a:\n\tb: 1\n", "a: 1\n  b: 2\n", "a: b: c\n",
    "a:\n    b: 1\n  c: 2\n",
    "- a\nb: 1\n", "a: 1\n- b\n", "a: \"b\n", "a: 'b' c\n", "a: [1, 2\n", "a: [1}\n", "a: ]\n", "a: @b\n", "? a\n: b\n",
    "a: 1\n\"a\": 2\n", "- a: 1\n  a: 2\n", "a: |\n  b\n c: 1\n", "a: b\n  c: d\n", "a: \"b\" c\n",
    "x:\n  - a\n  b: 1\n", "a:\nb\n", "a:\n  b:\nc\n", "a:\n  b:\n  c\n", "-\na\n",
  ]

  @Test("accepts documents", arguments: sound)
  func accepts(_ document: String) { #expect(YAMLCheck.isSound(bytes(document))) }

  @Test("refuses what is wrong or not certain", arguments: unsound)
  func refuses(_ document: String) { #expect(!YAMLCheck.isSound(bytes(document))) }

  @Test("is quick and bounded on a megabyte of anything")
  func largeInputs() {
    let million = 1 << 20
    #expect(!YAMLCheck.isSound(bytes(String(repeating: "- ", count: million / 2))))
    #expect(!YAMLCheck.isSound([UInt8](repeating: UInt8(ascii: "["), count: million)))
    #expect(YAMLCheck.isSound(bytes((0..<million / 16).map { "key\($0): 1\n" }.joined())))
    #expect(YAMLCheck.isSound(bytes(String(repeating: "- a\n", count: million / 4))))
    #expect(!YAMLCheck.isSound(bytes("a: \"" + String(repeating: "\\\\\n", count: million / 3))))
    #expect(!YAMLCheck.isSound(bytes((0..<1_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined())))
  }
}
