import SystemIO
import TestSupport
import Testing

/// The built program with stand-ins for the tools: each notes its arguments and writes the merge.
@Suite("Merge tools by name") struct MergeToolProgramTests {
  private func run(_ tool: String, program: String? = nil, hasBase: Bool = true, body: String) throws -> (
    result: ProcessResult, arguments: String, text: String
  ) {
    let fixture = try ProgramFixture.initialized()
    let dver = fixture.runner.program.description
    let result = try fixture.shell(
      """
      mkdir bin; printf '%s\\n' '#!/bin/sh' 'printf "%s\\n" "$@" > arguments' '\(body)' > bin/\(program ?? tool); chmod +x bin/*
      echo base > a.md; \(dver) save -q > /dev/null; echo one > a.md; \(dver) save -q > /dev/null
      echo two | \(dver) save -q --stdin a.md --based-on \(hasBase ? "~1" : "none") > /dev/null
      PATH="$PWD/bin:$PATH" \(dver) merge a.md --tool \(tool)
      """)
    func read(_ name: String) throws -> String {
      String(decoding: try FileSystem.read(fixture.directory.appending(name), limit: 1 << 20), as: UTF8.self)
    }
    let arguments = try read("arguments").split(separator: "\n").map { word in
      let isFile = word.hasPrefix("/") || word.hasPrefix("--output=/")
      return isFile ? String(word.split(separator: "/").last ?? "") : String(word)
    }
    return (result, arguments.joined(separator: " "), try read("a.md"))
  }

  @Test(
    "are given the sides, the base and the place of the merge as they want them",
    arguments: [
      ("meld", "meld", true, "MERGED-a.md LOCAL-a.md BASE-a.md REMOTE-a.md"),
      ("kdiff3", "kdiff3", true, "--auto -o MERGED-a.md BASE-a.md LOCAL-a.md REMOTE-a.md"),
      ("kdiff3", "kdiff3", false, "--auto -o MERGED-a.md LOCAL-a.md REMOTE-a.md"),
      ("vimdiff", "vim", true, "-f -d -c 4wincmd w | wincmd J LOCAL-a.md BASE-a.md REMOTE-a.md MERGED-a.md"),
      ("vimdiff", "vim", false, "-f -d -c wincmd l LOCAL-a.md MERGED-a.md REMOTE-a.md"),
      ("nvim", "nvim", true, "-f -d -c 4wincmd w | wincmd J LOCAL-a.md BASE-a.md REMOTE-a.md MERGED-a.md"),
      ("code", "code", true, "--wait --merge REMOTE-a.md LOCAL-a.md BASE-a.md MERGED-a.md"),
    ])
  func known(tool: String, program: String, hasBase: Bool, expected: String) throws {
    let (result, arguments, text) = try run(
      tool, program: program, hasBase: hasBase, body: "echo merged > \"$MERGED\"")
    #expect(result.status == 0, "\(result.errorText)")
    #expect(arguments == expected)
    #expect(text == "merged\n")
  }

  @Test("settle nothing where they give up or leave the file as it was", arguments: ["exit 1", "exit 0"])
  func unsettled(body: String) throws {
    for tool in ["meld", "kdiff3"] {
      let (result, _, text) = try run(tool, body: body)
      #expect(result.status == (body == "exit 1" ? 1 : 4), "\(result.errorText)")
      #expect(["one\n", "two\n"].contains(text))
    }
  }

  @Test("are named where they aren't installed")
  func missing() throws {
    let fixture = try ProgramFixture.initialized()
    let dver = fixture.runner.program.description
    let result = try fixture.shell(
      """
      echo base > a; \(dver) save -q > /dev/null; echo one > a; \(dver) save -q > /dev/null
      echo two | \(dver) save -q --stdin a --based-on ~1 > /dev/null
      mkdir bin; for p in sh env; do ln -s "$(command -v $p)" bin; done
      PATH="$PWD/bin" \(dver) merge a --tool nvim
      """)
    #expect(result.status == 4)
    #expect(result.errorText.contains("the merge tool can't be run: \"nvim\": install it, or name another with --tool"))
  }
}
