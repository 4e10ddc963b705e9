import ArgumentParsing
import Testing

@testable import DverCommands

@Suite("Global options") struct GlobalOptionsTests {
  private func options(_ words: [String], _ environment: [String: String] = [:]) throws -> GlobalOptions {
    let usage = CommandUsage("x", abstract: "", options: GlobalOptions.usages)
    let parsed = try ParsedArguments(words.map { Array($0.utf8) }, usage: usage)
    return try GlobalOptions(parsed) { name in environment[name].map { Array($0.utf8) } }
  }

  @Test("have their defaults")
  func defaults() throws {
    let options = try options([])
    #expect(options.folder == nil)
    #expect(!options.isJSON && !options.isQuiet)
    #expect(options.color == .auto && options.progress == .auto)
    #expect(options.lockTimeoutMilliseconds == 10_000)
    #expect(options.fixedNow == nil && options.deviceName == nil)
  }

  @Test("come from the command line")
  func commandLine() throws {
    let options = try options(
      ["-C", "d", "--json", "-q", "--color=never", "--progress", "always", "--lock-timeout", "1.5"])
    #expect(options.folder == [0x64])
    #expect(options.isJSON && options.isQuiet)
    #expect(options.color == .never && options.progress == .always)
    #expect(options.lockTimeoutMilliseconds == 1500)
  }

  @Test("come from the environment, behind the command line")
  func environment() throws {
    let variables = ["DVER_LOCK_TIMEOUT": "3", "DVER_NOW": "2026-11-30T10:15:02.120Z", "DVER_DEVICE_NAME": "laptop"]
    let options = try options([], variables)
    #expect(options.lockTimeoutMilliseconds == 3000)
    #expect(options.fixedNow == 1_796_033_702_120)
    #expect(options.deviceName == Array("laptop".utf8))
    #expect(try self.options(["--lock-timeout=0"], variables).lockTimeoutMilliseconds == 0)
    #expect(try self.options([], ["DVER_NOW": "-5"]).fixedNow == -5)
    #expect(try self.options([], ["DVER_NOW": "", "DVER_DEVICE_NAME": ""]).deviceName == nil)
  }

  @Test(
    "refuse values that are none",
    arguments: [
      ["-C", ""], ["--color", "x"], ["--progress="], ["--lock-timeout", "x"], ["--lock-timeout", "-1"],
      ["--lock-timeout", "1."], ["--lock-timeout", "1.2345"], ["--lock-timeout", "12345678"], ["--lock-timeout", ""],
    ])
  func refusals(words: [String]) {
    #expect(throws: UsageError.self) { try options(words) }
  }

  @Test("refuse an environment that can't be read", arguments: ["x", "2026-13-01", "99999999999999999999", "-"])
  func wrongNow(value: String) {
    #expect(throws: UsageError.self) { try options([], ["DVER_NOW": value]) }
  }
}
