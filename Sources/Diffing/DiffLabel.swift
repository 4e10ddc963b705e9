/// The two lines that name what a diff compares.
enum DiffLabel {
  /// `--- old` and `+++ new`, each with its line feed.
  static func header(old: [UInt8], new: [UInt8]) -> [UInt8] {
    Array("--- ".utf8) + written(old) + [0x0A] + Array("+++ ".utf8) + written(new) + [0x0A]
  }

  /// A name that could be misread is written in double quotes with C's escapes, as git and GNU patch read it.
  ///
  /// A name with a space gets a tab at the end, which is where readers end the name.
  private static func written(_ label: [UInt8]) -> [UInt8] {
    let needsQuotes = label.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }
    guard needsQuotes else { return label.contains(0x20) ? label + [0x09] : label }
    var quoted: [UInt8] = [0x22]
    for byte in label {
      switch byte {
      case 0x22, 0x5C: quoted += [0x5C, byte]
      case 0x09: quoted += Array("\\t".utf8)
      case 0x0A: quoted += Array("\\n".utf8)
      case 0x0D: quoted += Array("\\r".utf8)
      case 0..<0x20, 0x7F:
        quoted += [0x5C, 0x30 + byte >> 6, 0x30 + byte >> 3 & 7, 0x30 + byte & 7]
      default: quoted.append(byte)
      }
    }
    return quoted + [0x22]
  }
}
