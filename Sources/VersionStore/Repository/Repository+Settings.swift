import Catalog
import Hashing
import Merging
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// The patterns of folders that are one document each: the setting `packages`, separated by blanks.
  func packagePatterns() -> [IgnorePattern] {
    let value = (try? setting(SettingKey.packages)) ?? nil
    return (value ?? []).split(separator: UInt8(ascii: " ")).compactMap { IgnorePattern(line: $0) }
  }

  /// How contents are merged: the setting `merge.granularity`.
  func mergeOptions() -> MergeOptions {
    let value = (try? setting(SettingKey.mergeGranularity)) ?? nil
    return MergeOptions(granularity: value == Array("word".utf8) ? .word : .line)
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

  /// `line`, or `word`: whether edits in different sentences of one line merge.
  public static let mergeGranularity = Array("merge.granularity".utf8)

  public static let all = [mergeGranularity, mergeTool, packages]

  /// What a setting may be; `nil` for anything.
  public static func choices(of key: [UInt8]) -> [[UInt8]]? {
    key == mergeGranularity ? [Array("line".utf8), Array("word".utf8)] : nil
  }
}
