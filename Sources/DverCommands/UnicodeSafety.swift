/// Which characters may reach a terminal as they are (R5).
enum UnicodeSafety {
  /// Whether a character shows itself and nothing else: no control, no direction override, nothing invisible.
  ///
  /// Zero width joiners stay: scripts and emoji need them, and they reorder nothing.
  static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f,  // C0, DEL, C1
      0x061c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f,  // separators, direction, invisible
      0xfeff, 0xfff9...0xfffb, 0xe0000...0xe00ff:  // byte order mark, annotations, tags
      false
    default: true
    }
  }

  /// Splits bytes into valid characters and runs that are no UTF-8, in order.
  static func forEachPart(
    of bytes: some Collection<UInt8>, valid: (Unicode.Scalar, ArraySlice<UInt8>) -> Void,
    invalid: (ArraySlice<UInt8>) -> Void
  ) {
    let bytes = Array(bytes)
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput:
        return
      case .valid(let encoded):
        valid(Unicode.UTF8.decode(encoded), bytes[offset..<offset + encoded.count])
        offset += encoded.count
      case .error(let length):
        let end = min(bytes.count, offset + max(1, length))
        invalid(bytes[offset..<end])
        offset = end
      }
    }
  }
}
