import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// Gives this device another name.
  public func renameDevice(_ name: [UInt8]) throws(RepositoryError) {
    try store.withLock { () throws(RepositoryError) in
      guard let device = store.device, let folder = store.privateLayout else { throw .readOnly(root) }
      guard let bytes = try? FileSystem.read(folder.binding, limit: 65_536),
        var binding = DeviceBinding(decoding: bytes)
      else { throw .damaged("the device's binding can't be read") }
      binding.name = Array(name.prefix(255))
      do throws(SystemError) { try AtomicFile.write(binding.encoded(), to: folder.binding) } catch {
        throw RepositoryError(error, writingTo: folder.binding)
      }
      store.deviceName = binding.name
      try record(device, name: binding.name, continues: binding.continues, isRetired: false)
    }
  }

  /// Says that a device will not come back: nothing waits for it any more.
  public func retireDevice(_ device: DeviceID) throws(RepositoryError) {
    try store.withLock { () throws(RepositoryError) in
      guard let known = try store.devices().first(where: { $0.device == device }) else {
        throw .noSuchDevice(Array(device.hexadecimal.utf8))
      }
      try record(device, name: known.name, continues: known.continues, isRetired: true)
    }
  }

  private func record(
    _ device: DeviceID, name: [UInt8], continues: DeviceID?, isRetired: Bool
  ) throws(RepositoryError) {
    _ = try store.write(.settings) { (transaction) throws(RepositoryError) in
      try transaction.add(
        .device(
          try store.deviceRecord(
            of: device, name: name, continues: continues, isRetired: isRetired, now: transaction.now)))
    }
  }
}
