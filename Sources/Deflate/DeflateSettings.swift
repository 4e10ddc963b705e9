/// How hard a ``ReproducibleDeflater`` looks for matches, and how many symbols make a block.
///
/// The numbers are those of zlib's levels and of its `deflateTune`; with the same numbers the same bytes come out.
public struct DeflateSettings: Hashable, Sendable {
  /// What is done with a match that was found.
  public enum Search: UInt8, Sendable {
    /// Nothing is looked for: all bytes are stored.
    case none
    /// A match is taken at once.
    case greedy
    /// A match is taken unless there is a longer one a byte later.
    case lazy
  }

  public let search: Search
  /// With a match of this length at hand, only a quarter of the chain is followed.
  public let goodLength: Int
  /// Lazy: with a match of this length at hand no longer one is looked for. Greedy: places inside of longer matches are
  /// not looked at later.
  public let lazyLength: Int
  /// A match of this length ends the search.
  public let niceLength: Int
  /// At most so many earlier places are compared with one place.
  public let chainLength: Int
  /// From 1 to 9: the size of the hash table and of a block.
  public let memoryLevel: Int

  /// Takes settings as they are, or returns `nil` where a number is out of range.
  public init?(
    search: Search, goodLength: Int, lazyLength: Int, niceLength: Int, chainLength: Int, memoryLevel: Int
  ) {
    guard (0...258).contains(goodLength), (0...258).contains(lazyLength), (0...258).contains(niceLength),
      (4...65_535).contains(chainLength), (1...9).contains(memoryLevel)
    else { return nil }
    self.init((search, goodLength, lazyLength, niceLength, chainLength), memoryLevel)
  }

  /// The settings of a level from 0 (store) over 1 (fastest) to 9 (smallest).
  public init(level: Int, memoryLevel: Int = 8) {
    precondition((0...9).contains(level) && (1...9).contains(memoryLevel), "no such level")
    self.init(Self.levels[level], memoryLevel)
  }

  private typealias Numbers = (search: Search, good: Int, lazy: Int, nice: Int, chain: Int)

  private init(_ numbers: Numbers, _ memoryLevel: Int) {
    search = numbers.search
    goodLength = numbers.good
    lazyLength = numbers.lazy
    niceLength = numbers.nice
    chainLength = numbers.chain
    self.memoryLevel = memoryLevel
  }

  private static let levels: [Numbers] = [
    (.none, 0, 0, 0, 4),
    (.greedy, 4, 4, 8, 4),
    (.greedy, 4, 5, 16, 8),
    (.greedy, 4, 6, 32, 32),
    (.lazy, 4, 4, 16, 16),
    (.lazy, 8, 16, 32, 32),
    (.lazy, 8, 16, 128, 128),
    (.lazy, 8, 32, 128, 256),
    (.lazy, 32, 128, 258, 1024),
    (.lazy, 32, 258, 258, 4096),
  ]

  /// What Word writes its documents with, each stream with a ``DeflateFlush/Kind/sync`` at its end.
  public static let word = DeflateSettings((.lazy, 8, 4, 258, 32), 7)

  /// What Excel writes its documents with, each stream with a ``DeflateFlush/Kind/sync`` at its end.
  public static let excel = DeflateSettings((.greedy, 8, 4, 258, 16), 7)
}
