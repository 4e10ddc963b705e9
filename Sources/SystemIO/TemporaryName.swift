/// Names of files that are being written.
///
/// Source: docs/format.md, "The store and the remote's tree".
public enum TemporaryName {
  /// What every such name begins with; readers ignore these names.
  public static let prefix = Array(".dver-tmp-".utf8)

  /// A name that nobody uses: the prefix and 32 hexadecimal digits.
  public static func random() -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return prefix + SystemRandom.bytes(count: 16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
