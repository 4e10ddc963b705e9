import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// The patterns of folders that are one document each: the setting `packages`, separated by blanks.
  func packagePatterns() -> [IgnorePattern] {
    let value = (try? setting(SettingKey.packages)) ?? nil
    return (value ?? []).split(separator: UInt8(ascii: " ")).compactMap { IgnorePattern(line: $0) }
  }

  /// Whether a folder at a path would be one document.
  func isPackage(_ path: DocumentPath) -> Bool {
    packagePatterns().contains { $0.matches(path.bytes[...], isFolder: true) }
      && ((try? tree.status(of: path)) ?? nil)?.kind == .folder
  }

  /// The settings that all devices share, by key.
  public func settings() throws(RepositoryError) -> [SettingRecord] {
    try store.catalogued { () throws(CatalogError) in try store.catalog.settings() }
  }

  /// The value of a setting that all devices share; `nil` for its default.
  public func setting(_ key: [UInt8]) throws(RepositoryError) -> [UInt8]? {
    try settings().first { $0.key == key }?.value
  }

  /// Changes a setting for all devices; `nil`: back to the default.
  public func setSetting(_ key: [UInt8], to value: [UInt8]?) throws(RepositoryError) {
    let earlier = try settings().filter { $0.key == key }
    try store.write(.settings) { (transaction) throws(RepositoryError) in
      let record = SettingRecord(
        key: key, value: value, device: transaction.device,
        logicalTime: .following(wallTime: transaction.now, earlier: earlier.map(\.logicalTime)),
        wallTime: transaction.now)
      try transaction.add(.setting(record))
    }
  }
}

/// The keys of settings that mean something to this version.
public enum SettingKey {
  /// Patterns of folders that are one document each, separated by blanks.
  public static let packages = Array("packages".utf8)

  /// The name of the tool with which conflicts are merged.
  public static let mergeTool = Array("merge.tool".utf8)

  public static let all = [mergeTool, packages]
}
