/// A set of records that is closed under ancestors (R6); everything shown is a pure function of it (R8, R9, R14).
///
/// Joining two sets is inserting the records of one into the other: in any order that keeps a record behind what it
/// names, any number of times. Versions are numbered in the order in which they came, so parents have smaller numbers
/// than their children, and one walk from the last to the first passes every version before its ancestors.
///
/// What is shown is computed anew by each call, in time linear in the number of versions: keep the answer.
public struct VersionGraph: Sendable {
  /// All versions, in the order in which they came.
  public private(set) var versions: [Version] = []
  public private(set) var removals: [(id: RecordID, record: RemovalRecord)] = []
  public private(set) var retractions: [(id: RecordID, record: RetractionRecord)] = []

  private var numbers: [RecordID: Int32] = [:]
  private var others: Set<RecordID> = []
  /// The numbers of all parents; those of version `n` begin at `parentStarts[n]` and end where the next ones begin.
  private var parentNumbers: [Int32] = []
  private var parentStarts: [Int32] = [0]
  private var documentNumbers: [DocumentID: Int32] = [:]
  /// The document ids by number.
  private(set) var documentIDs: [DocumentID] = []
  /// The document id of each version, as its number.
  private var versionDocuments: [Int32] = []
  private var families = DisjointSets()

  public init() {}

  /// An empty one with room for so many versions.
  public init(capacity: Int) {
    versions.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
    parentNumbers.reserveCapacity(capacity)
    parentStarts.reserveCapacity(capacity + 1)
    versionDocuments.reserveCapacity(capacity)
  }

  /// Whether a record of this id is here.
  public func contains(_ id: RecordID) -> Bool { numbers[id] != nil || others.contains(id) }

  /// The version of this id, or `nil`.
  public func version(_ id: RecordID) -> Version? { numbers[id].map { versions[Int($0)] } }

  /// Adds a version whose parents are here; again, it changes nothing.
  public mutating func insert(_ version: Version) throws(VersionGraphError) {
    guard !contains(version.id) else { return }
    var parents: [Int32] = []
    for parent in version.record.parents {
      guard let number = numbers[parent] else { throw .missing(parent) }
      if !parents.contains(number) { parents.append(number) }
    }
    let document = number(of: version.record.document)
    for parent in parents { families.join(document, versionDocuments[Int(parent)]) }
    numbers[version.id] = Int32(versions.count)
    versions.append(version)
    versionDocuments.append(document)
    parentNumbers += parents
    parentStarts.append(Int32(parentNumbers.count))
  }

  /// Adds a removal; again, it changes nothing.
  ///
  /// - Parameter ignoringMissing: whether names that aren't here are passed over, as those of other families; they count
  ///   once they come.
  public mutating func insert(
    _ removal: RemovalRecord, id: RecordID, ignoringMissing: Bool = false
  ) throws(VersionGraphError) {
    guard !contains(id) else { return }
    if !ignoringMissing { try require([removal.kept] + removal.listed) }
    others.insert(id)
    removals.append((id, removal))
  }

  /// Adds a retraction; again, it changes nothing.
  ///
  /// - Parameter ignoringMissing: whether names that aren't here are passed over, as those of other families; they count
  ///   once they come.
  public mutating func insert(
    _ retraction: RetractionRecord, id: RecordID, ignoringMissing: Bool = false
  ) throws(VersionGraphError) {
    guard !contains(id) else { return }
    if !ignoringMissing { try require(retraction.names) }
    others.insert(id)
    retractions.append((id, retraction))
  }

  private func require(_ names: [RecordID]) throws(VersionGraphError) {
    for name in names where !contains(name) { throw .missing(name) }
  }

  private mutating func number(of document: DocumentID) -> Int32 {
    if let number = documentNumbers[document] { return number }
    let number = families.add()
    documentNumbers[document] = number
    documentIDs.append(document)
    return number
  }
}

// What the other files of this type work with: versions by number.
extension VersionGraph {
  func number(_ id: RecordID) -> Int? { numbers[id].map { Int($0) } }

  /// The numbers of a version's parents, each once.
  func parents(_ number: Int) -> ArraySlice<Int32> {
    parentNumbers[Int(parentStarts[number])..<Int(parentStarts[number + 1])]
  }

  /// The number of the document id that the version has in its record.
  func documentNumber(_ number: Int) -> Int { Int(versionDocuments[number]) }

  /// Versions have equal families where parents, retracted or not, or a document id connect them.
  func family(_ number: Int) -> Int { Int(families.representative(versionDocuments[number])) }
}
