/// A small document of some format, to be damaged.
struct FuzzDocument {
  let path: String
  let bytes: [UInt8]

  private static let xml = """
    <?xml version="1.0"?>
    <!DOCTYPE a [<!ENTITY b 'c'>]>
    <a x="1" y='2'>
      <b>text &amp; more</b>
      <!-- a comment -->
      <c/>
      <d><![CDATA[<raw>]]></d>
      <?pi data?>
    </a>

    """
  private static let json = """
    {
      "name": "one",
      "list": ["a", "b", {"k": 1, "l": 2}, [1, 2.5e3]],
      "nested": {"x": null, "y": [true, false], "\\u00e9": "\\n"},
      "last": -0.5
    }

    """
  private static let yaml = """
    ---
    a: 1
    list:
      - b
      - c: "d"
        e: [1, {f: g}]
    text: |
      lines
        of text
    plain: one
      two
    'q': &x z

    """
  private static let prose = """
    # Heading
    =======
    The first sentence is here. The second one has some more words in it. The third ends.
    A line of its own.

    <<<<<<< ours
    Another paragraph follows. It is not long, but it is long enough for two. Done!

    """

  init(using generator: inout some RandomNumberGenerator) {
    let kinds = [("a.xml", Self.xml), ("a.json", Self.json), ("a.yaml", Self.yaml), ("a.md", Self.prose)]
    let (path, text) = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
    self.path = path
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: bytes = ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case 1: bytes = Array(text.utf8).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    case 2: bytes = Array(text.utf8).filter { $0 != 0x0A }
    case 3: bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
    default: bytes = Array(text.utf8)
    }
  }

  /// With one to four changes: bytes, lines or passages that go, come or are doubled.
  func mutated(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    var content = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...content.count, using: &generator)
      let end = min(content.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<7, using: &generator) {
      case 0 where place < content.count: content[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: content.removeSubrange(place..<end)
      case 2: content.insert(contentsOf: content[place..<end], at: place)
      case 3:
        let marks = Array("<>/&\"'{}[],:-#|\n\r\t \\.=x1".utf8)
        content.insert(marks[Int.random(in: 0..<marks.count, using: &generator)], at: place)
      case 4 where place < content.count && content[place] >= 0x61 && content[place] < 0x7A: content[place] += 1
      case 5: content = Self.withoutLine(at: place, content)
      default:
        let words = ["new words. ", "\n  \"n\": 1,", "\n<n/>\n", "\nn: 1\n", "\n"]
        content.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &generator)].utf8, at: place)
      }
    }
    return content
  }

  private static func withoutLine(at place: Int, _ content: [UInt8]) -> [UInt8] {
    let start = content[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = content[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? content.count
    return Array(content[..<start] + content[end...])
  }
}
