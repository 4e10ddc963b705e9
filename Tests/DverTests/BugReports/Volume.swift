import SystemIO
import TestSupport
import Testing

/// A double of volumes that tests can't expect to find: what the built program hears of its folder of documents is changed
/// by a library that is loaded before the others.
struct Volume {
  /// How it differs from the volume that the files are on.
  enum Quirk {
    /// Names that differ in the case of ASCII letters are one.
    case ignoresCase
    /// No `:?*"<>|\` in names, no links, no renames but plain ones.
    case fat
    /// Names have at most so many bytes.
    case longestName(Int)
    /// Times are in steps of two seconds.
    case coarseTimes
    /// There is no time of the last change (`ctime`).
    case noChangeTime
    /// Every call on a name fails with a code of `errno`.
    case failing(String, Int32)
    /// A name can be looked at, not opened.
    case closed(String)

    var variables: [String] {
      switch self {
      case .ignoresCase: ["CASELESS=1"]
      case .fat: ["FAT=1"]
      case .longestName(let count): ["LONGEST=\(count)"]
      case .coarseTimes: ["COARSE=1"]
      case .noChangeTime: ["CHANGELESS=1"]
      case .failing(let name, let code): ["FAILING=\(name)", "CODE=\(code)"]
      case .closed(let name): ["CLOSED=\(name)"]
      }
    }
  }

  private let library: FilePath
  private let directory: TemporaryDirectory

  /// Compiled once.
  private static let shared = Result { try Volume() }

  private init() throws {
    directory = try TemporaryDirectory()
    library = directory.appending("volume.so")
    try directory.write(Array(Self.source.utf8), to: "volume.c")
    let line =
      "for c in clang cc gcc; do command -v $c >/dev/null && exec $c -shared -fPIC -o volume.so volume.c -ldl; done"
    let compiler = try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: [Array("-c".utf8), Array("\(line); exit 1".utf8)],
      folder: directory.path)
    try #require(compiler.status == 0, "\(compiler.errorText)")
    let trial = try ChildProcess.run(
      program: CommandRunner().program,
      environment: ["LD_PRELOAD=\(library)", "VOLUME_TRIAL=1"].map { Array($0.utf8) })
    try #require(trial.outputText == "volume")
  }

  /// A device whose folder lies on such a volume; `nil`, with a line that says so, where there is no way to have one.
  static func device(_ device: Devices.Device, _ quirk: Quirk, for test: String) throws -> Devices.Device? {
    guard let volume = try? shared.get() else {
      print("skipped: \(test): no C compiler here, or a program that is linked statically")
      return nil
    }
    return device.with(["LD_PRELOAD=\(volume.library)", "VOLUME=\(device.folder)"] + quirk.variables)
  }
}
