import SystemIO

/// Why a command ended without doing what it was asked: one line, or one JSON object, on standard error.
struct CommandFailure: Error, Equatable, Sendable {
  let code: FailureCode
  /// What happened, as words that the path may stand behind: `no document is at`.
  let what: String
  let path: [UInt8]?
  /// What to do about it.
  let advice: String?

  init(_ code: FailureCode, _ what: String, path: [UInt8]? = nil, advice: String? = nil) {
    self.code = code
    self.what = what
    self.path = path
    self.advice = advice
  }

  /// A failed system call, in the words of the system.
  init(_ error: SystemError) {
    self.init(error, doing: nil)
  }

  /// A failed system call, after what was being done.
  init(_ error: SystemError, doing what: String?) {
    let (code, advice): (FailureCode, String) =
      if error.isNotFound {
        (.noFile, "check the path")
      } else if error.isNoSpace {
        (.diskFull, "free some space")
      } else if error.isReadOnly {
        (.readOnly, "check its permissions and its medium")
      } else if error.isPermission {
        (.permission, "check its permissions")
      } else {
        (.system, "check what is there and the disk that it is on")
      }
    let path = error.path?.bytes
    if error.isTooLarge, error.function.contains("write") || error.function.contains("truncate") {
      self.init(
        .diskFull, "a limit on the size of files was reached" + (path == nil ? "" : " at"), path: path,
        advice: "see ulimit -f, or use another volume")
      return
    }
    self.init(
      code, (what.map { "\($0): " } ?? "") + error.message + (path == nil ? "" : ":"), path: path, advice: advice)
  }

  var status: ExitStatus { code.status }

  /// What happened, to what, and what to do, in one safe line.
  var message: String {
    var text = what
    if let path { text += " " + TerminalText.quoted(path) }
    if let advice { text += ": " + advice }
    return TerminalText.line(text)
  }

  /// The line for people: `dver: COMMAND: what happened: what to do`.
  func line(command: String?) -> String {
    "dver: " + (command.map { "\($0): " } ?? "") + message
  }

  /// `{"error":{"code":…,"message":…,"path":…}}`, the path only where the failure has one.
  func write(to json: inout JSONWriter, key: String = "error") {
    json.object { json in
      json.member(
        key,
        object: { json in
          json.member("code", code.rawValue)
          json.member("message", message)
          if let path { json.path("path", path) }
        })
    }
  }
}
