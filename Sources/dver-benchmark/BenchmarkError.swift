import SystemIO

/// Why a measurement could not be made.
enum BenchmarkError: Error, Equatable {
  case usage(String)
  /// A program is not there.
  case missing(program: String)
  /// A program ended with another status than 0.
  case failed(command: String, status: Int32)
  /// What came back is not what was saved.
  case mismatch(String)
  case system(SystemError)
}

extension BenchmarkError: CustomStringConvertible {
  var description: String {
    switch self {
    case .usage(let text): "\(text)\n\(BenchmarkOptions.help)"
    case .missing(let program): "\(program) is not there"
    case .failed(let command, let status): "exit status \(status): \(command)"
    case .mismatch(let text): "not as it was saved: \(text)"
    case .system(let error):
      "\(error.function): \(error.path.map(\.description) ?? ""): \(error.message)"
    }
  }
}
