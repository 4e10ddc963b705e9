/// Bytes as a key: hashed in one go, which a slice of an array isn't.
struct BytesKey: Hashable {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = ArraySlice(text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
