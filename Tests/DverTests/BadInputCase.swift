import SystemIO
import TestSupport
import Testing

/// A store or an argument that is bad, and what the program must say of it.
struct BadInputCase: CustomTestStringConvertible, Sendable {
  /// Who runs the program: permissions stop everybody but root.
  enum User: Sendable {
    case same
    case other
  }

  let testDescription: String
  /// A shell line that spoils what ``BadInputFixture`` made; it runs in the repository's folder.
  let preparation: String
  let command: [String]
  let status: Int32
  /// The code of the JSON error.
  let code: String
  let user: User

  init(
    _ description: String, after preparation: String = "", _ command: String, _ status: Int32, _ code: String,
    by user: User = .same
  ) {
    testDescription = "\(description): dver \(command)"
    self.preparation = preparation
    self.command = command.split(separator: " ").map(String.init)
    self.status = status
    self.code = code
    self.user = user
  }

  // What the shell lines name.
  private static let sealed = "$(ls -d .dver/packs/*/*)"
  private static let active = "$(ls -d .dver/private/*/active/*)"
  static let noCatalog = "rm .dver/private/*/catalog.sqlite*; "

  /// Writes bytes, as octal escapes of `printf`, over those at an offset.
  private static func overwrite(_ file: String, at offset: Int, with bytes: String) -> String {
    "f=\(file); chmod u+w $f; printf '\(bytes)' | dd of=$f bs=1 seek=\(offset) conv=notrunc 2>/dev/null; "
  }

  static let noStore = ["save", "status", "log", "cat d", "show d", "diff d", "restore d", "mv d e", "rm d"].map {
    BadInputCase("no store", after: "rm -r .dver", $0, 3, "no-store")
  }
  static let noStoreEither = ["conflicts", "sync", "verify", "stats", "undo", "remote list", "device list"].map {
    BadInputCase("no store", after: "rm -r .dver", $0, 3, "no-store")
  }

  static let named = [
    BadInputCase("no such version", "cat d@ffffffff", 3, "no-version"),
    BadInputCase("no such version", "restore d@~9", 3, "no-version"),
    BadInputCase("no such version", "save --based-on ffffffff d", 3, "no-version"),
    BadInputCase("no common version", "show d@base", 3, "no-version"),
    BadInputCase("no such document", "cat nothing", 3, "no-document"),
    BadInputCase("no such document", "rm nothing", 3, "no-document"),
    BadInputCase("no such document", "save nothing", 3, "no-document"),
    BadInputCase("no such document", "cat \(String(repeating: "a", count: 300))", 3, "no-document"),
    BadInputCase("no such remote", "sync nothing", 3, "no-remote"),
    BadInputCase("no such remote", "remote remove nothing", 3, "no-remote"),
    BadInputCase("no such device", "device retire nothing", 3, "no-device"),
    BadInputCase("no such folder", "-C nothing log", 3, "no-file"),
    BadInputCase("no such folder", "restore d --to nothing/d", 3, "no-file"),
    BadInputCase("a name too long for the volume", "save \(String(repeating: "a", count: 300))", 4, "system"),
    BadInputCase("the current version", "remove d@current", 4, "not-possible"),
    BadInputCase("no conflict", "resolve d --current", 4, "not-possible"),
    BadInputCase("unsaved changes", after: "echo new > d", "rm d", 4, "unsaved-changes"),
    BadInputCase("a file in place of a folder", "mv d d/x", 4, "not-possible"),
    BadInputCase("everything is missing", after: "rm d e", "save", 4, "mass-deletion"),
    BadInputCase("a file in place of a clone", "clone ../R .", 4, "already-exists"),
  ]

  static let outside = [
    "cat ../x", "cat /etc/passwd", "save ../x", "save /etc/passwd", "save .dver", "rm ..", "mv d ../x", "mv d /tmp/x",
    "mv d .dver/x", "save --stdin ../x", "restore d --to .dver/x", "cat .dver/dver-remote", "conflicts ../x",
    "log ..",
  ].map { BadInputCase("outside", $0, 2, "usage") }

  static let options = [
    "save --nothing", "save -m", "log -n x", "log -n 99999999999999999999", "log --since never", "cat", "cat d@",
    "cat d@abc", "cat d@{never}", "cat @current", "diff a b c", "resolve d", "resolve d --use ffff --current",
    "remote add", "remote add a/b /x", "config nothing", "config nothing x", "device rename", "completion csh",
    "help nothing", "--color sometimes log", "--lock-timeout x save", "init a b", "undo --nothing",
  ].map { BadInputCase("option", $0, 2, "usage") }

  static let damaged =
    [
      BadInputCase("empty marker", after: ": > .dver/dver-remote", "log", 5, "damage"),
      BadInputCase("strange marker", after: "echo x > .dver/dver-remote", "save", 5, "damage"),
      BadInputCase("endless marker", after: "yes | head -c 99999 > .dver/dver-remote", "log", 5, "damage"),
      BadInputCase("sealed pack, first byte", after: overwrite(sealed, at: 0, with: "\\377"), "log d", 5, "damage"),
      BadInputCase(
        "sealed pack, first entry", after: overwrite(sealed, at: 50, with: "\\377"), "cat d@~2", 5, "damage"),
      BadInputCase("sealed pack, cut", after: "truncate -s -9 \(sealed)", "log e", 5, "damage"),
      BadInputCase("sealed pack, cut in a record", after: "truncate -s 300 \(sealed)", "log e", 5, "damage"),
      BadInputCase("sealed pack, empty", after: ": > \(sealed)", "cat d@~2", 5, "damage"),
      BadInputCase("sealed pack, longer", after: "echo x >> \(sealed)", "cat d@~2", 5, "damage"),
      BadInputCase("active pack, first byte", after: overwrite(active, at: 0, with: "\\377"), "log d", 5, "damage"),
      BadInputCase("active pack, cut in a record", after: "truncate -s 60 \(active)", "log d", 5, "damage"),
      BadInputCase("active pack, empty", after: ": > \(active)", "save", 5, "damage"),
      BadInputCase("log entry, empty", after: noCatalog + ": > $(ls .dver/log/*/1)", "sync ../N", 5, "damage"),
      BadInputCase("no sealed pack", after: noCatalog + "rm \(sealed)", "sync ../N", 5, "damage"),
    ]

  static let newer = [
    BadInputCase("marker", after: "echo dver-remote 2 > .dver/dver-remote", "log", 4, "newer-format"),
    BadInputCase("marker", after: "printf 'dver-remote 9\\033[31m' > .dver/dver-remote", "save", 4, "newer-format"),
    BadInputCase("remote's marker", after: "echo dver-remote 2 > ../R/dver-remote", "sync", 4, "newer-format"),
    BadInputCase("sealed pack", after: overwrite(sealed, at: 8, with: "\\003"), "cat d@~2", 4, "newer-format"),
    BadInputCase("active pack", after: overwrite(active, at: 8, with: "\\004"), "log d", 4, "newer-format"),
  ]

  static let remotes = [
    BadInputCase("remote missing", "sync ../nothing/R", 6, "remote-unreachable"),
    BadInputCase("remote gone", after: "rm -r ../R", "sync", 6, "remote-unreachable"),
    BadInputCase("remote emptied", after: "rm -r ../R/*", "sync", 6, "remote-unreachable"),
    BadInputCase("no remote", after: "mkdir ../N; echo x > ../N/x", "sync ../N", 6, "remote-unreachable"),
    BadInputCase("a file as remote", "sync ./d", 6, "remote-unreachable"),
    BadInputCase("the store itself as remote", "sync ./", 6, "remote-unreachable"),
    BadInputCase("scheme to come", "sync s3://bucket/x", 6, "remote-unreachable"),
    BadInputCase("nothing to clone", "clone ../nothing ../C", 6, "remote-unreachable"),
    BadInputCase("remote read-only", after: "chmod -R a-w ../R", "sync", 6, "remote-refused", by: .other),
    BadInputCase("remote not to be read", after: "chmod 000 ../R", "sync", 6, "remote-refused", by: .other),
  ]

  static let permissions = [
    BadInputCase("store read-only", after: "chmod -R a-w .dver", "save", 4, "read-only", by: .other),
    BadInputCase("folder read-only", after: "chmod a-w .", "mv d x", 4, "permission", by: .other),
  ]

  static let all =
    noStore + noStoreEither + named + outside + options + damaged + newer + remotes + permissions
}
