/// The most memory that commands have, in a store with a long history and in one of many documents.
struct MemoryWorkload {
  private static let time = "/usr/bin/time"
  private static let document = "readme.md"

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> Workload.Outcome {
    guard ScratchFolder.exists(Self.time) else { return .skipped("\(Self.time) is not there, from the package time") }
    let folder = try context.folder.folder("memory")
    defer { folder.remove() }
    var lines = ["| command | in | peak memory |", "| --- | --- | ---: |"]
    for (name, repository, commands) in try stores(in: folder, context) {
      for words in commands {
        let command = [
          Self.time, "-f", "%M", "-o", folder.argument + "/peak", context.dver.program, "-C", repository.argument,
        ]
        _ = try ProcessRun.of(command + words, accepting: 0...1)
        let text = String(decoding: try folder.read("peak"), as: UTF8.self)
        // A status other than 0 is told in a line of its own, before.
        let kibibytes = text.split(separator: "\n").compactMap { Int64($0) }.last ?? 0
        lines.append(
          "| `\(words.joined(separator: " "))` | \(name) | \(kibibytes / 1024).\(kibibytes % 1024 * 10 / 1024) MiB |")
      }
    }
    return .text(lines.joined(separator: "\n"))
  }

  private func stores(
    in folder: ScratchFolder, _ context: BenchmarkContext
  ) throws(BenchmarkError) -> [(name: String, repository: ScratchFolder, commands: [[String]])] {
    let one = try context.dver.repository(in: try folder.folder("one"))
    let copies = try folder.folder("copies")
    var text = SampleText(byteCount: 200_000, seed: 8)
    for number in 1000..<2000 {
      text.edit()
      try copies.write(text.bytes, to: "\(number)")
    }
    let many = try context.dver.repository(in: try folder.folder("many"))
    try PeerWorkload.Documents.smallTexts.fill(many)
    let everyday = [
      ["status", "-q"], ["log", Self.document], ["cat", Self.document], ["diff", Self.document + "@~1", Self.document],
      ["show", Self.document], ["conflicts"], ["restore", Self.document + "@~500"], ["save", "-q", Self.document],
    ]
    return [
      (
        "1,000 versions of a text of 200 KB", one,
        [["import-history", "-q", copies.argument, Self.document]] + everyday
          + [["verify", "-q"], ["stats"], ["compact", "-q"], ["cat", Self.document]]
      ),
      (
        "20,000 small documents", many,
        [
          ["save", "-q"], ["status", "-q"], ["save", "-q"], ["log"], ["conflicts"], ["verify", "-q"],
          ["compact", "-q"],
        ]
      ),
    ]
  }
}
