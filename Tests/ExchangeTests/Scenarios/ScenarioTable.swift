/// How the scenarios are read here, where the design decides something that they leave open.
enum ScenarioTable {
  /// Scenarios that do not apply, each with the rule that excludes it.
  static let excluded: [String: String] = [:]

  /// A rename is a change of a field of the version (R14), so that a rename here and an edit there are two heads until the
  /// automatic merge of fields has joined them, the one that even `--no-merge` makes (R9). These scenarios run with it; all
  /// others without any automatic merge.
  static let mergesFields: [String: String] = [
    "rename-02": "R14: rename here and edit there merge cleanly",
    "rename-11": "R14: rename here and restore there merge cleanly",
  ]
}
