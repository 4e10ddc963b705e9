import Exchange
import SystemIO
import Testing

@Suite("The place of a remote") struct RemoteURLTests {
  @Test(
    "is a path, or a file URL",
    arguments: [
      ("/mnt/stick", "/mnt/stick"), ("../other", "../other"), ("a b", "a b"), ("file:///mnt/a%20b", "/mnt/a b"),
      ("file://localhost/x", "/x"), ("file:///%FF", "\u{FF}"), ("c:/x", "c:/x"), ("odd:name", "odd:name"),
    ])
  func folder(_ text: String, _ path: String) throws {
    let expected = path == "\u{FF}" ? [UInt8(ascii: "/"), 0xFF] : Array(path.utf8)
    #expect(try RemoteURL(Array(text.utf8)) == FilePath(bytes: expected).map { .folder($0) })
  }

  @Test("may be of a kind that is not there yet", arguments: ["ssh", "s3", "https", "webdav+tls"])
  func notYet(_ scheme: String) {
    #expect(throws: ExchangeError.notYet(scheme: scheme)) { try RemoteURL(Array("\(scheme)://host/x".utf8)) }
  }

  @Test(
    "is refused where it says nothing", arguments: ["", "file://", "file://host/x", "file:///a%2", "file:///a%00b"])
  func invalid(_ text: String) {
    #expect(throws: ExchangeError.self) { try RemoteURL(Array(text.utf8)) }
  }

  @Test("is relative to the repository")
  func relative() throws {
    let url = try RemoteURL(Array("../stick".utf8))
    #expect(url.key(from: FilePath("/home/me/notes")) == Array("/home/me/notes/../stick".utf8))
  }
}
