public import Exchange
import Hashing
import Versioning

/// What every remote has to keep: one check for each promise of `Remote`.
public enum RemoteContract: String, CaseIterable, Sendable {
  case setUp = "An empty place is a remote once it was set up"
  case roundTrip = "Bytes come back as they were put"
  case ranges = "A range is clipped to the file's end"
  case absence = "What is not there is told apart from what is empty"
  case immutability = "A file is never changed by putting another under its name"
  case repetition = "The same bytes can be put again"
  case replacement = "A file is replaced where that is asked for"
  case listing = "A listing shows the names of its folder and no others"

  /// A promise that was not kept.
  public struct Violation: Error, CustomStringConvertible {
    public let description: String
  }

  /// Checks this promise of a remote at an empty place.
  public func check(_ remote: any Remote) throws {
    if self == .setUp { return try checkSetUp(remote) }
    try remote.setUp()
    switch self {
    case .setUp: break
    case .roundTrip: try checkRoundTrip(remote)
    case .ranges: try checkRanges(remote)
    case .absence: try checkAbsence(remote)
    case .immutability: try checkImmutability(remote)
    case .repetition: try checkRepetition(remote)
    case .replacement: try checkReplacement(remote)
    case .listing: try checkListing(remote)
    }
  }

  private static let device = DeviceID(high: 0x0123_4567_89AB_CDEF, low: 1)
  private static let entry = RemoteName.logEntry(of: device, number: 1)

  private func require(_ isKept: Bool, _ what: String) throws(Violation) {
    guard isKept else { throw Violation(description: "\(rawValue): \(what)") }
  }

  private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private func checkSetUp(_ remote: any Remote) throws {
    try require(try remote.condition() == .empty, "an empty place is not empty")
    try remote.setUp()
    try require(try remote.condition() == .ready, "it is none after setting up")
    try remote.setUp()
    try require(try remote.condition() == .ready, "it is none after setting up again")
    try require(try remote.list(.logs).isEmpty, "a new remote has logs")
  }

  private func checkRoundTrip(_ remote: any Remote) throws {
    for (seed, count) in [0, 1, 4096, 300_000].enumerated() {
      let content = bytes(count, seed: UInt64(seed))
      let name = RemoteName.pack(SHA256.hash(content))
      try remote.put(name, content)
      try require(try remote.head(name) == UInt64(count), "the length of \(count) bytes")
      try require(try remote.get(name, 0..<1 << 30) == content, "\(count) bytes")
    }
  }

  private func checkRanges(_ remote: any Remote) throws {
    let content = bytes(1000, seed: 9)
    try remote.put(Self.entry, content)
    for range: Range<UInt64> in [0..<0, 0..<10, 990..<1000, 990..<5000, 1000..<2000, 5000..<6000] {
      let expected = content[min(1000, Int(range.lowerBound))..<min(1000, Int(range.upperBound))]
      try require(try remote.get(Self.entry, range) == Array(expected), "\(range)")
    }
  }

  private func checkAbsence(_ remote: any Remote) throws {
    try require(try remote.head(Self.entry) == nil, "head of nothing")
    try require(try remote.list(.log(of: Self.device)).isEmpty, "a list of nothing")
    do throws(RemoteError) {
      _ = try remote.get(Self.entry, 0..<10)
    } catch {
      try require(error == .notFound(Self.entry), "get of nothing: \(error)")
      return
    }
    try require(false, "get of nothing gave something")
  }

  private func checkImmutability(_ remote: any Remote) throws {
    let content = bytes(500, seed: 1)
    try remote.put(Self.entry, content)
    for other in [bytes(500, seed: 2), bytes(499, seed: 1), [], content + [0]] {
      do throws(RemoteError) { try remote.put(Self.entry, other) } catch {
        try require(error == .refused(Self.entry), "\(error)")
        try require(try remote.get(Self.entry, 0..<9999) == content, "the bytes changed")
        continue
      }
      try require(false, "other bytes were taken")
    }
  }

  private func checkRepetition(_ remote: any Remote) throws {
    let content = bytes(70_000, seed: 3)
    for _ in 0..<3 { try remote.put(Self.entry, content) }
    try require(try remote.get(Self.entry, 0..<1 << 20) == content, "the bytes changed")
    try require(try remote.list(.log(of: Self.device)).count == 1, "something was left beside it")
  }

  private func checkReplacement(_ remote: any Remote) throws {
    try remote.put(Self.entry, bytes(10, seed: 4))
    let content = bytes(2000, seed: 5)
    try remote.put(Self.entry, content, isReplacing: true)
    try require(try remote.get(Self.entry, 0..<9999) == content, "the bytes are the old ones")
  }

  private func checkListing(_ remote: any Remote) throws {
    for number: UInt64 in [1, 2, 10, 100] {
      try remote.put(.logEntry(of: Self.device, number: number), bytes(5, seed: number))
    }
    let names = Set(try remote.list(.log(of: Self.device)).map { String(decoding: $0, as: UTF8.self) })
    try require(names == ["1", "2", "10", "100"], "\(names)")
    let devices = try remote.list(.logs).map { String(decoding: $0, as: UTF8.self) }
    try require(devices == [Self.device.hexadecimal], "\(devices)")
  }
}
