import Glibc

/// What the process was started with, as bytes.
public enum Environment {
  /// A variable's value; `nil` where it is not set.
  public static func value(_ name: String) -> [UInt8]? {
    guard let value = getenv(name) else { return nil }
    return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// The program's name and its arguments.
  public static var arguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return nil }
      return Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }
}
