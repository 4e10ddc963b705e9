/// The statements that a connection prepares when they are first used, and keeps.
enum SQLiteStatement: Int {
  case beginReading
  case beginWriting
  case commit
  case rollback
  case entries
  case bodies
  case countEntries
  case putEntry
  case putBody
  case removeEntry
  case removeEntries
  case removeBody
  case entriesOfPack
  case removeEntriesOfPack

  static let count = removeEntriesOfPack.rawValue + 1

  var text: String {
    switch self {
    case .beginReading: "BEGIN"
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .entries: "SELECT key, value FROM entry WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3"
    case .bodies:
      "SELECT entry.key, entry.value, body.value FROM entry LEFT JOIN body ON body.number = entry.value "
        + "WHERE entry.key >= ?1 AND entry.key < ?2 ORDER BY entry.key LIMIT ?3"
    case .countEntries: "SELECT count(*) FROM entry WHERE key >= ?1 AND key < ?2"
    case .putEntry: "INSERT OR REPLACE INTO entry(key, value) VALUES(?1, ?2)"
    case .putBody: "INSERT OR REPLACE INTO body(number, value) VALUES(?1, ?2)"
    case .removeEntry: "DELETE FROM entry WHERE key = ?1"
    case .removeEntries: "DELETE FROM entry WHERE key >= ?1 AND key < ?2"
    case .removeBody: "DELETE FROM body WHERE number = ?1"
    // The ordered number of the pack stands at a fixed place of the key, and no such number begins another.
    case .entriesOfPack:
      "SELECT key, value FROM entry WHERE key >= ?1 AND key < ?2 AND substr(key, ?4, length(?3)) = ?3"
    case .removeEntriesOfPack:
      "DELETE FROM entry WHERE key >= ?1 AND key < ?2 AND substr(key, ?4, length(?3)) = ?3"
    }
  }
}
