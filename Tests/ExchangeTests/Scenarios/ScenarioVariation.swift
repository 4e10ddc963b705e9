import TestSupport
import Testing

/// One of the ways in which the same scenario is run; the outcome must be as expected with each.
struct ScenarioVariation: Sendable, CustomTestStringConvertible {
  /// How a device saves where its working file stands at what the save is based on.
  enum Saving: Sendable {
    case workingFile
    /// Content that comes from elsewhere, on named versions.
    case standardInput
  }

  /// What two devices exchange through.
  enum Meeting: Sendable {
    /// One folder for each pair, kept from sync to sync.
    case keptFolder
    /// An empty folder for each sync.
    case freshFolder
    /// The other device's own store.
    case store
  }

  /// What becomes of a device's identity when its store is copied.
  enum Copying: Sendable {
    /// The volume tells copies from the original.
    case isNoticed
    /// The copy looks like the original: an image of a whole disk, or a volume without stable inodes.
    case isUnnoticed
  }

  /// In which order `sync_any_order` goes through its pairs.
  enum Order: Sendable {
    case given
    case reversed
    case shuffled(seed: UInt64)

    func arrange<Element>(_ elements: [Element]) -> [Element] {
      switch self {
      case .given: return elements
      case .reversed: return elements.reversed()
      case .shuffled(let seed):
        var generator = SeededGenerator(seed: seed)
        return elements.shuffled(using: &generator)
      }
    }
  }

  let name: String
  var saving = Saving.workingFile
  var meeting = Meeting.keptFolder
  var copying = Copying.isNoticed
  var order = Order.given
  /// Whether the second device of a pair begins its sync.
  var swapsSides = false
  /// Whether every act becomes a push of its own, so that a transfer can break off between versions.
  var publishesEachAct = false
  /// Whether every device makes its catalog anew before the outcome is looked at.
  var rebuildsCatalogs = false

  var testDescription: String { name }

  static let all = [
    ScenarioVariation(name: "working files, a folder for each pair"),
    ScenarioVariation(
      name: "named bases, fresh folders, reversed", saving: .standardInput, meeting: .freshFolder,
      copying: .isUnnoticed, order: .reversed, publishesEachAct: true, rebuildsCatalogs: true),
    ScenarioVariation(
      name: "store to store, shuffled", meeting: .store, order: .shuffled(seed: 1), swapsSides: true,
      rebuildsCatalogs: true),
    ScenarioVariation(
      name: "a push for each act, kept folders, shuffled", copying: .isUnnoticed, order: .shuffled(seed: 2),
      swapsSides: true, publishesEachAct: true),
  ]

  /// Other orders of delivery, for the scenarios that promise the same outcome in any.
  static let orders = (3..<8).map { (seed: UInt64) in
    ScenarioVariation(
      name: "shuffled by \(seed)", saving: seed.isMultiple(of: 2) ? .standardInput : .workingFile,
      meeting: seed.isMultiple(of: 3) ? .freshFolder : .keptFolder, order: .shuffled(seed: seed),
      swapsSides: seed.isMultiple(of: 2))
  }
}
