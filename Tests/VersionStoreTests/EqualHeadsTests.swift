import Testing
import Versioning

@testable import VersionStore

@Suite("A version saved beside an equal one (R9)") struct EqualHeadsTests {
  private func save(_ text: String, in here: TestRepository, on basis: Basis = .workingFile) throws -> Version {
    try here.write(text, to: "d")
    here.clock.advance(1000)
    let saved = try here.repository.save([DocumentPath("d")], options: SaveOptions(basis: basis)).saved
    return try #require(saved.first)
  }

  @Test("without a past at a path that is taken: the next save has both documents' versions as parents")
  func equalDocuments() throws {
    let here = try TestRepository()
    let first = try save("x", in: here)
    let second = try save("x", in: here, on: .versions([]))
    #expect(second.record.document != first.record.document && second.record.parents.isEmpty)
    #expect(try here.repository.conflicts(nil).isEmpty)
    let third = try save("y", in: here)
    #expect(third.record.parents.first == second.id && Set(third.record.parents) == [first.id, second.id])
    #expect(try here.repository.conflicts(nil).isEmpty && here.view("d").claimants.count == 1)
  }

  @Test("on an older version: the next save has both heads as parents")
  func equalHeads() throws {
    let here = try TestRepository()
    let base = try save("1", in: here)
    let first = try save("2", in: here)
    let second = try save("2", in: here, on: .versions([base.id]))
    let third = try save("3", in: here)
    #expect(Set(third.record.parents) == [first.id, second.id])
    #expect(try here.repository.conflicts(nil).isEmpty)
  }

  @Test("with another content it stands alone: the next save has one parent, and the conflict stays (R7, R14)")
  func different() throws {
    let here = try TestRepository()
    let first = try save("x", in: here)
    let second = try save("y", in: here, on: .versions([]))
    let third = try save("z", in: here)
    #expect(third.record.parents == [second.id])
    #expect(try here.repository.conflicts(nil).map(\.version.id) == [first.id])
    // Both were seen: a deletion leaves neither (R11).
    try here.remove("d")
    #expect(try here.saveAll().flatMap(\.record.parents).count == 2)
    #expect(try here.current("d") == nil)
  }
}
