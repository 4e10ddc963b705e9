public import SystemIO
public import Versioning

/// A store that was found, with the device that it is on this machine; nothing of it is opened yet.
public struct StorePlace: Sendable {
  /// The device of this machine and user.
  struct Own: Sendable {
    var device: DeviceID
    var folder: PrivateLayout
    var name: [UInt8]
    fileprivate var continues: DeviceID?
  }

  public let layout: RepositoryLayout
  /// `nil` where no private folder fits this machine.
  let own: Own?

  /// Finds out which device a store is here.
  ///
  /// - Throws: `.notARepository`, `.unsupportedFormat`, `.damaged` for a marker that is none.
  public init(_ layout: RepositoryLayout) throws(RepositoryError) {
    try Self.checkMarker(of: layout)
    self.layout = layout
    own = try Self.findOwn(in: layout)
  }

  /// Finds the repository that a folder lies in.
  public init(containing folder: FilePath) throws(RepositoryError) {
    guard let layout = RepositoryLayout.find(from: folder) else { throw .notARepository(folder) }
    try self.init(layout)
  }

  /// Refuses a store of another format.
  private static func checkMarker(of layout: RepositoryLayout) throws(RepositoryError) {
    let marker: [UInt8]
    do { marker = try FileSystem.read(layout.markerFile, limit: 4096) } catch {
      if error.isNotFound { throw .notARepository(layout.root) }
      throw error.isTooLarge ? .damaged("the store's marker file holds something else") : .system(error)
    }
    guard marker == RepositoryLayout.marker else {
      let isNewer = marker.starts(with: Array("dver-remote ".utf8))
      if isNewer { throw .unsupportedFormat(Array(marker.dropFirst(12).prefix { $0 > 32 })) }
      throw .damaged("the store's marker file holds something else")
    }
  }

  /// The private folder that this machine and user made, if there is one.
  private static func findOwn(in layout: RepositoryLayout) throws(RepositoryError) -> Own? {
    var fitting: [Own] = []
    for device in try privateDevices(in: layout) {
      let folder = PrivateLayout(layout.privateFolder(of: device))
      guard let bytes = try? FileSystem.read(folder.binding, limit: 65_536),
        let binding = DeviceBinding(decoding: bytes)
      else { continue }
      let here: DeviceBinding
      do { here = try DeviceBinding(of: folder.folder, name: [], continues: nil) } catch { throw .system(error) }
      if binding.fits(here) {
        fitting.append(Own(device: device, folder: folder, name: binding.name, continues: binding.continues))
      }
    }
    // A store that became another device may have been interrupted before the old folder lost its binding.
    return fitting.first { own in !fitting.contains { $0.continues == own.device } }
  }

  /// The devices that have a private folder in a store, ascending.
  static func privateDevices(in layout: RepositoryLayout) throws(RepositoryError) -> [DeviceID] {
    let entries: [DirectoryEntry]
    do { entries = try FileSystem.list(layout.privateFolders) } catch {
      if error.isNotFound { return [] }
      throw .system(error)
    }
    return entries.compactMap { DeviceID(hexadecimal: $0.name) }.sorted()
  }

  /// Saves a document that was saved before, where nothing has to be looked up for it.
  ///
  /// The version is durable when this returns. Cost: proportional to the document, whatever the store holds.
  ///
  /// - Returns: `.declined` where it has to be saved by ``Repository/save(_:options:)``; nothing has changed then.
  public func saveQuickly(
    _ path: DocumentPath, message: [UInt8], environment: StoreEnvironment
  ) throws(RepositoryError) -> QuickSaveOutcome {
    guard let own else { return .declined }
    return try QuickSave(layout: layout, device: own.device, folder: own.folder, environment: environment)
      .save(path, message: message)
  }
}
