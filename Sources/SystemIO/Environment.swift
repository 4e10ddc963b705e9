import CSystem
import Glibc

/// What the process was started with, as bytes.
public enum Environment {
  /// A variable's value; `nil` where it is not set.
  public static func value(_ name: String) -> [UInt8]? {
    guard let value = getenv(name) else { return nil }
    return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// Prepares a process that is mostly short: call it once, before anything else.
  public static func prepareProcess() {
    csystem_tune_memory()
  }

  /// The program's name and its arguments.
  public static var arguments: [[UInt8]] {
    // Swift's own way reads /proc, which costs a short command a twentieth of its time.
    let noted = csystem_argument_count()
    var arguments: [[UInt8]] = []
    for index in 0..<Int(noted > 0 ? noted : CommandLine.argc) {
      guard let argument = noted > 0 ? csystem_arguments()?[index] : CommandLine.unsafeArgv[index] else { continue }
      arguments.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
    return arguments
  }
}
