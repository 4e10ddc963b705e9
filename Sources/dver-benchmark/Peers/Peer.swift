/// A program that keeps states of a folder, with the commands that make it do so.
///
/// Each works as its own manual has it for such a folder, without encryption where that is optional.
struct Peer {
  let name: String
  /// What comes before each command: settings, and the folder that it works in.
  private let environment: [String]
  /// Run once in an empty folder of documents.
  let setUp: [[String]]
  /// Keeps the folder's state; the argument tells the states apart.
  let save: @Sendable (_ state: Int) -> [[String]]
  /// Writes the newest state into the folder `../back`, which is not there yet.
  let restore: [[String]]
  /// Where it keeps them, in the scratch folder.
  let store: String

  private init(
    _ name: String, in folder: ScratchFolder, environment: [String] = [], store: String, setUp: [[String]],
    save: @escaping @Sendable (Int) -> [[String]], restore: [[String]]
  ) {
    self.name = name
    self.environment = ["env", "-C", folder.argument + "/tree"] + environment
    self.setUp = setUp
    self.save = save
    self.restore = restore
    self.store = store
  }

  /// All of them, each to work in a scratch folder of its own with the documents in its `tree`.
  static func all(dver: String, in folder: (String) throws(BenchmarkError) -> ScratchFolder) throws(BenchmarkError)
    -> [Peer]
  {
    let author = "benchmark <benchmark@localhost>"
    let restic = try folder("restic")
    let borg = try folder("borg")
    return [
      Peer(
        "dver", in: try folder("dver"), store: "tree/.dver", setUp: [[dver, "init", "-q"]],
        save: { _ in [[dver, "save", "-q"]] }, restore: [[dver, "restore", "-q", ".", "--to", "../back"]]),
      Peer(
        "git", in: try folder("git"), store: "tree/.git",
        setUp: [
          ["git", "init", "-q"], ["git", "config", "user.name", "b"], ["git", "config", "user.email", "b@localhost"],
          ["git", "config", "gc.auto", "0"], ["git", "config", "core.fsync", "none"],
        ], save: { _ in [["git", "add", "-A"], ["git", "commit", "-q", "-m", "x"]] },
        restore: [["sh", "-c", "mkdir ../back && git --work-tree=../back checkout -q -f HEAD -- ."]]),
      Peer(
        "hg", in: try folder("hg"), environment: ["HGRCPATH="], store: "tree/.hg", setUp: [["hg", "init"]],
        save: { _ in [["hg", "commit", "-q", "-A", "-m", "x", "-u", author]] },
        restore: [["hg", "archive", "../back"]]),
      Peer(
        "fossil", in: try folder("fossil"), environment: ["USER=benchmark", "HOME=."], store: "store.fossil",
        setUp: [["fossil", "new", "../store.fossil"], ["fossil", "open", "--force", "../store.fossil"]],
        save: { _ in [["fossil", "addremove"], ["fossil", "commit", "--no-warnings", "--allow-empty", "-m", "x"]] },
        restore: [["sh", "-c", "mkdir ../back && cd ../back && fossil open -f ../store.fossil"]]),
      Peer(
        "borg", in: borg,
        environment: ["BORG_BASE_DIR=\(borg.argument)/base", "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes"],
        store: "store", setUp: [["borg", "init", "-e", "none", "../store"]],
        save: { state in [["borg", "create", "../store::s\(state)", "."]] },
        restore: [["sh", "-c", "mkdir ../back && cd ../back && borg extract ../store::s3"]]),
      Peer(
        "restic", in: restic,
        environment: ["RESTIC_PASSWORD=x", "RESTIC_CACHE_DIR=\(restic.argument)/cache", "RESTIC_REPOSITORY=../store"],
        store: "store", setUp: [["restic", "-q", "init"]], save: { _ in [["restic", "-q", "backup", "."]] },
        restore: [["restic", "-q", "restore", "latest", "--target", "../back"]]),
    ]
  }

  /// Runs commands one after the other as one.
  func run(_ commands: [[String]], before: [String] = []) throws(BenchmarkError) -> ProcessRun {
    var total = ProcessRun(wallMicroseconds: 0, cpuMicroseconds: 0, output: [])
    for command in commands { total = total + (try ProcessRun.of(before + environment + command)) }
    return total
  }

  /// Whether it is installed.
  var isInstalled: Bool { (try? ProcessRun.of(["sh", "-c", "command -v \(program)"])) != nil }

  private var program: String { save(0)[0][0] }
}
