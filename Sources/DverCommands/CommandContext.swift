import SystemIO
import VersionStore

/// What a command works with.
struct CommandContext {
  let options: GlobalOptions
  let output: CommandOutput
  let surroundings: Surroundings
  private var found: StorePlace?
  private var opened: Repository?

  init(options: GlobalOptions, surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
    let color = Color(
      options.isJSON ? .never : options.color, noColor: surroundings.environment("NO_COLOR"),
      isTerminal: surroundings.isTerminal(1))
    output = CommandOutput(
      isJSON: options.isJSON, isQuiet: options.isQuiet, color: color, surroundings: surroundings)
  }

  /// Milliseconds since 1970: the clock's, or what `DVER_NOW` says.
  var now: Int64 { options.fixedNow ?? surroundings.wallMilliseconds() }

  /// The folder that the command was started in or given.
  var folder: FilePath { options.folder.flatMap { FilePath(bytes: $0) } ?? FilePath(".") }

  /// A path of the command line that is no document's, such as a file to write to.
  func filePath(_ given: [UInt8]) -> FilePath? {
    guard let path = FilePath(bytes: given), !path.isAbsolute, options.folder != nil else {
      return FilePath(bytes: given)
    }
    return folder.appending(given)
  }

  /// What the store takes from outside.
  var storeEnvironment: StoreEnvironment {
    let fixed = options.fixedNow
    return StoreEnvironment(
      now: { fixed ?? Clock.wallMilliseconds }, deviceName: options.deviceName,
      lockTimeoutMilliseconds: options.lockTimeoutMilliseconds)
  }

  /// The repository that the folder lies in, opened at the first call.
  mutating func repository(_ access: Store.Access) throws -> Repository {
    if let opened { return opened }
    let repository = try Repository.open(place(), access: access, environment: storeEnvironment)
    opened = repository
    return repository
  }

  /// The store of the repository that the folder lies in, looked for at the first call.
  mutating func place() throws -> StorePlace {
    if let found { return found }
    let place = try StorePlace(containing: FileSystem.resolve(folder))
    found = place
    return place
  }

  /// A bar for a piece of work; quiet and JSON commands show none unless it is asked for.
  func progressBar(_ label: String, unit: ProgressBar.Unit) -> ProgressBar {
    let isUnwanted = options.progress == .auto && (options.isQuiet || options.isJSON)
    return ProgressBar(label, unit: unit, when: isUnwanted ? .never : options.progress, surroundings: surroundings)
  }

  /// Ends a long piece of reading where a person asked for that.
  func checkInterruption() throws {
    if Interruption.isRequested { throw CommandFailure(.interrupted, "interrupted") }
  }
}
