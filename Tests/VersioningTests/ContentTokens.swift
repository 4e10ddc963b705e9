import Hashing
import Versioning

/// A file of three paragraphs, one token each, that merges paragraph by paragraph.
struct ContentTokens: Hashable, Sendable {
  var tokens: [String]

  init(_ tokens: [String]) { self.tokens = tokens }

  var bytes: [UInt8] { Array("begin\n\(tokens.joined(separator: "\none\ntwo\n"))\nend\n".utf8) }

  var id: ObjectID { SHA256.hash(bytes) }

  var size: UInt64 { UInt64(bytes.count) }

  /// The merge over a base. Rules 2 and 3 stand for later rules that can merge more: the third token changed differently
  /// on both sides is the greater one under 2, the smaller one under 3.
  static func merge(
    base: ContentTokens, ours: ContentTokens, theirs: ContentTokens, rules: UInt32
  ) -> ContentTokens? {
    var merged = ours
    for place in ours.tokens.indices where ours.tokens[place] != theirs.tokens[place] {
      let (our, their) = (ours.tokens[place], theirs.tokens[place])
      if our == base.tokens[place] {
        merged.tokens[place] = their
      } else if their != base.tokens[place] {
        guard place == 2, rules > 1 else { return nil }
        merged.tokens[place] = rules == 2 ? max(our, their) : min(our, their)
      }
    }
    return merged
  }
}
