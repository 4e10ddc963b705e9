/// A failure to read or write the catalog.
///
/// Nothing is lost with a catalog: whoever can't use one deletes it and builds it again from packs and journal.
public enum CatalogError: Error, Equatable, Sendable {
  /// The file is no catalog, is damaged, or has the schema of another version. It should be deleted and built again.
  case unusable(String)
  /// Another process kept the catalog locked for too long.
  case busy
  /// The volume is full.
  case full
  /// SQLite failed otherwise; the code is its extended result code.
  case system(code: Int32, message: String)
  /// A row holds bytes that no catalog writes. The catalog should be deleted and built again.
  case damagedRow(table: String)
}
