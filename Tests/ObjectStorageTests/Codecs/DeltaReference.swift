import Deflate
import Hashing

/// Deltas as docs/format.md describes them, read and written without any thought of speed.
struct DeltaReference {
  struct Edit {
    var copy: UInt64
    var insert: UInt64
    var jump: Int64
  }

  enum Refusal: Error { case refused }

  /// Writes a delta with any numbers in it; the last edit's jump is not written.
  static func delta(_ edits: [Edit], isDeflated: Bool = false, inserted: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(2 * UInt64(edits.count) + (isDeflated ? 1 : 0))
    for (index, edit) in edits.enumerated() {
      writer.varint(edit.copy)
      writer.varint(edit.insert)
      if index < edits.count - 1 { writer.zigzag(edit.jump) }
    }
    writer.raw(inserted)
    return writer.bytes
  }

  /// What a delta makes of a base.
  static func decode(_ delta: [UInt8], base: [UInt8], byteCount: Int) throws -> [UInt8] {
    var reader = ByteReader(delta)
    let head = try reader.varint()
    var pieces: [(copy: [UInt8], from: Int, insert: Int, to: Int)] = []
    var position = 0
    var rest = byteCount
    for index in 0..<(head / 2) {
      let copy = try reader.varint(limit: UInt64(base.count - position))
      let insert = try reader.varint(limit: UInt64(byteCount))
      let from = position + Int(copy)
      rest -= Int(copy) + Int(insert)
      guard rest >= 0 else { throw Refusal.refused }
      let isLast = index == head / 2 - 1
      let jump = isLast ? 0 : try reader.zigzag()
      guard jump >= -from, jump <= base.count - from else { throw Refusal.refused }
      pieces.append((Array(base[position..<from]), from, Int(insert), from + Int(jump)))
      position = from + Int(jump)
    }
    guard rest <= base.count else { throw Refusal.refused }
    if !pieces.isEmpty { pieces[pieces.count - 1].to = base.count - rest }

    let total = pieces.reduce(0) { $0 + $1.insert }
    var inserted = try reader.raw(reader.remaining)
    if head % 2 == 1 {
      guard total > 0 else { throw Refusal.refused }
      let dictionary = dictionary(pieces.filter { $0.insert > 0 }.map { ($0.from, $0.to) }, base: base)
      inserted = try inserted.withUnsafeBytes { inserted in
        try dictionary.withUnsafeBytes { try Inflater().inflate(inserted, dictionary: $0, byteCount: total) }
      }
    }
    guard inserted.count == total else { throw Refusal.refused }

    var result: [UInt8] = []
    var used = 0
    for piece in pieces {
      result += piece.copy + inserted[used..<used + piece.insert]
      used += piece.insert
    }
    return result + base.suffix(rest)
  }

  static func dictionary(_ edits: [(from: Int, to: Int)], base: [UInt8]) -> [UInt8] {
    let share = max(64, 32_000 / max(1, edits.count))
    func clipped(_ start: Int, _ end: Int) -> [UInt8] {
      Array(base.prefix(max(0, end)).dropFirst(max(0, start)))
    }
    return edits.prefix(500).flatMap { from, to in
      let to = max(from, min(to, from + 8192))
      return clipped(to, to + share / 4) + clipped(from - share / 2, from) + clipped(from, min(to, from + share / 4))
    }
  }
}
