import SystemIO

/// The first save of a folder, then saves after one small change, by every program that is installed.
struct PeerWorkload {
  /// What is in the folder.
  enum Documents: Sendable {
    /// 20,000 texts of 2 to 14 KB.
    case smallTexts
    /// 400 MB: texts and incompressible files of 1 to 16 MB, some of them twice.
    case mixed
    /// 200 MB in 50 files that no program can make smaller.
    case photos

    /// Whether the folders of earlier rounds have to stay: ext4 looks at every inode that was freed within minutes before it
    /// makes a file, so who comes after a large removal is slow.
    var isMany: Bool { self == .smallTexts }

    var laterTitle: String { "one changed of \(self == .smallTexts ? "20 KB" : "its documents")" }
  }

  private static let changed = "changed.md"

  let documents: Documents

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> String {
    let folder = try context.folder.folder("peers")
    defer { folder.remove() }
    let source = try folder.folder("source")
    try documents.fill(source)
    var table = PeerTable(laterTitle: documents.laterTitle)
    var missing: [String] = []
    let program = try context.dver.absoluteProgram()
    let rounds = min(context.rounds, documents == .smallTexts ? 3 : 2)
    var lines: [String: PeerTable.Line] = [:]
    var order: [String] = []
    // One round after the other, all programs in each: what the machine does meanwhile is the same for all.
    for round in 0..<rounds {
      let place = try folder.folder("round-\(round)")
      let peers = try Peer.all(dver: program) { (name) throws(BenchmarkError) in try place.folder(name) }
      for peer in peers {
        guard peer.isInstalled else {
          if round == 0 { missing.append(peer.name) }
          continue
        }
        if lines[peer.name] == nil {
          order.append(peer.name)
          lines[peer.name] = PeerTable.Line(name: peer.name)
        }
        let scratch = try place.folder(peer.name)
        try measure(peer, in: scratch, source, isLast: round == rounds - 1, &lines[peer.name, default: .init(name: "")])
      }
      if !documents.isMany { place.remove() }
    }
    for name in order { if let line = lines[name] { table.add(line) } }
    table.notes.append("git without any fsync, hg, fossil, borg and restic as they are; dver's save is durable.")
    table.notes.append(
      "All written anew: dver restore --to, git checkout, hg archive, borg extract, restic restore; dver's is durable.")
    if documents == .photos { table.notes.append(try floor(source, in: folder)) }
    if !missing.isEmpty { table.notes.append("Skipped, not installed: \(missing.joined(separator: ", ")).") }
    return table.markdown
  }

  private func measure(
    _ peer: Peer, in scratch: ScratchFolder, _ source: ScratchFolder, isLast: Bool, _ line: inout PeerTable.Line
  ) throws(BenchmarkError) {
    let tree = try scratch.folder("tree")
    _ = try peer.run(peer.setUp)
    _ = try ProcessRun.of(["cp", "-r", "--", source.argument + "/.", tree.argument])
    var text = SampleText(byteCount: 20_000, seed: 3)
    try tree.write(text.bytes, to: Self.changed)
    // The last round tells memory, by a program that costs a little time of its own.
    let report = scratch.argument + "/peak"
    if isLast, ScratchFolder.exists("/usr/bin/time") {
      _ = try peer.run(peer.save(0), before: ["/usr/bin/time", "-a", "-f", "%M", "-o", report])
      let peaks = try scratch.read("peak").split(separator: 10).compactMap {
        Int64(String(decoding: $0, as: UTF8.self))
      }
      line.peakKibibytes = peaks.max()
    } else {
      line.first.append(try peer.run(peer.save(0)))
    }
    line.storeByteCount = try scratch.byteCount(of: peer.store)
    for state in 1...3 {
      text.edit()
      try tree.write(text.bytes, to: Self.changed)
      line.later.append(try peer.run(peer.save(state)))
    }
    line.growth = (try scratch.byteCount(of: peer.store) - line.storeByteCount) / 3
    line.restored.append(try peer.run(peer.restore))
    guard try scratch.read("back/\(Self.changed)") == text.bytes else {
      throw .mismatch("\(peer.name)'s \(Self.changed)")
    }
    if !documents.isMany { scratch.remove() }
  }

  /// What hashing and copying alone take.
  private func floor(_ source: ScratchFolder, in folder: ScratchFolder) throws(BenchmarkError) -> String {
    let script =
      "find \(source.argument) -type f -exec sha256sum {} + > /dev/null && cp -r \(source.argument) \(folder.argument)/copy"
    let run = try ProcessRun.of(["sh", "-c", script])
    return "`sha256sum` of all files and `cp -r` after one another: \(run.wallMicroseconds / 1000) ms."
  }
}

extension PeerWorkload.Documents {
  func fill(_ folder: ScratchFolder) throws(BenchmarkError) {
    switch self {
    case .smallTexts:
      for number in 0..<20_000 {
        let name = "folder-\(number / 100)"
        if number.isMultiple(of: 100) { _ = try folder.folder(name) }
        let text = SampleText(byteCount: 2000 + number * 7919 % 12_000, seed: UInt64(number) + 1)
        try folder.write(text.bytes, to: "\(name)/document-\(number).md")
      }
    case .mixed:
      var noise = SampleText(byteCount: 0, seed: 5)
      for number in 0..<40 {
        let bytes = noise.noise(byteCount: 1_000_000 * (1 + number % 16) / 2)
        try folder.write(bytes, to: "noise-\(number).bin")
        if number.isMultiple(of: 4) { try folder.write(bytes, to: "again-\(number).bin") }
      }
      for number in 0..<40 {
        try folder.write(SampleText(byteCount: 4_000_000, seed: UInt64(number)).bytes, to: "text-\(number).txt")
      }
    case .photos:
      var noise = SampleText(byteCount: 0, seed: 6)
      for number in 0..<50 { try folder.write(noise.noise(byteCount: 4_000_000), to: "photo-\(number).jpg") }
    }
  }
}

extension ScratchFolder {
  /// The length of a file, or of all files in a folder.
  func byteCount(of name: String) throws(BenchmarkError) -> Int64 {
    guard let status = try? FileStatus.of(path.appending(name)) else { throw .mismatch("\(name) is not there") }
    return status.kind == .folder ? try byteCount(below: name) : Int64(clamping: status.size)
  }
}
