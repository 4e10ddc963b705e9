import Glibc

/// The machine and user that this process runs as.
public enum Machine {
  /// The content of `/etc/machine-id`, or "none". Copies of a disk have it too.
  public static var machineID: [UInt8] { firstLine(of: "/etc/machine-id") ?? Array("none".utf8) }

  /// Another one each time the machine starts; "none" where the kernel does not tell.
  public static var bootID: [UInt8] {
    firstLine(of: "/proc/sys/kernel/random/boot_id") ?? Array("none".utf8)
  }

  public static var userID: UInt32 { getuid() }

  public static var effectiveUserIsRoot: Bool { geteuid() == 0 }

  /// How many processors can be used at once.
  public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  public static var processID: Int32 { getpid() }

  /// At most 255 bytes; "localhost" where there is none.
  public static var hostName: [UInt8] {
    var name = [CChar](repeating: 0, count: 256)
    let result = gethostname(&name, name.count - 1)
    let text = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return result == 0 && !text.isEmpty ? text : Array("localhost".utf8)
  }

  /// System and processor, such as "linux-x86_64".
  public static var platform: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "linux" }
    let processor = withUnsafeBytes(of: &system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "linux-" + processor
  }

  /// Whether a process of that number is there now; another user's counts, and so does one that reuses the number.
  public static func isProcessAlive(_ process: Int32) -> Bool {
    guard process > 0 else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  // Not by `call`: these facts must not vary with the faults that a test injects.
  private static func firstLine(of path: String) -> [UInt8]? {
    let fd = open(path, O_RDONLY | O_CLOEXEC)
    guard fd >= 0 else { return nil }
    defer { close(fd) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(fd, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let line = bytes[..<count].prefix { $0 > 0x20 && $0 < 0x7F }
    return line.isEmpty ? nil : Array(line)
  }
}
