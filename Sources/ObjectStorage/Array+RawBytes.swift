extension Array<UInt8> {
  /// As `withUnsafeBytes`, keeping the type of what is thrown.
  func withRawBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try withUnsafeBufferPointer { (buffer) throws(E) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}
