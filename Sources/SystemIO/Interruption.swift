import CSystem
import Glibc

/// The wish of a person or the system that this process ends soon.
public enum Interruption {
  /// From now on the first SIGINT or SIGTERM is only noted, and a second one ends the process as usual. SIGPIPE is
  /// ignored, so that writing to a closed pipe fails with `EPIPE`, and so is SIGXFSZ: a file that would get larger than is
  /// allowed is `EFBIG`. For programs, not for libraries: it is the whole
  /// process's.
  public static func install() {
    _ = csystem_install_interruption()
  }

  public static var isRequested: Bool { csystem_interruption_signal() != 0 }

  /// For long work that can end anywhere.
  ///
  /// - Throws: `ECANCELED` where the process is asked to end.
  public static func check() throws(SystemError) {
    if isRequested { throw SystemError(function: "read", path: nil, code: ECANCELED) }
  }

  /// The number of the signal that asked; `nil` where none did.
  public static var signal: Int32? {
    let number = csystem_interruption_signal()
    return number == 0 ? nil : number
  }
}
