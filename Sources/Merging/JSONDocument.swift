/// JSON as a flat tree of values, each with its place in the bytes.
///
/// Strict: comments, commas before a closing bracket and several values are not JSON. Objects inside each other are
/// limited to ``greatestDepth``.
///
/// - Complexity: O(*n*), save for the comparison of an object's names; no recursion.
///
/// Source: RFC 8259.
struct JSONDocument {
  static let greatestDepth = 200

  enum Kind { case object, array, string, number, literal }

  struct Node {
    let kind: Kind
    /// The name before the value with its quotes, in an object.
    let name: Range<Int>?
    let nameHash: UInt64
    /// The value.
    var bytes: Range<Int>
    /// The number of the first node behind this one and all inside it.
    var end: Int
    var childCount = 0
    /// Of all bytes of the value.
    var textHash: UInt64 = 0
    /// Of its marks and scalars, whatever white space is between them.
    var tokenHash: UInt64 = 0
  }

  let bytes: [UInt8]
  /// All values, each before what is inside it; the first is the whole.
  private(set) var nodes: [Node] = []
  /// Whether no object has a name twice.
  private(set) var hasUniqueNames = true

  /// Parses a document, a byte-order mark before it included; `nil` where it is not JSON.
  init?(_ content: [UInt8]) {
    bytes = content
    var parser = JSONParser(content, keepsNodes: true)
    guard parser.parse() else { return nil }
    nodes = parser.nodes
    hasUniqueNames = parser.hasUniqueNames
  }

  /// Whether content is JSON without a name twice in an object; keeps nothing but the open objects.
  static func isWellFormed(_ content: [UInt8]) -> Bool {
    var parser = JSONParser(content, keepsNodes: false)
    return parser.parse() && parser.hasUniqueNames
  }

  /// The numbers of the values directly inside one.
  func children(of node: Int) -> [Int] {
    var children: [Int] = []
    children.reserveCapacity(nodes[node].childCount)
    var child = node + 1
    while child < nodes[node].end {
      children.append(child)
      child = nodes[child].end
    }
    return children
  }

  /// The bytes of a value.
  func text(of node: Int) -> ArraySlice<UInt8> { bytes[nodes[node].bytes] }

  /// Whether values are written alike, byte for byte.
  func hasSameText(_ node: Int, as other: Int, in document: JSONDocument) -> Bool {
    nodes[node].textHash == document.nodes[other].textHash && text(of: node) == document.text(of: other)
  }

  /// Whether values are alike but for white space between their parts.
  func hasSameTokens(_ node: Int, as other: Int, in document: JSONDocument) -> Bool {
    nodes[node].tokenHash == document.nodes[other].tokenHash
      && Self.tokens(text(of: node)) == Self.tokens(document.text(of: other))
  }

  /// JSON without the white space between its parts.
  static func tokens(_ text: some Collection<UInt8>) -> [UInt8] {
    var tokens: [UInt8] = []
    tokens.reserveCapacity(text.count)
    var isString = false
    var isEscaped = false
    for byte in text {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if ByteText.isSpace(byte) {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      }
      tokens.append(byte)
    }
    return tokens
  }
}
