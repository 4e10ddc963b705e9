import Hashing
import SystemIO
import Versioning

extension Repository {
  /// Checks that the logs in the store are whole chains, and that the packs they bring are here.
  func verifyLogs(_ report: inout VerificationReport) throws(RepositoryError) {
    for device in try store.loggedDevices() {
      guard let newest = (try? FileSystem.list(store.layout.log(of: device)))?.compactMap(\.logNumber).max() else {
        continue
      }
      var previous: ObjectID?
      for number in 1...newest {
        do throws(RepositoryError) {
          previous = try verifyLogEntry(of: device, number, after: previous, &report)
        } catch {
          report.damages.append(error.summary)
          break
        }
      }
    }
  }

  private func verifyLogEntry(
    of device: DeviceID, _ number: UInt64, after previous: ObjectID?, _ report: inout VerificationReport
  ) throws(RepositoryError) -> ObjectID {
    let name = "log entry \(number) of device \(device.hexadecimal.prefix(8))"
    guard let (entry, id) = try store.logEntry(of: device, number: number) else { throw .damaged("\(name) is missing") }
    guard entry.previous == previous else { throw .damaged("\(name) does not follow the one before it") }
    for pack in entry.packs where store.byteCount(ofPack: pack.id) == nil {
      if try store.replacement(of: pack.id) != nil { continue }
      report.damages.append("pack \(pack.id.hexadecimal), which \(name) brings, is missing")
    }
    return id
  }
}

extension DirectoryEntry {
  /// The number of a log entry's file; `nil` for other names.
  fileprivate var logNumber: UInt64? {
    guard let number = UInt64(String(decoding: name, as: UTF8.self)), number > 0, Array("\(number)".utf8) == name else {
      return nil
    }
    return number
  }
}
