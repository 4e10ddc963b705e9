import SystemIO
import TestSupport
import Testing

@Suite("Bad input") struct BadInputTests {
  @Test(
    "gives one line that says what happened and what to do, and the status of the contract", arguments: BadInputCase.all
  )
  func row(_ row: BadInputCase) throws {
    let fixture = try BadInputFixture(row.user)
    guard fixture.canRun else {
      print("not tested, since only root can run the program as another user: \(row.testDescription)")
      return
    }
    try fixture.prepare(row.preparation)
    try fixture.expectError(row.command, status: row.status, code: row.code)
  }

  @Test("A file that can't be read is named, the rest is saved, with status 4")
  func unreadable() throws {
    let fixture = try BadInputFixture(.other)
    guard fixture.canRun else {
      print("not tested, since only root can run the program as another user: an unreadable file")
      return
    }
    try fixture.prepare("echo new > d; echo new > e; chmod 000 d")
    let result = try fixture.run(["save"])
    #expect(result.status == 4)
    #expect(result.outputText.hasPrefix("saved  e  "))
    #expect(result.errorText.hasPrefix("dver: warning: not saved: \"d\": "))
    #expect(result.errorText.filter { $0 == "\n" }.count == 1)
    // It is not taken for deleted either.
    #expect(try fixture.run(["cat", "d"]).outputText == "3\n")
  }

  @Test("A prefix of several ids is refused with the candidates")
  func ambiguousPrefix() throws {
    let fixture = try BadInputFixture(.same)
    var prefixes: Set<Substring> = []
    for number in 0..<5_000 {
      let result = try fixture.run(["save", "--json", "--stdin", "d"], input: "\(number)")
      let object = try JSONValue(parsing: Array(result.outputText.utf8.dropLast()))
      let version = try #require(object["version"]?.string)
      if prefixes.insert(version.prefix(4)).inserted { continue }
      try fixture.expectError(["cat", "d@\(version.prefix(4))"], status: 3, code: "ambiguous")
      #expect(try fixture.run(["cat", "d@\(version.prefix(4))"]).errorText.contains(version.prefix(12)))
      return
    }
    Issue.record("no two ids began alike")
  }

  @Test("A newer record in an active pack, and a newer log entry on a remote, are not guessed at")
  func newerFormats() throws {
    var fixture = try BadInputFixture(.same)
    // A record of format 2, in a group that a commit entry ends.
    let group = Self.entry(2, [0, 2, 1] + [UInt8](repeating: 0, count: 60)) + Self.entry(4, [1])
    try AtomicFile.write(group, to: fixture.repository.appending("group"), isDurable: false)
    try fixture.prepare("cat group >> $(ls -d .dver/private/*/active/*)")
    for command in ["log", "save", "verify", "sync"] {
      try fixture.expectError([command], status: 4, code: "newer-format")
    }

    fixture = try BadInputFixture(.same)
    try fixture.prepare(
      """
      f=$(ls ../R/log/*/1); n=$(wc -c < $f); chmod u+w $f; printf '\\002' | dd of=$f bs=1 seek=8 conv=notrunc 2>/dev/null
      head -c $((n - 4)) $f > head
      for h in $(sha256sum head | cut -c1-8 | sed 's/../& /g'); do printf "\\\\$(printf %03o 0x$h)"; done > check
      cat head check > $f; rm head check; mkdir ../B
      """)
    let result = try fixture.run(["clone", "../R", "../B"])
    #expect(result.status == 0)
    #expect(result.errorText.hasPrefix("dver: warning: a newer dver wrote log/"))
    #expect(result.errorText.filter { $0 == "\n" }.count == 1)
  }

  @Test("A full disk is said to be full, nothing acknowledged is lost, and with space all goes on")
  func fullDisk() throws {
    let fixture = try BadInputFixture(.same)
    let volume = fixture.directory.appending("volume")
    try FileSystem.makeFolder(at: volume)
    guard Machine.effectiveUserIsRoot, try fixture.shell("mount -t tmpfs -o size=1m none ../volume").status == 0 else {
      print("not tested, since no volume can be mounted: a full disk")
      return
    }
    defer { _ = try? fixture.shell("umount ../volume") }
    try fixture.prepare("cp -a ../R ../volume/R; dver remote remove R; dver remote add R ../volume/R")
    try fixture.prepare("head -c 3000000 /dev/urandom > big; dver save big")
    try fixture.expectError(["sync"], status: 4, code: "disk-full")
    // The store itself on the full volume.
    try fixture.prepare("mkdir ../volume/S; cd ../volume/S; dver init; echo kept > d; dver save; rm -r ../R")
    var full = fixture
    full.repository = volume.appending("S")
    try full.prepare("head -c 600000 /dev/urandom > big; head -c 300000 /dev/zero > fill")
    try full.expectError(["save", "big"], status: 4, code: "disk-full")
    #expect(try full.run(["cat", "d"]).outputText == "kept\n")
    try full.prepare("mount -o remount,size=8m ..; dver save big; dver verify; dver cat big | cmp - big")
  }

  /// An entry of a pack. Source: docs/format.md, "Entries".
  private static func entry(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    let bytes = [type, UInt8(body.count)] + body
    var checksum = UInt32.max
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = (checksum >> 1) ^ (checksum & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return bytes + (0..<4).map { UInt8(truncatingIfNeeded: ~checksum >> ($0 * 8)) }
  }
}

/// A repository with two documents, `d` of three versions and `e` of one: all but the last version are in a sealed pack, and
/// on the remote `R`.
struct BadInputFixture {
  let directory: TemporaryDirectory
  var repository: FilePath
  private let runner: CommandRunner
  /// What runs the program, before its own path.
  private let prefix: [String]
  private(set) var canRun = true

  init(_ user: BadInputCase.User) throws {
    directory = try TemporaryDirectory()
    runner = try CommandRunner()
    repository = try FileSystem.resolve(directory.path).appending("A")
    let needsOther = user == .other && Machine.effectiveUserIsRoot
    prefix = needsOther ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    try FileSystem.makeFolder(at: repository)
    if needsOther {
      let program = runner.program.description
      let result = try shell(
        "test -x /usr/bin/setpriv && chmod 755 .. && chown -R 65534:65534 .. && \(prefix.joined(separator: " ")) \(program) --version"
      )
      canRun = result.status == 0
      guard canRun else { return }
    }
    try prepare(
      """
      dver init --device A; dver remote add R ../R; echo 1 > d; echo other > e; dver save; echo 2 > d; dver save
      dver sync; echo 3 > d; dver save
      """)
  }

  /// Runs the program in the repository's folder.
  func run(_ words: [String], input: String = "") throws -> ProcessResult {
    let line = prefix + [runner.program.description] + words
    return try ChildProcess.run(
      program: FilePath(line[0]), arguments: line.dropFirst().map { Array($0.utf8) }, environment: environment,
      folder: repository, input: Array(input.utf8), timeoutMilliseconds: 60_000)
  }

  /// Runs a shell line there, as the test's own user.
  func shell(_ line: String) throws -> ProcessResult {
    let quoted = (prefix + [runner.program.description]).joined(separator: " ")
    return try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: ["-ec", "dver() { \(quoted) \"$@\"; }\n" + line].map { Array($0.utf8) },
      environment: environment, folder: repository, timeoutMilliseconds: 60_000)
  }

  /// Runs a shell line that has to work. Files that it makes belong to whoever runs the program.
  func prepare(_ line: String) throws {
    let result = try shell(line + (prefix.isEmpty ? "" : "\nchown -R 65534:65534 .. "))
    try #require(result.status == 0, "\(line): \(result.errorText)")
  }

  private var environment: [[UInt8]] {
    ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG=C.UTF-8", "TZ=UTC", "SWIFT_BACKTRACE=enable=no"].map {
      Array($0.utf8)
    }
  }

  /// Checks that a command ends with a status and one line, and with `--json` with one object.
  func expectError(
    _ command: [String], status: Int32, code: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(command)
    let text = result.errorText
    #expect(result.status == status && result.signal == nil, "\(text)", sourceLocation: location)
    #expect(text.hasSuffix("\n") && text.filter { $0 == "\n" }.count == 1, "\(text)", sourceLocation: location)
    // dver: COMMAND: what happened: what to do
    let parts = text.dropLast().split(separator: ": ", omittingEmptySubsequences: false)
    #expect(parts.count >= 4 && parts[0] == "dver", "\(text)", sourceLocation: location)
    #expect(parts.allSatisfy { !$0.isEmpty }, "\(text)", sourceLocation: location)
    #expect(text.dropLast().unicodeScalars.allSatisfy { $0.value >= 32 }, "\(text)", sourceLocation: location)
    let json = try run(["--json"] + command)
    #expect(json.status == status && json.signal == nil, "\(json.errorText)", sourceLocation: location)
    let object = try JSONValue(parsing: json.errors.dropLast())
    #expect(object.members?.map(\.name) == ["error"], "\(json.errorText)", sourceLocation: location)
    #expect(object["error"]?["code"]?.string == code, "\(json.errorText)", sourceLocation: location)
    #expect(object["error"]?["message"]?.string?.isEmpty == false, sourceLocation: location)
  }
}
