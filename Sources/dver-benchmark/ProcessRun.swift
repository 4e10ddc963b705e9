import Glibc
import SystemIO

/// What one run of a program took.
struct ProcessRun {
  var wallMicroseconds: Int64
  /// User and system time, of the program and of the children it waited for.
  var cpuMicroseconds: Int64
  /// Standard output, where it was asked for.
  var output: [UInt8]

  /// Runs a program found in PATH to its end, with its errors on this program's own standard error.
  ///
  /// The time is taken from before the process is made until it was waited for.
  ///
  /// - Throws: `.missing` where there is no such program, `.failed` where it ends with a status that isn't accepted.
  static func of(
    _ words: [String], capturesOutput: Bool = false, accepting statuses: ClosedRange<Int32> = 0...0
  ) throws(BenchmarkError) -> ProcessRun {
    var pipe = Pipe()
    if capturesOutput { pipe = try Pipe.open() }
    defer { pipe.close() }
    let start = monotonicMicroseconds()
    let child = try spawn(words, output: capturesOutput ? pipe.writing : nil)
    pipe.closeWriting()
    let output = pipe.readAll()
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw .system(SystemError(function: "wait4", path: nil, code: errno)) }
    }
    let wall = monotonicMicroseconds() - start
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    guard statuses.contains(code), code != 127 else {
      throw code == 127 ? .missing(program: words[0]) : .failed(command: words.joined(separator: " "), status: code)
    }
    return ProcessRun(
      wallMicroseconds: wall, cpuMicroseconds: microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
      output: output)
  }

  static func + (left: ProcessRun, right: ProcessRun) -> ProcessRun {
    ProcessRun(
      wallMicroseconds: left.wallMicroseconds + right.wallMicroseconds,
      cpuMicroseconds: left.cpuMicroseconds + right.cpuMicroseconds, output: [])
  }

  private static func microseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
  }

  private static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Starts a program with standard input and, where no descriptor is given, standard output at `/dev/null`.
  private static func spawn(_ words: [String], output: Int32?) throws(BenchmarkError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    var child: pid_t = 0
    let code = withCStrings(words) { arguments in
      withCStrings(childEnvironment) { environment in
        posix_spawnp(&child, words[0], &actions, nil, arguments, environment)
      }
    }
    switch code {
    case 0: return child
    case ENOENT: throw .missing(program: words[0])
    default: throw .system(SystemError(function: "posix_spawnp", path: nil, code: code))
    }
  }

  /// This program's environment without what would change how the measured programs work.
  private static let childEnvironment: [String] = {
    var kept = ["GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if !["GIT_", "DVER_", "LC_ALL="].contains(where: text.hasPrefix) { kept.append(text) }
      place += 1
    }
    return kept
  }()

  private static func withCStrings<R>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }
}
