import Catalog
import SystemIO
import Versioning

@testable import VersionStore

/// One act of a device on a document.
struct ScenarioAct {
  let device: ScenarioDevice
  let repository: Repository
  let path: DocumentPath
}

extension ScenarioRun {
  func perform(
    _ act: ScenarioStep.Act, on device: ScenarioDevice, file: String, version: String?, isRefused: Bool
  ) throws {
    let repository = try device.repository
    let place = ScenarioAct(device: device, repository: repository, path: try path(of: file, on: repository))
    if isRefused {
      let before = try ShownDocument(of: documents[file] ?? [], on: repository)
      if let problem = problemOfRefusal(of: act, place) { report(problem) }
      let after = try ShownDocument(of: documents[file] ?? [], on: repository)
      if before != after { report("it was refused and changed something") }
      return
    }
    let made = try perform(act, place)
    if let version, let made { labels[version] = made }
    if let made, !documents[file, default: []].contains(made) { documents[file, default: []].append(made) }
    if variation.publishesEachAct { try repository.store.publish() }
  }

  private func problemOfRefusal(of act: ScenarioStep.Act, _ place: ScenarioAct) -> String? {
    do throws(RepositoryError) { _ = try perform(act, place) } catch {
      switch error {
      case .noSuchVersion, .refused: return nil
      default: return "refused with \(error)"
      }
    }
    return "it was not refused"
  }

  /// - Returns: the version that the step's label stands for.
  private func perform(
    _ act: ScenarioStep.Act, _ place: ScenarioAct
  ) throws(RepositoryError) -> RecordID? {
    do {
      switch act {
      case .save(let bases, let content):
        return noted(try save(content, on: try ids(bases, on: place.repository), place), place)
      case .resolve(let heads, let content):
        return noted(try resolve(content, try ids(heads, on: place.repository), place), place)
      case .merge(let heads, let content):
        return noted(try merge(content, try ids(heads, on: place.repository), place), place)
      case .pick(let keep, let heads):
        let kept = try known(keep, place)
        let settled = try ids(heads, on: place.repository)
        return try place.repository.resolve(place.path, .use(kept), basis: .versions(settled)).first?.id
      case .delete(let heads): return try delete(Set(try ids(heads, on: place.repository)), place)
      case .restore(let from, let bases):
        let parents = try ids(bases, on: place.repository)
        let version = try known(from, place)
        let made = try place.repository.restore(version, at: place.path, basis: .versions(parents))
        return noted(made?.id, place) ?? parents.first
      case .rename(let name):
        try rename(to: name, place)
        return nil
      case .removeOther(let keep):
        let kept = try keep.map { try known($0, place) }
        let current = try place.repository.version(.current, at: place.path)
        let report = try place.repository.removeOthers(
          at: place.path, keeping: kept, conflictsOnly: false, isDryRun: false)
        return report.made?.id ?? kept?.id ?? current.id
      }
    } catch let error as RepositoryError { throw error } catch { throw .damaged("\(error)") }
  }

  private func noted(_ id: RecordID?, _ place: ScenarioAct) -> RecordID? {
    if let id { saved.append((id, place.device.name)) }
    return id
  }

  /// A version as a person names it on a device.
  private func known(_ label: String, _ place: ScenarioAct) throws -> Version {
    let digits = Array(try id(label, on: place.repository).hexadecimal.utf8)
    return try place.repository.version(.prefix(digits), at: place.path)
  }

  // MARK: Saving

  private func save(_ content: String, on bases: [RecordID], _ place: ScenarioAct) throws -> RecordID {
    let (repository, path) = (place.repository, place.path)
    if case .workingFile = variation.saving, try isWorkingFile(at: bases, place) {
      try place.device.write(content, at: path)
      let made = try repository.save([path], options: SaveOptions()).saved
      guard let id = try made.first?.id ?? repository.fileRow(at: path)?.base.first, made.count <= 1 else {
        throw ScenarioFailure("the file was saved as \(made.count) versions")
      }
      return id
    }
    let options = SaveOptions(basis: .versions(bases))
    guard let made = try repository.save(standardInput: Array(content.utf8), at: path, options: options) else {
      throw ScenarioFailure("nothing was saved")
    }
    return made.id
  }

  /// Whether a save of the working file would be based on exactly these versions.
  private func isWorkingFile(at bases: [RecordID], _ place: ScenarioAct) throws -> Bool {
    let (repository, path) = (place.repository, place.path)
    if let row = try repository.fileRow(at: path), let first = row.base.first {
      return bases.contains(first) && Set(bases).isSubset(of: row.base)
    }
    if try repository.view(of: path).current != nil { return false }
    let deleted = try repository.deletedDocuments(at: path).first?.heads.map(\.id) ?? []
    return Set(bases) == Set(deleted)
  }

  private func resolve(_ content: String, _ heads: [RecordID], _ place: ScenarioAct) throws -> RecordID? {
    // To settle one head alone is to save on it.
    guard heads.count > 1 else {
      return try place.repository.save(
        standardInput: Array(content.utf8), at: place.path, options: SaveOptions(basis: .versions(heads)))?.id
    }
    let file = freshPath("resolved")
    try AtomicFile.write(Array(content.utf8), to: file, isDurable: false)
    return try place.repository.resolve(place.path, .merged(file), basis: .versions(heads)).first?.id
  }

  // MARK: The rest

  private func delete(_ heads: Set<RecordID>, _ place: ScenarioAct) throws -> RecordID? {
    let (repository, path) = (place.repository, place.path)
    if case .workingFile = variation.saving, let row = try repository.fileRow(at: path),
      Set(row.base + row.seen) == heads, try place.device.read(path) != nil
    {
      try place.device.remove(path)
      let made = try repository.save([path], options: SaveOptions(allowsMassDeletion: true)).saved
      guard let deletion = made.first, deletion.record.isDeletion, made.count == 1 else {
        throw ScenarioFailure("the missing file was saved as \(made.count) versions")
      }
      return deletion.id
    }
    return try repository.delete([path], basis: .versions(heads.sorted())).first?.id
  }

  private func rename(to name: String, _ place: ScenarioAct) throws {
    let (repository, path) = (place.repository, place.path)
    guard let new = DocumentPath(Array(name.utf8)) else { throw ScenarioFailure("\(name) is no path") }
    let current = try repository.view(of: path).base
    let isPlaced = try repository.fileRow(at: path).map { $0.base == current } ?? false
    let basis: Basis = isPlaced ? .workingFile : .versions(current)
    for made in try repository.move(path, to: new, basis: basis) {
      if let old = made.record.parents.first { renamed[old] = made.id }
    }
  }
}
