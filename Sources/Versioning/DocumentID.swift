/// The identity of a document: 128 random bits that it keeps through renames (R13).
public struct DocumentID: Identifier128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
