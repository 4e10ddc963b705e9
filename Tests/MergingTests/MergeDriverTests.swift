import Merging
import Testing

@Suite("The choice of a merge") struct MergeDriverTests {
  @Test("has the number that automatic merges record")
  func rulesNumber() {
    #expect(MergeDriver.rulesNumber == 1)
  }

  @Test("gives bytes where the merge is certain and nothing where it is not")
  func mergeContents() {
    let base = bytes("1\n2\n3\n")
    #expect(
      MergeDriver.mergeContents(base: base, ours: bytes("a\n2\n3\n"), theirs: bytes("1\n2\nb\n"))
        == bytes("a\n2\nb\n"))
    #expect(
      MergeDriver.mergeContents(base: base, ours: bytes("a\n2\n3\n"), theirs: bytes("b\n2\n3\n")) == nil)
    #expect(MergeDriver.mergeContents(base: [0], ours: [0, 1], theirs: [0, 2]) == nil)
    #expect(MergeDriver.mergeContents(base: [0], ours: [0, 1], theirs: [0]) == [0, 1])
  }
}
