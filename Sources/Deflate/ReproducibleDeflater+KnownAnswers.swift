extension ReproducibleDeflater {
  /// Whether this build compresses a fixed content as it always has.
  ///
  /// For whoever is about to store something that only the encoder can give back. Computed once, in some milliseconds.
  public static let givesKnownAnswers: Bool = knownAnswers.indices.allSatisfy { givesKnownAnswer($0) }

  /// The same for one kind of settings, which takes a fifth of the time where an answer is known for these very ones.
  public static func givesKnownAnswers(for settings: DeflateSettings) -> Bool {
    switch settings {
    case DeflateSettings(level: 6): givesLevelSix
    case .word: givesWord
    case .excel: givesExcel
    default: givesKnownAnswers
    }
  }

  private static let givesLevelSix = givesKnownAnswer(0)
  private static let givesWord = givesKnownAnswer(3)
  private static let givesExcel = givesKnownAnswer(4)

  private static func givesKnownAnswer(_ number: Int) -> Bool {
    let (settings, checksum) = knownAnswers[number]
    return ReproducibleDeflater(settings).checksumOfSample() == checksum
  }

  /// Settings, and the CRC-32C of the stream made of ``sample(_:)`` with 70,000 bytes.
  static let knownAnswers: [(DeflateSettings, UInt32)] = [
    (DeflateSettings(level: 6), 0x86F9_56C1),
    (DeflateSettings(level: 1), 0x547E_E8FB),
    (DeflateSettings(level: 9, memoryLevel: 9), 0x6DE7_038B),
    (.word, 0xA943_4E7D),
    (.excel, 0x4D0A_A81C),
  ]

  func checksumOfSample() -> UInt32 {
    let sample = Self.sample(70_000)
    return sample.withUnsafeBytes { sample in
      deflate(sample).withUnsafeBytes { CRC32C.checksum($0) }
    }
  }

  /// Words, runs and noise from a small generator, so that nothing needs to be kept.
  static func sample(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    func next() -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 16)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 100)
    while bytes.count < count {
      switch next() % 16 {
      case 0: bytes += [UInt8](repeating: UInt8(next() & 0xFF), count: next() % 60)
      case 1: for _ in 0..<(next() % 40) { bytes.append(UInt8(next() & 0xFF)) }
      default:
        // The same few hundred words again and again.
        var letters = next() % (next() % 300 + 1)
        for _ in 0..<(letters % 7 + 2) {
          letters = (letters * 31 + 7) % 9973
          bytes.append(UInt8(0x61 + letters % 26))
        }
        bytes.append(0x20)
      }
    }
    return Array(bytes.prefix(count))
  }
}
