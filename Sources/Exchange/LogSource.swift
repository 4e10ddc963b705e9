import Hashing
import VersionStore
import Versioning

/// A device's log as it is found somewhere.
class LogSource {
  /// What is found under a number.
  enum Found {
    case absent
    /// Something that is no log entry of this device and number.
    case damaged
    /// An entry of a newer format.
    case newer
    case entry(LogEntry, id: ObjectID, bytes: [UInt8])
  }

  let device: DeviceID

  init(_ device: DeviceID) {
    self.device = device
  }

  func find(_ number: UInt64) throws(ExchangeError) -> Found { .absent }

  /// The numbers that a listing shows, in no order; it may be stale.
  func numbers() throws(ExchangeError) -> [UInt64] { [] }

  static func decode(_ bytes: [UInt8], of device: DeviceID, number: UInt64) -> Found {
    do throws(DecodingFailure) {
      let entry = try LogEntry(decoding: bytes)
      guard entry.device == device, entry.number == number else { return .damaged }
      return .entry(entry, id: SHA256.hash(bytes), bytes: bytes)
    } catch {
      if case .unsupportedFormat = error { return .newer }
      return .damaged
    }
  }
}

/// A log on a remote.
final class RemoteLog: LogSource {
  private let remote: any Remote
  private var last: (number: UInt64, found: Found)?

  init(_ device: DeviceID, on remote: any Remote) {
    self.remote = remote
    super.init(device)
  }

  override func find(_ number: UInt64) throws(ExchangeError) -> Found {
    if let last, last.number == number { return last.found }
    let found: Found
    do throws(RemoteError) {
      let name = RemoteName.logEntry(of: device, number: number)
      let bytes = try remote.get(name, 0..<UInt64(LogEntry.maximumByteCount) + 1)
      found = bytes.count > LogEntry.maximumByteCount ? .damaged : Self.decode(bytes, of: device, number: number)
    } catch .notFound {
      found = .absent
    } catch { throw .remote(error) }
    last = (number, found)
    return found
  }

  /// Forgets what was read, to read it again.
  func forget() {
    last = nil
  }

  override func numbers() throws(ExchangeError) -> [UInt64] {
    do throws(RemoteError) {
      return try remote.list(.log(of: device)).compactMap { RemoteName.number($0) }
    } catch { throw .remote(error) }
  }
}

/// A log in a store.
final class StoredLog: LogSource {
  private let store: Store

  init(_ device: DeviceID, in store: Store) {
    self.store = store
    super.init(device)
  }

  override func find(_ number: UInt64) throws(ExchangeError) -> Found {
    do throws(RepositoryError) {
      guard let (entry, id) = try store.logEntry(of: device, number: number) else { return .absent }
      return .entry(entry, id: id, bytes: entry.encoded())
    } catch .damaged { return .damaged } catch .unsupportedFormat { return .newer } catch { throw .repository(error) }
  }
}
