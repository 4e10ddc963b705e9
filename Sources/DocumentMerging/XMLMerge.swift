internal import Merging

/// A three-way merge of XML documents of which a line may be the whole.
///
/// A line of the merge is what lies between two places where a tag follows on a tag directly, and where there are line ends,
/// a line. As everywhere, changes with nothing unchanged between them are a conflict; so is a result that isn't well formed
/// or in which two elements have an identifier that only one had.
enum XMLMerge {
  /// Merges three well-formed documents, or returns `nil` where someone has to choose.
  ///
  /// - Parameter volatile: elements that differ at every save and are taken from ours.
  static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8], volatile: [ElementPattern] = []) -> [UInt8]? {
    guard let baseTags = XMLTags(base), let oursTags = XMLTags(ours), let theirsTags = XMLTags(theirs) else {
      return nil
    }
    let parts = VolatileElements(volatile, in: [baseTags, oursTags, theirsTags])
    let lines = parts.texts.map(Self.lines)
    guard let baseLines = lines[0], let oursLines = lines[1], let theirsLines = lines[2],
      case .clean(let merged) = TextMerge.merge(base: baseLines, ours: oursLines, theirs: theirsLines)
    else { return nil }
    // Good with the elements of either side, so that it doesn't matter which is ours.
    let sides = volatile.isEmpty ? [1] : [1, 2]
    let results = sides.compactMap { XMLTags(parts.restored(text(merged), from: $0)) }
    guard results.count == sides.count,
      results.allSatisfy({ RepeatedIdentifiers.isFree($0, ours: oursTags, theirs: theirsTags) })
    else { return nil }
    return results[0].bytes
  }

  /// Stands for a line end of the document, and can't be in XML.
  private static let lineEnd: UInt8 = 0x01

  /// The document with a line feed at each boundary; `nil` where it has bytes that XML can't have.
  static func lines(_ bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.contains(lineEnd) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 16)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x3C && previous == 0x3E { result.append(0x0A) }
      if byte == 0x0A {
        result.append(lineEnd)
        result.append(0x0A)
      } else {
        result.append(byte)
      }
      previous = byte
    }
    result.append(0x0A)
    return result
  }

  /// The document that ``lines(_:)`` was made of.
  static func text(_ lines: [UInt8]) -> [UInt8] {
    lines.compactMap { $0 == 0x0A ? nil : $0 == lineEnd ? 0x0A : $0 }
  }
}

/// Elements known by name, and where that isn't enough by an attribute.
struct ElementPattern {
  let name: String
  var attribute: (name: String, value: String)?

  init(_ name: String, _ attribute: (name: String, value: String)? = nil) {
    self.name = name
    self.attribute = attribute
  }

  func matches(_ tag: XMLTags.Tag, in tags: XMLTags) -> Bool {
    guard tags.name(of: tag).elementsEqual(name.utf8) else { return false }
    guard let attribute else { return true }
    return tags.value(of: attribute.name, in: tag)?.elementsEqual(attribute.value.utf8) ?? false
  }
}
