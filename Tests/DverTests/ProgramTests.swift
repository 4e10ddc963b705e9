import SystemIO
import TestSupport
import Testing

@Suite("The built program") struct ProgramTests {
  @Test("ends with the statuses of the contract")
  func statuses() throws {
    let fixture = try ProgramFixture()
    #expect(try fixture.run("status").status == 3)
    #expect(try fixture.run("init").status == 0)
    try fixture.directory.write(Array("one\n".utf8), to: "a")
    #expect(try fixture.run("status", "--exit-code").status == 1)
    #expect(try fixture.run("save").status == 0)
    #expect(try fixture.run("status", "--exit-code").status == 0)
    #expect(try fixture.run("save", "--nonsense").status == 2)
    #expect(try fixture.run("cat", "b").status == 3)
    try fixture.directory.write(Array("two\n".utf8), to: "a")
    #expect(try fixture.run("rm", "a").status == 4)
    #expect(try fixture.run("diff", "--exit-code").status == 1)
    #expect(try fixture.run("sync", "/nonexistent/far/away").status == 6)
    #expect(try fixture.run("merge-file", "x").status == 255)
  }

  @Test("finds the repository from a folder below, and names paths from its root")
  func subfolder() throws {
    var fixture = try ProgramFixture.initialized()
    let result = try fixture.shell(
      "mkdir -p d/e && echo x > d/e/a && echo y > b && cd d/e && dver save a && dver status . && cd .. && dver cat e/a")
    #expect(result.status == 0)
    #expect(result.outputText.hasPrefix("saved  d/e/a  "))
    #expect(result.outputText.hasSuffix("x\n"))
    fixture = try ProgramFixture.initialized()
    #expect(try fixture.shell("echo x > a && dver -C / -C . save").status == 2)
    #expect(try fixture.shell("cd / && dver -C \(fixture.runner.folder?.description ?? "") save").status == 0)
  }

  @Test("takes arguments and gives paths as bytes")
  func bytes() throws {
    let fixture = try ProgramFixture.initialized()
    let name: [UInt8] = [0x78, 0xff, 0x0a, 0x2e]
    try FileDescriptor.open(fixture.directory.appending(name), .writeOnly, options: .create).write([1, 0, 2])
    #expect(try fixture.runner.run([Array("save".utf8), Array("--".utf8), name]).status == 0)
    #expect(try fixture.runner.run([Array("cat".utf8), Array("--".utf8), name]).output == [1, 0, 2])
    try FileDescriptor.open(fixture.directory.appending(name), .writeOnly, options: .truncate).write([3])
    #expect(try fixture.run("status", "-z").output == name + [0])
    #expect(try fixture.run("status").outputText == "modified  \"x\\xff\\n.\"\n")
  }

  @Test("takes names that look like options behind --, and a lone dash as it is")
  func dashes() throws {
    let fixture = try ProgramFixture.initialized()
    for name in ["-todo-", "--help", "-rf", "--", "-"] {
      try fixture.directory.write(Array(name.utf8), to: name)
      #expect(try fixture.run("save", "--", name).status == 0)
      #expect(try fixture.run("cat", "--", name).outputText == name)
    }
  }

  @Test("reads standard input")
  func standardInput() throws {
    let fixture = try ProgramFixture.initialized()
    #expect(try fixture.run("save", "--stdin", "a", input: "text").status == 0)
    #expect(try fixture.run("cat", "a").outputText == "text")
  }

  @Test("takes no harm from a reader that leaves, and reports a full disk")
  func closedOutput() throws {
    let fixture = try ProgramFixture.initialized()
    try fixture.directory.write([UInt8](repeating: 0x61, count: 3_000_000), to: "a")
    #expect(try fixture.run("save").status == 0)
    let result = try fixture.shell("{ dver cat a; echo $? >&2; } | head -c 10")
    #expect(result.outputText == "aaaaaaaaaa")
    #expect(result.errorText == "0\n")
    #expect(try fixture.shell("dver cat a > /dev/full").status == 4)
  }

  @Test("does the same with the same clock, but for random identities")
  func fixedClock() throws {
    let fixture = try ProgramFixture.initialized()
    fixture.runner.environment["DVER_NOW"] = "2026-11-30T10:15:02.120Z"
    try fixture.directory.write([1], to: "a")
    #expect(try fixture.run("save", "--json").outputText.contains("\"savedAt\":\"2026-11-30T10:15:02.120Z\""))
    fixture.runner.environment["DVER_NOW"] = "tomorrow"
    #expect(try fixture.run("log").status == 2)
  }

  @Test("saves the rest where a file can't be read, names it and ends with status 4")
  func unreadable() throws {
    guard !Machine.effectiveUserIsRoot else {
      print("run as root, who can read everything: not tested")
      return
    }
    let fixture = try ProgramFixture.initialized()
    try fixture.directory.write([1], to: "a")
    try fixture.directory.write([2], to: "b")
    #expect(try fixture.shell("dver save && echo x > b && chmod 000 a").status == 0)
    let result = try fixture.run("save")
    #expect(result.status == 4)
    #expect(result.outputText.hasPrefix("saved  b"))
    #expect(result.errorText.hasPrefix("dver: warning: not saved: \"a\": "))
  }

  @Test("ends with status 130 where it is interrupted while it waits for input", arguments: [2, 15] as [Int32])
  func interruption(signal: Int32) throws {
    let fixture = try ProgramFixture.initialized()
    let process = try fixture.runner.spawn(["save", "--stdin", "a"].map { Array($0.utf8) })
    // What was written has been read once the pipe is full again: by then the program waits.
    try process.write([UInt8](repeating: 0x61, count: 1 << 20))
    process.kill(signal: signal)
    process.closeInput()
    #expect(try process.wait().status == 130)
    #expect(try fixture.run("cat", "a").status == 3)
  }

  @Test(
    "ends with status 130 and advice where an import is interrupted, and then goes on", arguments: [[], ["--json"]])
  func interruptedImport(options: [String]) throws {
    let fixture = try ProgramFixture.initialized()
    let script = """
      mkdir ../copies && cd ../copies && seq 3000 > t
      for i in $(seq 900); do echo $i >> t; cp t $(printf %04d $i); done; rm t
      """
    #expect(try fixture.shell(script).status == 0)
    let arguments = ["import-history", "../copies", "doc"]
    // It has begun when the active pack grows; each of its 28 groups takes a while.
    let line = """
      dver \((arguments + options).joined(separator: " ")) 2> ../errors & pid=$!
      until [ $(du -b .dver/private/*/active/1 | cut -f1) -gt 2000 ]; do sleep 0.005; done
      kill -INT $pid; wait $pid
      """
    #expect(try fixture.shell(line).status == 130)
    let errors = try fixture.shell("cat ../errors").outputText
    #expect(errors.contains("interrupted after ") && errors.contains(" of 900 files"))
    #expect(errors.contains("the same command goes on"))
    #expect(errors.hasPrefix(options.isEmpty ? "dver: import-history: " : "{\"error\":{\"code\":\"interrupted\","))
    let result = try fixture.run("import-history", "../copies", "doc")
    #expect(result.status == 0 && result.errorText.contains(" of 900 files were versions already"))
    let count = try fixture.shell("dver log --all --json doc | wc -l").outputText
    #expect(count.contains("900"))
  }

  @Test("has a page for every command in the overview, and completes them")
  func help() throws {
    let fixture = try ProgramFixture()
    let overview = try fixture.run("help").outputText
    for line in try fixture.run("help", "--json").outputText.split(separator: "\n") {
      let name = try #require(try JSONValue(parsing: Array(line.utf8))["command"]?.string)
      #expect(overview.contains("\n  \(name) "))
      let page = try fixture.run("help", name)
      #expect(page.status == 0 || name.contains(" "))
      #expect(page.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
    }
    #expect(try fixture.shell("command -v bash > /dev/null || exit 0; dver completion bash | bash -n").status == 0)
  }
}
