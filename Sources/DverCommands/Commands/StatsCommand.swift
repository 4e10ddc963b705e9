import ArgumentParsing
import VersionStore
import Versioning

/// Shows how much the store holds.
struct StatsCommand: Command {
  static let usage = CommandUsage(
    "stats", operands: [.optional("PATH", .files)],
    abstract: "Show how much the store holds, and the largest documents",
    details: [
      "Contents are the bytes of all versions, as if each were a file of its own; packs are what they take here, shared"
        + " and compressed. The largest are those whose versions have the most bytes together. With PATH the documents"
        + " that are or were there, without the packs, which documents share."
    ])

  let path: [UInt8]?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try PathOperand.list(of: arguments).first
  }

  func run(in context: inout CommandContext) throws -> ExitStatus {
    let repository = try context.repository(.reading)
    let statistics = try repository.statistics(of: try path.flatMap { try context.target($0, in: repository) })
    if context.output.isJSON {
      context.output.write { json in
        json.member("documents", statistics.documents)
        json.member("deletedDocuments", statistics.deletedDocuments)
        json.member("versions", statistics.versions)
        json.member("contentSize", statistics.contentByteCount)
        if path == nil {
          json.member("packSize", statistics.packByteCount)
          json.member("storeSize", statistics.storeByteCount)
        }
        json.member("largest", objects: statistics.largest) { json, row in
          json.path("path", row.path.bytes)
          json.member("size", row.byteCount)
          json.member("versions", row.versions)
        }
      }
      return .done
    }
    let deleted = statistics.deletedDocuments == 0 ? "" : " and \(statistics.deletedDocuments) deleted"
    var facts = TextTable()
    facts.add(texts: "documents", "\(statistics.documents)\(deleted)")
    facts.add(texts: "versions", "\(statistics.versions)")
    facts.add(texts: "contents", ByteCount.text(statistics.contentByteCount))
    if path == nil {
      facts.add(texts: "packs", ByteCount.text(statistics.packByteCount))
      facts.add(texts: "store", ByteCount.text(statistics.storeByteCount))
    }
    for line in facts.lines() { context.output.write(line: line) }
    var largest = TextTable()
    for row in statistics.largest {
      let versions = row.versions == 1 ? "1 version" : "\(row.versions) versions"
      largest.add([
        TextTable.Cell(ByteCount.text(row.byteCount), isRight: true), TextTable.Cell(versions, isRight: true),
        TextTable.Cell(TerminalText.path(row.path.bytes)),
      ])
    }
    if !largest.isEmpty { context.output.write(line: "largest") }
    for line in largest.lines(indentation: 2) { context.output.write(line: line) }
    return .done
  }
}
