import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("merge-file") struct MergeFileCommandTests {
  private func fixture(_ current: String, _ base: String, _ other: String) throws -> CommandFixture {
    let fixture = try CommandFixture()
    try fixture.write(current, to: "c")
    try fixture.write(base, to: "b")
    try fixture.write(other, to: "o")
    return fixture
  }

  @Test("merges into the first file, without a store")
  func clean() throws {
    let fixture = try fixture("one\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n")
    try FileSystem.setPermissions(0o640, at: fixture.root.appending("c"))
    let result = fixture.run("merge-file", "c", "b", "o")
    #expect(result.status == 0 && result.output.isEmpty)
    #expect(try fixture.read("c") == "one\n2\n3\n4\nfive\n")
    #expect(try FileStatus.of(fixture.root.appending("c")).permissions == 0o640)
  }

  @Test("marks conflicts and counts them")
  func conflicts() throws {
    let fixture = try fixture("a\n2\n3\n4\n5\n6\nb\n", "1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n")
    let result = fixture.run("merge-file", "-p", "-L", "mine", "-L", "base", "c", "b", "o")
    #expect(result.status == 2)
    #expect(result.output.hasPrefix("<<<<<<< mine\na\n=======\nx\n>>>>>>> o\n2\n"))
    #expect(try fixture.read("c").hasPrefix("a\n"))
    let wide = fixture.run("merge-file", "-p", "--diff3", "--marker-size", "9", "c", "b", "o")
    #expect(wide.output.hasPrefix("<<<<<<<<< c\na\n||||||||| b\n1\n=========\nx\n>>>>>>>>> o\n"))
  }

  @Test("takes a side where it is told to", arguments: [("--ours", "a\n"), ("--theirs", "x\n"), ("--union", "a\nx\n")])
  func favor(option: String, merged: String) throws {
    let fixture = try fixture("a\n", "1\n", "x\n")
    let result = fixture.run("merge-file", "-p", "-q", option, "c", "b", "o")
    #expect(result.status == 0)
    #expect(result.output == merged)
  }

  @Test("has status 255 for every failure")
  func failures() throws {
    let fixture = try fixture("a\0\n", "1\n", "x\n")
    #expect(fixture.run("merge-file", "-p", "c", "b", "o").status == 255)
    #expect(fixture.run("merge-file", "c", "b").status == 255)
    #expect(fixture.run("merge-file", "c", "b", "nothing").status == 255)
    #expect(fixture.run("merge-file", "--marker-size", "0", "c", "b", "o").status == 255)
    #expect(fixture.run("merge-file", "--ours", "--theirs", "c", "b", "o").status == 255)
  }

  @Test("counts at most 127 conflicts")
  func many() throws {
    let lines = { (mark: String) in (0..<200).map { "\(mark)\($0)\nsame\n.\nkept \($0)\nsame too\n" }.joined() }
    let fixture = try fixture(lines("a"), lines("b"), lines("c"))
    #expect(fixture.run("merge-file", "-p", "c", "b", "o").status == 127)
  }

  @Test("agrees with git", arguments: 0..<40 as Range<UInt64>)
  func reference(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = (0..<30).map { "line \($0 % 7) \($0)\n" }
    func edited() -> String {
      var lines = base
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<lines.count, using: &generator)
        if Bool.random(using: &generator) {
          lines[place] = "edit \(Int.random(in: 0...2, using: &generator))\n"
        } else {
          lines.remove(at: place)
        }
      }
      return lines.joined()
    }
    let fixture = try fixture(edited(), base.joined(), edited())
    let arguments = ["merge-file", "-p", "-L", "x", "-L", "y", "-L", "z", "c", "b", "o"].map { Array($0.utf8) }
    guard let git = try? ChildProcess.run(program: FilePath("git"), arguments: arguments, folder: fixture.root) else {
      print("git isn't installed: no comparison")
      return
    }
    let result = fixture.run(arguments)
    #expect(result.output == String(decoding: git.output, as: UTF8.self))
    #expect(result.status == git.status)
  }
}
