import Glibc

extension FileSystem {
  /// The absolute path of what is there, with every link followed.
  public static func resolve(_ path: FilePath) throws(SystemError) -> FilePath {
    var resolved: FilePath?
    try call("realpath", path) {
      path.withCString { name in
        guard let text = realpath(name, nil) else { return -1 }
        defer { free(text) }
        resolved = FilePath(bytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
        return 0
      }
    }
    guard let resolved else { throw SystemError(function: "realpath", path: path, code: EINVAL) }
    return resolved
  }
}
