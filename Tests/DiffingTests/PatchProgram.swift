import Glibc

/// GNU patch, where it is installed.
struct PatchProgram {
  private static let path = "/usr/bin/patch"

  /// `nil` where the program is missing.
  init?() {
    guard access(Self.path, X_OK) == 0 else { return nil }
  }

  /// What patch makes of a text; `nil` if it fails.
  func applying(_ diff: [UInt8], to old: [UInt8]) -> [UInt8]? {
    var template = Array("/tmp/dver-patch-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
    guard mkdtemp(&template) != nil else { return nil }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (text, patch) = (folder + "/text", folder + "/patch")
    defer {
      for name in [text, patch, text + ".orig", text + ".rej"] { unlink(name) }
      rmdir(folder)
    }
    guard Self.write(old, to: text), Self.write(diff, to: patch) else { return nil }
    let arguments = [Self.path, "--silent", "--binary", "--force", text, patch]
    guard Self.run(arguments) == 0 else { return nil }
    // patch removes a file that has become empty.
    return Self.read(text) ?? []
  }

  private static func run(_ arguments: [String]) -> Int32? {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    guard posix_spawn(&process, path, nil, nil, pointers, nil) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 {
      guard errno == EINTR else { return nil }
    }
    return status
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "wb") else { return false }
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return content }
      content += buffer[..<count]
    }
  }
}
