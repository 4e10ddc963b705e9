import SystemIO

@testable import DverCommands

/// Streams that are kept, an environment and clocks that are given.
final class FakeSurroundings {
  var environment: [String: String] = [:]
  var terminals: Set<Int32> = []
  var nanoseconds: UInt64 = 0
  /// What standard input holds.
  var input: [UInt8] = []
  /// What writing to standard output fails with, where it does.
  var outputErrorCode: Int32?
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private(set) var writeCount = 0

  var surroundings: Surroundings {
    Surroundings(
      write: { bytes, descriptor throws(SystemError) in
        self.writeCount += 1
        if descriptor == 2 {
          self.errors += bytes
        } else if let code = self.outputErrorCode {
          throw SystemError(function: "write", path: nil, code: code)
        } else {
          self.output += bytes
        }
      },
      readInput: { _ throws(SystemError) in self.input },
      readLine: { () throws(SystemError) in self.nextLine() },
      environment: { name in self.environment[name].map { Array($0.utf8) } },
      isTerminal: { self.terminals.contains($0) },
      terminalWidth: { _ in 60 },
      wallMilliseconds: { 1_796_033_702_120 },
      monotonicNanoseconds: { self.nanoseconds })
  }

  private func nextLine() -> [UInt8]? {
    guard !input.isEmpty else { return nil }
    let line = input.prefix { $0 != UInt8(ascii: "\n") }
    input.removeFirst(min(line.count + 1, input.count))
    return Array(line)
  }

  /// Forgets what was written.
  func clear() {
    output = []
    errors = []
  }

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// Runs a command line and returns its status.
  func run(_ words: String...) -> Int32 {
    run(words.map { Array($0.utf8) })
  }

  func run(_ arguments: [[UInt8]]) -> Int32 {
    DverProgram.run(arguments: arguments, surroundings: surroundings).rawValue
  }
}
