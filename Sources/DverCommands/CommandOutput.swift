import SystemIO

/// Where a command's results and remarks go: results to standard output, one a line, the rest to standard error.
///
/// A failed write is remembered, not thrown, so that commands needn't ask after each line; the program asks at the
/// end. A long command stops when ``isClosed``.
final class CommandOutput {
  let isJSON: Bool
  let isQuiet: Bool
  let color: Color
  private let surroundings: Surroundings
  private var buffer: [UInt8] = []
  private(set) var failure: SystemError?

  private static let flushThreshold = 1 << 16

  init(isJSON: Bool, isQuiet: Bool, color: Color, surroundings: Surroundings) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.color = color
    self.surroundings = surroundings
  }

  /// Nobody reads any more, or nothing can be written.
  var isClosed: Bool { failure != nil }

  /// Bytes as they are: a version's content. Many are not copied.
  func write(bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.flushThreshold else {
      append { $0 += bytes }
      return
    }
    flush()
    guard !isClosed else { return }
    do { try surroundings.write(bytes, 1) } catch { failure = error }
  }

  /// Bytes as they are.
  func write(bytes: some Collection<UInt8>) {
    guard !isClosed else { return }
    buffer += bytes
    if buffer.count >= Self.flushThreshold { flush() }
  }

  /// What the body appends.
  func append(_ body: (inout [UInt8]) -> Void) {
    guard !isClosed else { return }
    body(&buffer)
    if buffer.count >= Self.flushThreshold { flush() }
  }

  /// A line of text that is safe already.
  func write(line: String) {
    guard !isClosed else { return }
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.flushThreshold { flush() }
  }

  /// One JSON object in a line.
  func write(object body: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.object(body)
    write(bytes: json.bytes)
    write(bytes: CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// A path in a line for people, or as it is with a zero byte behind, for `-z`.
  func write(path: [UInt8], isNullTerminated: Bool) {
    if isNullTerminated {
      write(bytes: path)
      write(bytes: CollectionOfOne(0))
    } else {
      write(line: TerminalText.path(path))
    }
  }

  /// What a person may like to know, on standard error; nothing with `--quiet` and `--json`.
  func status(_ text: String) {
    if !isQuiet, !isJSON { writeError(text) }
  }

  /// Something that a person should know though the command goes on; with `--json` an object `{"warning":…}`.
  func warn(_ failure: CommandFailure) {
    report(failure, key: "warning", command: "warning")
  }

  /// The error that ended the command.
  func report(_ failure: CommandFailure, command: String?) {
    report(failure, key: "error", command: command)
  }

  /// Hands everything written so far to the system.
  func flush() {
    guard !buffer.isEmpty, !isClosed else { return }
    do { try surroundings.write(buffer, to: 1) } catch { failure = error }
    buffer.removeAll(keepingCapacity: true)
  }

  private func report(_ failure: CommandFailure, key: String, command: String?) {
    guard isJSON else {
      writeError(failure.line(command: command))
      return
    }
    var json = JSONWriter()
    failure.write(to: &json, key: key)
    writeError(String(decoding: json.bytes, as: UTF8.self))
  }

  /// Results first, so that a terminal shows both in the order of the calls.
  private func writeError(_ line: String) {
    flush()
    // With standard error gone there is nobody left to tell.
    try? surroundings.write(Array(line.utf8) + [UInt8(ascii: "\n")], to: 2)
  }
}

extension SystemError {
  /// The reader of a pipe has gone, as in `dver log | head`.
  var saysNobodyReads: Bool {
    code == 32  // EPIPE, on Linux and on Darwin
  }
}
