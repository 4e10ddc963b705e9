/// Measurements of dver beside git's.
struct ResultTable {
  enum Unit {
    case microseconds
    case bytes
  }

  private struct Row {
    let measure: String
    let dver: Int64
    let git: Int64?
    let unit: Unit
  }

  private var rows: [Row] = []
  /// Sentences below the table.
  var notes: [String] = []

  mutating func add(_ measure: String, dver: Int64, git: Int64?, _ unit: Unit) {
    rows.append(Row(measure: measure, dver: dver, git: git, unit: unit))
  }

  /// Adds the medians of wall and CPU time of runs.
  mutating func add(_ measure: String, dver: [ProcessRun], git: [ProcessRun]) {
    add(
      measure + ", wall", dver: median(dver.map(\.wallMicroseconds)) ?? 0,
      git: median(git.map(\.wallMicroseconds)), .microseconds)
    add(
      measure + ", CPU", dver: median(dver.map(\.cpuMicroseconds)) ?? 0,
      git: median(git.map(\.cpuMicroseconds)), .microseconds)
  }

  var markdown: String {
    var lines = ["| measure | dver | git | git / dver |", "| --- | ---: | ---: | ---: |"]
    for row in rows {
      let git = row.git.map { Self.text($0, row.unit) } ?? "–"
      let ratio = row.git.map { row.dver > 0 ? Self.decimal($0 * 100 / row.dver, places: 2) : "–" } ?? "–"
      lines.append("| \(row.measure) | \(Self.text(row.dver, row.unit)) | \(git) | \(ratio) |")
    }
    if !notes.isEmpty { lines += [""] + notes.map { "- " + $0 } }
    return lines.joined(separator: "\n")
  }

  private static func text(_ value: Int64, _ unit: Unit) -> String {
    switch unit {
    case .microseconds: decimal(value / 10, places: 2) + " ms"
    case .bytes: grouped(value) + " B"
    }
  }

  /// A number given in units of the last decimal place.
  private static func decimal(_ value: Int64, places: Int) -> String {
    var digits = String(value)
    while digits.count <= places { digits = "0" + digits }
    return digits.dropLast(places) + "." + digits.suffix(places)
  }

  private static func grouped(_ value: Int64) -> String {
    var text = ""
    for (index, digit) in String(value).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}

/// The middle of the values, the lower one of two; `nil` where there is none.
func median(_ values: [Int64]) -> Int64? {
  values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
}
