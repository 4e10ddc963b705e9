/// A merge with its conflicts between markers.
public struct MarkedText: Hashable, Sendable {
  public let bytes: [UInt8]
  /// The number of conflicts marked; 0 for a clean merge.
  public let conflictCount: Int
  /// The characters of a marker: those asked for, or more where the text has such lines itself.
  public let markerSize: Int
}
