import SystemIO
import TestSupport
import Testing

@testable import DverCommands

/// A repository in a fresh folder, and the program run in it with a clock that goes on a second a command.
final class CommandFixture {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
    let bytes: [UInt8]

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The objects of JSON Lines.
    func objects() throws -> [JSONValue] {
      try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    }
  }

  let directory: TemporaryDirectory
  let fake = FakeSurroundings()
  /// The repository's folder.
  let root: FilePath
  /// The folder that commands are started in.
  var folder: FilePath
  private var seconds: Int64

  init(named name: String = "A", in directory: TemporaryDirectory? = nil, startingAt seconds: Int64 = 1_796_000_000)
    throws
  {
    self.directory = try directory ?? TemporaryDirectory()
    root = try FileSystem.resolve(self.directory.path).appending(name)
    folder = root
    self.seconds = seconds
    try FileSystem.makeFolders(at: root)
  }

  /// A fixture with a store for a device called `laptop`.
  static func initialized(named name: String = "A", in directory: TemporaryDirectory? = nil) throws -> CommandFixture {
    let fixture = try CommandFixture(named: name, in: directory)
    try #require(fixture.run("init", "--device", "laptop").status == 0)
    return fixture
  }

  @discardableResult
  func run(_ words: String..., input: String = "") -> Result {
    run(words.map { Array($0.utf8) }, input: Array(input.utf8))
  }

  @discardableResult
  func run(_ arguments: [[UInt8]], input: [UInt8] = []) -> Result {
    seconds += 1
    fake.clear()
    fake.environment["DVER_NOW"] = "\(seconds * 1000)"
    fake.input = input
    let status = fake.run([Array("-C".utf8), folder.bytes] + arguments)
    return Result(status: status, output: fake.outputText, errors: fake.errorText, bytes: fake.output)
  }

  // MARK: Files

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: Array(name.utf8)) }

  /// Writes over a file in place, or makes it, with folders above it.
  func write(_ bytes: [UInt8], to name: [UInt8]) throws {
    let path = root.appending(name)
    try FileSystem.makeFolders(at: path.parent)
    try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate]).write(bytes)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try FileSystem.read(root.appending(name), limit: 1 << 20), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { (try? FileStatus.of(root.appending(name))) != nil }

  func remove(_ name: String) throws { try FileSystem.remove(at: root.appending(name)) }

  // MARK: Histories

  /// Saves a file and returns the version's id.
  @discardableResult
  func save(_ text: String, as name: String, _ options: String...) throws -> String {
    try write(text, to: name)
    let result = run((["save", "--json", name] + options).map { Array($0.utf8) })
    return try id(of: result)
  }

  /// Saves content on top of an older version, which makes a conflict.
  @discardableResult
  func saveAside(_ text: String, as name: String, basedOn version: String) throws -> String {
    try id(of: run("save", "--json", "--stdin", name, "--based-on", version, input: text))
  }

  /// A document `a.txt` of nine lines with a conflict; `isClean`: the changes are in different lines.
  func makeConflict(isClean: Bool) throws -> (base: String, first: String, second: String) {
    let base = try save("1\n2\n3\n4\n5\n6\n7\n8\n9\n", as: "a.txt")
    let first = try save("one\n2\n3\n4\n5\n6\n7\n8\n9\n", as: "a.txt")
    let text = isClean ? "1\n2\n3\n4\n5\n6\n7\n8\nnine\n" : "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n"
    let second = try saveAside(text, as: "a.txt", basedOn: base)
    return (base, first, second)
  }

  private func id(of result: Result) throws -> String {
    let object = try #require(try result.objects().first, "\(result.errors)")
    return try #require(object["version"]?.string)
  }
}
