/// What it costs to start the programs and have them say who they are.
struct StartWorkload {
  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    var dverRuns: [ProcessRun] = []
    var gitRuns: [ProcessRun] = []
    // A start is short and a run cheap: more rounds than elsewhere.
    for _ in 0..<(context.rounds * 4) {
      dverRuns.append(try ProcessRun.of([context.dver.program, "--version"]))
      if context.git != nil { gitRuns.append(try ProcessRun.of(["git", "--version"])) }
    }
    var table = ResultTable()
    table.add("--version", dver: dverRuns, git: gitRuns)
    return table
  }
}
