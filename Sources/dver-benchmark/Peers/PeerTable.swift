/// What several programs took for the same work, a line each, with dver's line first.
struct PeerTable {
  struct Line {
    let name: String
    var first: [ProcessRun] = []
    var later: [ProcessRun] = []
    var restored: [ProcessRun] = []
    /// The most memory that a process of the first save had, in KiB.
    var peakKibibytes: Int64?
    var storeByteCount: Int64 = 0
    /// What a later save added.
    var growth: Int64 = 0
  }

  private let laterTitle: String
  private var lines: [Line] = []
  var notes: [String] = []

  init(laterTitle: String) { self.laterTitle = laterTitle }

  mutating func add(_ line: Line) { lines.append(line) }

  var markdown: String {
    var text = [
      "| program | first save, wall | CPU | of dver's wall | peak memory | store | \(laterTitle), wall | CPU | growth | all written anew, wall | CPU |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    let own = lines.first.flatMap { median($0.first.map(\.wallMicroseconds)) } ?? 0
    for line in lines {
      let wall = median(line.first.map(\.wallMicroseconds)) ?? 0
      let cells = [
        line.name, Self.milliseconds(wall), Self.milliseconds(median(line.first.map(\.cpuMicroseconds)) ?? 0),
        own > 0 ? Self.tenths(wall * 10 / own) : "–",
        line.peakKibibytes.map { Self.tenths($0 * 10 / 1024) + " MiB" } ?? "–",
        Self.megabytes(line.storeByteCount), Self.milliseconds(median(line.later.map(\.wallMicroseconds)) ?? 0),
        Self.milliseconds(median(line.later.map(\.cpuMicroseconds)) ?? 0), Self.megabytes(line.growth),
        Self.milliseconds(median(line.restored.map(\.wallMicroseconds)) ?? 0),
        Self.milliseconds(median(line.restored.map(\.cpuMicroseconds)) ?? 0),
      ]
      text.append("| " + cells.joined(separator: " | ") + " |")
    }
    if !notes.isEmpty { text += [""] + notes.map { "- " + $0 } }
    return text.joined(separator: "\n")
  }

  private static func milliseconds(_ microseconds: Int64) -> String { tenths(microseconds / 100) + " ms" }

  private static func megabytes(_ bytes: Int64) -> String {
    let thousandths = String(bytes.magnitude / 1000)
    let padded = String(repeating: "0", count: max(0, 4 - thousandths.count)) + thousandths
    return (bytes < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3) + " MB"
  }

  private static func tenths(_ value: Int64) -> String { "\(value / 10).\(value % 10)" }
}
