/// What every workload works with.
struct BenchmarkContext {
  let dver: Dver
  /// `nil` where there is no git.
  let git: Git?
  let rounds: Int
  let folder: ScratchFolder
  /// The folder with archives of real histories.
  let histories: String
}
