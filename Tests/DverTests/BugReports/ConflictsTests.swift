import SystemIO
import TestSupport
import Testing

@Suite("Bug reports: conflicts") struct ConflictsBugReports {
  @Test("BR-064: a removed conflict stays away")
  func removedConflict() throws {
    let devices = try SyncedDevices.inConflict("C")
    let kept = try devices.dver("A", "cat", "d")
    let lost = try #require(try devices.conflicts("A").first?["version"]?.string)
    try devices.dver("A", "resolve", "d", "--current")
    try devices.dver("A", "remove-other", "d")
    try devices.sync(["A", "B", "C"])
    for _ in 0..<2 {
      try devices.sync(["A", "B", "C"])
      try devices.expectSettled("d", on: "A", "B", "C")
    }
    for device in ["A", "B", "C"] {
      #expect(devices.text(device, "d") == kept)
      #expect(try devices.versions(device, "d").contains(lost))
    }
    // What was given up is refused until it is taken back.
    try devices.dver("C", "cat", "d@\(lost.prefix(12))", status: 4)
    try devices.expectSound("A", "B", "C")
  }

  @Test("BR-065: a conflict seen by several devices is one other version with one id")
  func equalConflict() throws {
    let devices = try SyncedDevices.sharing("A", "B", "C")
    try devices.editApart()
    try devices.sync(["A", "C", "B", "C", "A"])
    let expected = try devices.conflicts("A").ids
    #expect(expected.count == 1)
    for device in ["B", "C"] {
      #expect(try devices.conflicts(device).ids == expected)
      #expect(try devices.conflicts(device).count == 1)
    }
  }

  @Test("BR-066: deleting a document does not bring the loser of its conflict up")
  func deletedWithConflict() throws {
    let devices = try SyncedDevices.inConflict()
    let lost = try #require(try devices.conflicts("A").first?["version"]?.string)
    let text = try devices.dver("A", "cat", "d@\(lost)")
    try devices.shell("A", "rm d")
    try devices.dver("A", "save", "--allow-mass-delete")
    try devices.sync(["A", "B"])
    for device in ["A", "B"] {
      #expect(try devices.names(device).isEmpty)
      #expect(try devices.conflicts(device).isEmpty)
      #expect(try devices.versions(device, "d").contains(lost))
      #expect(try devices.dver(device, "cat", "d@\(lost)") == text)
    }
    try devices.dver("B", "restore", "d@\(lost)")
    #expect(devices.text("B", "d") == text)
  }

  @Test("BR-067: an edit that is not saved survives a deletion that arrives")
  func unsavedEdit() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.dver("A", "rm", "d")
    try devices.sync(["A"])
    try devices.write("B", "d", "day-work")
    try devices.sync(["B"])
    #expect(devices.text("B", "d") == "day-work")
    try devices.dver("B", "save")
    #expect(try devices.conflicts("B").map { $0["kind"]?.string } == ["deleted"])
    try devices.sync(["B", "A"])
    #expect(devices.text("A", "d") == "day-work")
    #expect(try devices.conflicts("A").ids == devices.conflicts("B").ids)
  }

  @Test("BR-067: an unsaved deletion against an edit is an edit against a deletion")
  func unsavedDeletion() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.shell("B", "rm d")
    try devices.write("A", "d", "2")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    #expect(try devices.names("B").isEmpty)
    try devices.dver("B", "save", "--allow-mass-delete")
    try devices.sync(["B", "A"])
    for device in ["A", "B"] {
      #expect(try devices.conflicts(device).map { $0["kind"]?.string } == ["deleted"])
      #expect(try devices.dver(device, "cat", "d") == "2")
    }
    #expect(devices.text("A", "d") == "2")
  }

  @Test("BR-068: many versions on two sides are two heads, in the order of the graph")
  func manyRevisions() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    for number in 1...30 {
      for device in ["A", "B"] {
        try devices.write(device, "d", "\(device)\(number)")
        try devices.dver(device, "save")
      }
    }
    try devices.sync(["A", "B", "A", "B"])
    for device in ["A", "B"] {
      #expect(try devices.conflicts(device).count == 1)
      #expect(try devices.versions(device, "d").count == 61)
    }
    var children: Set<String> = []
    for version in try devices.objects("A", "log", "d") {
      // A version stands before its parents.
      let parents = version["parents"]?.elements?.compactMap(\.string) ?? []
      #expect(children.isDisjoint(with: parents))
      children.insert(version["version"]?.string ?? "")
    }
    try devices.dver("A", "resolve", "d", "--current")
    try devices.sync(["A", "B"])
    try devices.expectSettled("d", on: "A", "B")
  }

  @Test("BR-068: twelve devices make twelve heads, which one resolution settles")
  func twelveDevices() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    let all = ["A", "B"] + (3...12).map { "D\($0)" }
    for device in all.dropFirst(2) { try devices.add(device) }
    try devices.sync(all)
    for device in all {
      try devices.write(device, "d", "by \(device)")
      try devices.dver(device, "save")
    }
    try devices.sync(all + all)
    for device in all { #expect(try devices.conflicts(device).ids.count == 11) }
    try devices.dver("B", "resolve", "d", "--current")
    try devices.sync(["B"] + all)
    for device in all { #expect(try devices.conflicts(device).isEmpty) }
  }

  @Test("BR-069: a change of bookkeeping is no conflict, and of the time alone no version")
  func bookkeeping() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.shell("A", "touch d")
    #expect(try devices.dver("A", "save", "d").isEmpty)
    try devices.shell("B", "touch d; chmod g+w d")
    try devices.dver("B", "save", "d")
    try devices.sync(["A", "B", "A"])
    try devices.expectSettled("d", on: "A", "B")
    #expect(try FileStatus.of(devices.path("A", "d")).permissions & 0o777 == 0o664)
  }

  @Test("BR-070: modes changed on both sides are conflicts of modes alone")
  func permissionStorm() throws {
    let devices = try SyncedDevices("A", "B")
    let names = (0..<40).map { "f\($0)" }
    for name in names { try devices.write("A", name, name) }
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("A", "chmod g+w f*")
    try devices.shell("B", "chmod o-r f*")
    for device in ["A", "B"] { try devices.dver(device, "save") }
    try devices.sync(["A", "B", "A", "B"])
    for device in ["A", "B"] {
      #expect(try devices.names(device) == names.sorted())
      for name in names { #expect(devices.text(device, name) == name) }
      for conflict in try devices.conflicts(device) {
        let current = try devices.objects(device, "show", try #require(conflict["path"]?.string))
        #expect(conflict["content"] == current.first?["content"])
        #expect(conflict["mode"] != current.first?["mode"])
      }
    }
    #expect(try devices.conflicts("A").ids == devices.conflicts("B").ids)
  }

  @Test("BR-071: the same change on both sides is none")
  func sameChange() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    for device in ["A", "B"] {
      try devices.write(device, "d", "same")
      try devices.write(device, "n", "new")
      try devices.dver(device, "save")
    }
    try devices.sync(["A", "B", "A", "B"])
    for name in ["d", "n"] { try devices.expectSettled(name, on: "A", "B") }
    for device in ["A", "B"] { #expect(try devices.dver(device, "status").isEmpty) }
  }

  @Test("BR-072: a sync that was killed ends, and the remote does not grow", arguments: 0..<8 as Range<UInt64>)
  func endless(seed: UInt64) throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.editApart()
    try devices.sync(["A"])
    var generator = SeededGenerator(seed: seed)
    var runner = devices.runner
    runner.folder = devices.folder(of: "B")
    runner.timeoutMilliseconds = Int.random(in: 1...120, using: &generator)
    _ = try runner.run("sync", "R")
    try devices.sync(["B"])
    let count = try devices.fileCount(below: devices.remote)
    for _ in 0..<4 {
      try devices.sync(["B"])
      #expect(try devices.fileCount(below: devices.remote) == count)
    }
    #expect(try devices.conflicts("B").count == 1)
    try devices.expectSound("B")
  }

  @Test("BR-073: a conflict of a conflict is one other version for each head, and no name grows")
  func conflictOfConflict() throws {
    let devices = try SyncedDevices.inConflict("C")
    for device in ["A", "B", "C"] {
      try devices.write(device, "d", "more by \(device)")
      try devices.dver(device, "save")
    }
    try devices.sync(["A", "B", "C", "A", "B", "C"])
    let expected = try devices.conflicts("A").ids
    // The three edits and the side that nobody edited, less the current one.
    #expect(expected.count == 3)
    for device in ["A", "B", "C"] {
      #expect(try devices.conflicts(device).ids == expected)
      #expect(try devices.conflicts(device).count == 3)
      #expect(try devices.names(device) == ["d"])
    }
  }

  @Test("BR-074: a device that was off does not push its old text as the newest")
  func oldDevice() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    for number in 2...9 {
      try devices.write("A", "d", "v\(number)")
      try devices.dver("A", "save")
    }
    try devices.sync(["A"])
    try devices.shell("B", "touch d")
    try devices.dver("B", "save", "d")
    try devices.sync(["B", "A"])
    try devices.expectSettled("d", on: "A", "B")
    for device in ["A", "B"] { #expect(devices.text(device, "d") == "v9") }
  }

  @Test("BR-075: saving does not settle a conflict, resolving does")
  func savingDoesNotResolve() throws {
    let devices = try SyncedDevices.inConflict()
    let other = try devices.conflicts("A").ids
    let before = try #require(devices.text("A", "d"))
    for text in ["x", before] {
      try devices.write("A", "d", text)
      try devices.dver("A", "save", "d")
      #expect(try devices.conflicts("A").ids == other)
    }
    try devices.dver("A", "resolve", "d", "--current")
    #expect(try devices.conflicts("A").isEmpty)
    #expect(devices.text("A", "d") == before)
  }

  @Test("BR-076: the same name made on two devices is a conflict without a common version")
  func sameName() throws {
    let devices = try SyncedDevices("A", "B")
    for device in ["A", "B"] {
      try devices.write(device, "n", device)
      try devices.dver(device, "save")
    }
    try devices.sync(["A", "B", "A"])
    for device in ["A", "B"] {
      let conflict = try #require(try devices.conflicts(device).first)
      #expect(try devices.conflicts(device).count == 1)
      let other = try #require(conflict["version"]?.string)
      #expect(
        Set([try devices.dver(device, "cat", "n"), try devices.dver(device, "cat", "n@\(other)")]) == ["A", "B"])
      try devices.dver(device, "cat", "n@base", status: 3)
      try devices.dver(device, "merge", "n", status: 1)
    }
  }
}
