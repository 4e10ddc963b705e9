import Deflate
import TestSupport
import Testing

@Suite("DeflateRecipe") struct DeflateRecipeTests {
  private func recipe(_ stream: [UInt8], _ content: [UInt8], _ finder: DeflateRecipeFinder) -> DeflateRecipe? {
    stream.withUnsafeBytes { stream in content.withUnsafeBytes { finder.recipe(for: stream, of: $0) } }
  }

  private func blocks(_ stream: [UInt8]) -> [DeflateBlock]? {
    stream.withUnsafeBytes { DeflateBlock.blocks(of: $0) }
  }

  @Test("is found for what zlib made with any known settings", arguments: DeflateRecipeFinder.knownSettings)
  func knownSettings(settings: DeflateSettings) {
    let finder = DeflateRecipeFinder()
    for kind in [DeflateSample.text, .markup, .random] {
      for count in [0, 1, 100, 60_000] {
        let content = kind.bytes(count)
        for flushes in [[], [DeflateFlush(.sync, at: count)]] {
          let stream = ZlibReference.deflate(content, settings, flushes: flushes)
          let found = recipe(stream, content, finder)
          let made = found.map { ReproducibleDeflater($0.settings).deflate(content, flushes: $0.flushes) }
          #expect(made == stream, "\(kind) \(count)")
        }
      }
    }
  }

  @Test(
    "tells flushes of all kinds, and sync from full where that matters", arguments: [DeflateFlush.Kind.sync, .full])
  func flushes(kind: DeflateFlush.Kind) {
    let content = DeflateSample.markup.bytes(50_000)
    let flushes = [DeflateFlush(kind, at: 20_000), DeflateFlush(.partial, at: 30_000), DeflateFlush(kind, at: 50_000)]
    let stream = ZlibReference.deflate(content, .word, flushes: flushes)
    #expect(recipe(stream, content, DeflateRecipeFinder()) == DeflateRecipe(settings: .word, flushes: flushes))
  }

  @Test("is none for streams of other makers, other contents and what is no stream")
  func noRecipe() {
    let finder = DeflateRecipeFinder()
    let content = DeflateSample.text.bytes(3000)
    let stream = ReproducibleDeflater().deflate(content)
    #expect(recipe(stream, DeflateSample.markup.bytes(3000), finder) == nil)
    #expect(recipe(stream, Array(content.dropLast()), finder) == nil)
    #expect(recipe(Array(stream.dropLast()), content, finder) == nil)
    #expect(recipe(stream + [0], content, finder) == nil)
    #expect(recipe(content, content, finder) == nil)
    let unknown = DeflateSettings(
      search: .lazy, goodLength: 4, lazyLength: 6, niceLength: 11, chainLength: 5, memoryLevel: 8)
    #expect(unknown.map { recipe(ReproducibleDeflater($0).deflate(content), content, finder) } == .some(nil))
  }

  @Test("relies on the blocks that a stream is made of")
  func blocks() throws {
    let content = DeflateSample.text.bytes(200_000)
    let stream = ReproducibleDeflater(.word).deflate(content, flushes: [DeflateFlush(.sync, at: 200_000)])
    let found = try #require(blocks(stream))
    #expect(found.reduce(0) { $0 + $1.byteCount } == content.count)
    #expect(found.dropLast(3).allSatisfy { $0.symbolCount == 8191 && $0.kind == .dynamic && !$0.isLast })
    #expect(found.suffix(2).map(\.kind) == [.stored, .fixed])
    #expect(found.last?.isLast == true)
    #expect(blocks([0x01, 0x00, 0x00, 0xFF, 0xFF])?.map(\.byteCount) == [0])
    #expect(blocks([]) == nil)
    #expect(blocks([0x07]) == nil)
  }

  @Test("never trips over damaged streams", arguments: 0..<300 as Range<UInt64>)
  func damage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let content = (DeflateSample.allCases.randomElement(using: &generator) ?? .text).bytes(Int(seed) * 10)
    var stream = ReproducibleDeflater().deflate(content)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      stream[Int.random(in: stream.indices, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    let finder = DeflateRecipeFinder(settings: [DeflateSettings(level: 6)])
    guard let found = recipe(stream, content, finder) else { return }
    #expect(ReproducibleDeflater(found.settings).deflate(content, flushes: found.flushes) == stream)
  }
}
