/// The names behind conflict markers, as bytes; an empty name is left out.
///
/// A name ends at its first line end or zero byte, so that a marker stays one line.
public struct ConflictLabels: Hashable, Sendable {
  public let ours: [UInt8]
  public let base: [UInt8]
  public let theirs: [UInt8]

  public init(ours: [UInt8] = [], base: [UInt8] = [], theirs: [UInt8] = []) {
    self.ours = Self.firstLine(of: ours)
    self.base = Self.firstLine(of: base)
    self.theirs = Self.firstLine(of: theirs)
  }

  private static func firstLine(of label: [UInt8]) -> [UInt8] {
    Array(label.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 })
  }
}
