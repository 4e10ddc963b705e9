import SystemIO
import Testing

/// The code that the body fails with, or `nil` where it works.
func errorCode(_ body: () throws(SystemError) -> Void) -> Int32? {
  do throws(SystemError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}

/// A name for a test's row that may be any bytes.
struct Name: CustomTestStringConvertible, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var testDescription: String { FilePath.printable(bytes) }

  /// Names that the system takes and that programs trip over.
  static let hostile: [Name] = [
    Name(" "), Name("-rf"), Name("..."), Name("a\nb"), Name("\u{1B}[31m"), Name("~"), Name("$(id)"), Name("*"),
    Name("caf\u{E9}"), Name("cafe\u{301}"), Name([0xFF, 0xFE]), Name([0xC3]), Name("a\\b"), Name("CON"), Name("a:b"),
    Name("\u{202E}txt.exe"), Name(String(repeating: "n", count: 255)), Name((1...255).filter { $0 != 0x2F }),
    Name(".dver-tmp-x"),
  ]
}
