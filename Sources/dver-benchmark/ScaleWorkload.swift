/// What everyday commands take as the store grows: ten versions of each document, from 100 documents on.
struct ScaleWorkload {
  private static let versionsOfEach = 10
  private static let documentCounts = [100, 1_000, 10_000, 100_000]
  private static let document = "folder-0/document-7.md"

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> String {
    var columns: [[(measure: String, text: String)]] = []
    for count in Self.documentCounts {
      let folder = try context.folder.folder("scale-\(count)")
      defer { folder.remove() }
      columns.append(try measure(documents: count, in: folder, context))
    }
    let heads = Self.documentCounts.map { "\($0 * Self.versionsOfEach) versions of \($0)" }
    var lines = ["| measure | \(heads.joined(separator: " | ")) |", "| --- |" + heads.map { _ in " ---: |" }.joined()]
    for row in columns[0].indices {
      lines.append("| \(columns[0][row].measure) | \(columns.map { $0[row].text }.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n")
  }

  private func measure(
    documents count: Int, in folder: ScratchFolder, _ context: BenchmarkContext
  ) throws(BenchmarkError) -> [(measure: String, text: String)] {
    let repository = try context.dver.repository(in: folder)
    var saves: [ProcessRun] = []
    for version in 0..<Self.versionsOfEach {
      try write(version, of: count, in: repository)
      saves.append(try context.dver.run(in: repository, ["save", "-q"]))
    }
    let versions = Int64(count * Self.versionsOfEach)
    var rows = [
      (
        "save of everything, wall, each version",
        Self.microseconds(saves.reduce(0) { $0 + $1.wallMicroseconds } / versions)
      ),
      ("packs, each version", "\(try repository.byteCount(below: ".dver", in: ["packs", "active"]) / versions) B"),
      ("everything, each version", "\(try repository.byteCount(below: ".dver") / versions) B"),
    ]
    var text = SampleText(byteCount: 1000, seed: 1)
    var one: [ProcessRun] = []
    for _ in 0..<(context.rounds + 2) {
      text.edit()
      try repository.write(text.bytes, to: Self.document)
      one.append(try context.dver.save(Self.document, in: repository))
    }
    rows.append(("save of one document, CPU", Self.cpu(Array(one.dropFirst(2)))))
    for (measure, words) in [
      ("log of one document", ["log", Self.document]), ("cat", ["cat", Self.document]),
      ("restore, the version before", ["restore", "-q", Self.document + "@~1"]), ("conflicts", ["conflicts"]),
      ("status of one document", ["status", Self.document]), ("device list", ["device", "list"]),
    ] {
      rows.append((measure + ", CPU", Self.cpu(try repeated(words, in: repository, context))))
    }
    _ = try context.dver.run(in: repository, ["status", "-q"])
    let status = try repeated(["status", "-q"], in: repository, context)
    rows.append(("status of everything, CPU, each document", Self.microseconds(Self.median(status) / Int64(count))))
    return rows.map { (measure: $0.0, text: $0.1) }
  }

  private func repeated(
    _ words: [String], in repository: ScratchFolder, _ context: BenchmarkContext
  ) throws(BenchmarkError) -> [ProcessRun] {
    var runs: [ProcessRun] = []
    for _ in 0..<context.rounds { runs.append(try context.dver.run(in: repository, words)) }
    return runs
  }

  private func write(_ version: Int, of count: Int, in repository: ScratchFolder) throws(BenchmarkError) {
    for number in 0..<count {
      let name = "folder-\(number / 100)"
      if version == 0, number.isMultiple(of: 100) { _ = try repository.folder(name) }
      var text = SampleText(byteCount: 1000, seed: UInt64(number) + 1)
      for _ in 0..<version { text.edit() }
      try repository.write(text.bytes, to: "\(name)/document-\(number).md")
    }
  }

  private static func median(_ runs: [ProcessRun]) -> Int64 {
    runs.map(\.cpuMicroseconds).sorted()[(runs.count - 1) / 2]
  }

  private static func cpu(_ runs: [ProcessRun]) -> String { microseconds(median(runs)) }

  private static func microseconds(_ value: Int64) -> String {
    value < 1000 ? "\(value) µs" : "\(value / 1000).\(value % 1000 / 100) ms"
  }
}
