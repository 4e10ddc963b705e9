internal import Diffing

/// A merge in which the line ends of a whole text are one value and its lines, without them, the rest.
///
/// It is tried where each text ends all its lines alike but not all three texts do so: then one side, or both, converted
/// the text, which changes every line, and edited it or not.
enum LineEndMerge {
  /// The merged bytes, or `nil` where that is a conflict or no line ends were converted.
  static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    guard let old = usesCarriageReturn(base), let our = usesCarriageReturn(ours),
      let their = usesCarriageReturn(theirs),
      old != our || old != their,
      case .clean(let isWindows) = FieldMerge(base: old, ours: our, theirs: their),
      case .clean(let text) = TextMerge.merge(
        base: withoutCarriageReturns(base, old), ours: withoutCarriageReturns(ours, our),
        theirs: withoutCarriageReturns(theirs, their))
    else { return nil }
    return isWindows ? withCarriageReturns(text) : text
  }

  /// Whether all lines end with CR LF, or all without CR; `nil` where neither holds or nothing ends a line.
  private static func usesCarriageReturn(_ text: [UInt8]) -> Bool? {
    var answer: Bool?
    var previous: UInt8 = 0
    for byte in text {
      if previous == 0x0D, byte != 0x0A { return nil }
      if byte == 0x0A {
        let isWindows = previous == 0x0D
        if let known = answer, known != isWindows { return nil }
        answer = isWindows
      }
      previous = byte
    }
    return previous == 0x0D ? nil : answer
  }

  private static func withoutCarriageReturns(_ text: [UInt8], _ hasAny: Bool) -> [UInt8] {
    hasAny ? text.filter { $0 != 0x0D } : text
  }

  private static func withCarriageReturns(_ text: [UInt8]) -> [UInt8] {
    var converted: [UInt8] = []
    converted.reserveCapacity(text.count + text.count / 16)
    for byte in text {
      if byte == 0x0A { converted.append(0x0D) }
      converted.append(byte)
    }
    return converted
  }
}
