import Glibc
import SystemIO

/// Measures whole processes, dver's and git's, on the same work, and prints Markdown tables.
@main
enum Main {
  static func main() {
    do throws(BenchmarkError) {
      let options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
      if options.showsHelp {
        print(BenchmarkOptions.help)
        return
      }
      try measure(options)
    } catch {
      try? StandardStream.write(Array("dver-benchmark: \(error)\n".utf8), to: 2)
      exit(1)
    }
  }

  private static func measure(_ options: BenchmarkOptions) throws(BenchmarkError) {
    let folder = try ScratchFolder(below: options.folder)
    defer { folder.remove() }
    let dver = Dver(program: options.dver)
    let git = Git.find()
    let version = try dver.version()
    print("\(version), \(git.map(\.version) ?? "no git"), medians of \(options.rounds) rounds")
    if git == nil { print("Skipped: git, which is not in PATH.") }

    let context = BenchmarkContext(
      dver: dver, git: git, rounds: options.rounds, folder: folder, histories: options.histories)
    for workload in Workload.allCases where options.workloads.isEmpty || options.workloads.contains(workload) {
      print("\n### \(workload.title)\n")
      switch try workload.run(in: context) {
      case .table(let table): print(table.markdown)
      case .text(let text): print(text)
      case .skipped(let reason): print("Skipped: \(reason)")
      }
    }
  }
}
