import Diffing
import Merging

/// A conflict as someone reads it who knows nothing but the marked text and the size of its markers.
///
/// Lines are read without their ends: a side's last line may have got one.
struct MarkedConflict {
  private(set) var ours: [[UInt8]] = []
  private(set) var base: [[UInt8]] = []
  private(set) var theirs: [[UInt8]] = []

  /// The lines of a passage without their ends.
  static func completed(_ passage: ArraySlice<UInt8>) -> [[UInt8]] {
    let table = LineTable(Array(passage))
    return (0..<table.count).map { lineWithoutEnd(table[$0]) }
  }

  static func all(in marked: MarkedText) -> [MarkedConflict] {
    var conflicts: [MarkedConflict] = []
    var current: MarkedConflict?
    var section: UInt8 = 0
    for line in completed(marked.bytes[...]) {
      let run = line.prefix { $0 == line[0] }.count
      let isMarker =
        run == marked.markerSize && bytes("<|=>").contains(line[0]) && (line.count == run || line[run] == 0x20)
      if isMarker {
        section = line[0]
        if section == 0x3C { current = MarkedConflict() }
        if section == 0x3E, let conflict = current {
          conflicts.append(conflict)
          current = nil
        }
        continue
      }
      switch section {
      case 0x3C: current?.ours.append(line)
      case 0x7C: current?.base.append(line)
      case 0x3D: current?.theirs.append(line)
      default: break
      }
    }
    return conflicts
  }

  private static func lineWithoutEnd(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var line = Array(line)
    if line.last == 0x0A { line.removeLast() }
    if line.last == 0x0D { line.removeLast() }
    return line
  }
}
