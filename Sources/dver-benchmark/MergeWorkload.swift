import Merging
import SystemIO

/// What it costs to merge three files: whole processes on the same files, and the merge alone.
struct MergeWorkload {
  private struct Sample {
    let name: String
    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
  }

  /// `git merge-file` and `dver merge-file` end with the number of conflicts, `diff3` with 1 for any.
  private static let statuses: ClosedRange<Int32> = 0...127

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    var table = ResultTable()
    let hasDiff3 = (try? ProcessRun.of(["diff3", "--version"])) != nil
    if !hasDiff3 { table.notes.append("Skipped: diff3, which is not in PATH.") }
    for sample in samples() {
      let files = try write(sample, in: context)
      var runs: (dver: [ProcessRun], git: [ProcessRun], diff3: [ProcessRun]) = ([], [], [])
      for _ in 0..<context.rounds {
        runs.dver.append(
          try ProcessRun.of([context.dver.program, "merge-file", "-p"] + files, accepting: Self.statuses))
        if context.git != nil {
          runs.git.append(try ProcessRun.of(["git", "merge-file", "-p"] + files, accepting: Self.statuses))
        }
        if hasDiff3 { runs.diff3.append(try ProcessRun.of(["diff3", "-m"] + files, accepting: Self.statuses)) }
      }
      table.add(sample.name, dver: runs.dver, git: runs.git)
      var note = "\(sample.name): the merge alone \(milliseconds(aloneNanoseconds(sample, context.rounds) / 1000))"
      if let cost = median(runs.diff3.map(\.cpuMicroseconds)), let own = median(runs.dver.map(\.cpuMicroseconds)) {
        note += ", diff3 -m \(milliseconds(cost)) of CPU, \(cost * 10 / max(own, 1)) tenths of dver's"
      }
      table.notes.append(note + ".")
    }
    return table
  }

  private func samples() -> [Sample] {
    var document = SampleText(byteCount: 20_000, seed: 1)
    var long = SampleText(byteCount: 5_000_000, seed: 2)
    return [
      sample("20 KB, 3 edits a side", of: &document, edits: 3),
      sample("100,000 lines, 100 edits a side", of: &long, edits: 100),
      Sample(
        name: "two unrelated texts of 10,000 lines", base: SampleText(byteCount: 500_000, seed: 3).bytes,
        ours: SampleText(byteCount: 500_000, seed: 4).bytes, theirs: SampleText(byteCount: 500_000, seed: 5).bytes),
    ]
  }

  private func sample(_ name: String, of text: inout SampleText, edits: Int) -> Sample {
    var (ours, theirs) = (text, text)
    for _ in 0..<edits { ours.edit() }
    // Another place in the sequence, so that the edits are others.
    _ = theirs.next()
    for _ in 0..<edits { theirs.edit() }
    return Sample(name: name, base: text.bytes, ours: ours.bytes, theirs: theirs.bytes)
  }

  /// The names of the files in the order that all three programs take them: ours, base, theirs.
  private func write(_ sample: Sample, in context: BenchmarkContext) throws(BenchmarkError) -> [String] {
    var names: [String] = []
    for (name, bytes) in [("ours", sample.ours), ("base", sample.base), ("theirs", sample.theirs)] {
      let path = context.folder.path.appending(name)
      do throws(SystemError) { try AtomicFile.write(bytes, to: path, isDurable: false) } catch {
        throw .system(error)
      }
      names.append(String(decoding: path.bytes, as: UTF8.self))
    }
    return names
  }

  private func aloneNanoseconds(_ sample: Sample, _ rounds: Int) -> Int64 {
    var times: [Int64] = []
    for _ in 0..<rounds {
      let start = Clock.monotonicNanoseconds
      _ = TextMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs).outcome
      times.append(Int64(Clock.monotonicNanoseconds - start))
    }
    return median(times) ?? 0
  }

  private func milliseconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds % 1000 / 10)
    return "\(microseconds / 1000).\(fraction.count < 2 ? "0" + fraction : fraction) ms"
  }
}
