import Glibc
import SystemIO
import Testing

@Suite("A system error") struct SystemErrorTests {
  @Test(
    "is classified by its code",
    arguments: [
      (ENOENT, "notFound"), (ENOTDIR, "notFound"), (EACCES, "permission"), (EPERM, "permission"), (ENOSPC, "noSpace"),
      (EDQUOT, "noSpace"), (EROFS, "readOnly"), (EEXIST, "alreadyExists"), (ENAMETOOLONG, "nameTooLong"),
      (EINVAL, "unsupported"), (ENOSYS, "unsupported"), (EOPNOTSUPP, "unsupported"), (ENOTTY, "unsupported"),
      (ENOLCK, "unsupported"), (EFBIG, "tooLarge"), (ELOOP, "symbolicLink"), (EIO, ""),
    ])
  func classification(code: Int32, name: String) {
    let error = SystemError(function: "f", path: nil, code: code)
    let names = [
      ("notFound", error.isNotFound), ("permission", error.isPermission), ("noSpace", error.isNoSpace),
      ("readOnly", error.isReadOnly), ("alreadyExists", error.alreadyExists), ("nameTooLong", error.isNameTooLong),
      ("unsupported", error.isUnsupported), ("tooLarge", error.isTooLarge), ("symbolicLink", error.isSymbolicLink),
    ].filter(\.1).map(\.0)
    #expect(names == (name.isEmpty ? [] : [name]))
  }

  @Test("says what happened to what")
  func text() {
    let error = SystemError(function: "open", path: FilePath("a\nb"), code: ENOENT)
    #expect(error.message == "No such file or directory")
    #expect(error.description == "open a\\nb: No such file or directory")
    #expect(SystemError(function: "poll", path: nil, code: 99_999).message.contains("99999"))
  }

  @Test("names function and path of the call that failed")
  func origin() throws {
    let path = FilePath("/nonexistent/file")
    #expect(throws: SystemError(function: "open", path: path, code: ENOENT)) {
      _ = try FileDescriptor.open(path, .readOnly)
    }
  }
}
