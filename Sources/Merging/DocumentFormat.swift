/// A format whose documents are checked: a merge of well-formed ones is well formed, or a conflict.
public enum DocumentFormat: Hashable, Sendable {
  case json
  /// XML of any kind: SVG, XHTML, property lists and so on.
  case xml
  case yaml

  /// The format that all three versions are well formed in; `nil` where there is none.
  ///
  /// JSON and XML are known by their content, YAML by its path: any text could be YAML. A base without content, of a
  /// document that both sides created, fits any format.
  init?(path: [UInt8], base: [UInt8], ours: [UInt8], theirs: [UInt8]) {
    let written = [base, ours, theirs].filter { !$0.isEmpty }
    let first = Set(written.map { Self.firstCharacter(of: $0) })
    let format: DocumentFormat
    if first.isSubset(of: [UInt8(ascii: "{"), UInt8(ascii: "[")]) {
      format = .json
    } else if first == [UInt8(ascii: "<")] {
      format = .xml
    } else {
      guard Self.isYAML(path) else { return nil }
      format = .yaml
    }
    guard written.allSatisfy({ format.accepts($0) }) else { return nil }
    self = format
  }

  /// Whether content is well formed. What the check isn't sure about is not.
  func accepts(_ content: [UInt8]) -> Bool {
    switch self {
    case .json: JSONDocument.isWellFormed(content)
    case .xml: XMLCheck.isWellFormed(content)
    case .yaml: YAMLCheck.isSound(content)
    }
  }

  private static func firstCharacter(of content: [UInt8]) -> UInt8? {
    content[ByteText.markLength(of: content)...].first { !ByteText.isSpace($0) }
  }

  private static func isYAML(_ path: [UInt8]) -> Bool {
    let ending = path.suffix(5).map { $0 | 0x20 }
    return ending == Array(".yaml".utf8) || ending.suffix(4) == Array(".yml".utf8)[...]
  }
}
