import SystemIO
import TestSupport
import Testing

@Suite("Bug reports: identity of devices and remotes") struct IdentityBugReports {
  @Test("BR-059: a copied device becomes another one, and both texts stay")
  func clonedDevice() throws {
    let devices = try SyncedDevices.sharing("A")
    try devices.shell("A", "cp -a ../A ../A2")
    for (device, text) in [("A", "a"), ("A2", "b")] {
      try devices.write(device, "d", text)
      try devices.dver(device, "save")
      try devices.sync([device])
    }
    try devices.sync(["A", "A2"])
    for device in ["A", "A2"] {
      let other = try #require(try devices.conflicts(device).first?["version"]?.string)
      #expect(try devices.conflicts(device).count == 1)
      #expect(
        Set([try devices.dver(device, "cat", "d"), try devices.dver(device, "cat", "d@\(other)")]) == ["a", "b"])
      #expect(try devices.objects(device, "device", "list").count == 2)
    }
    try devices.expectSound("A", "A2")
  }

  @Test("BR-060: a name of the machine is no identity")
  func hostName() throws {
    let devices = try SyncedDevices("A", "B")
    devices.runner.environment["DVER_DEVICE_NAME"] = "one.local"
    for text in ["1", "2"] {
      try devices.write("A", "d", text)
      try devices.dver("A", "save")
      try devices.sync(["A"])
      devices.runner.environment["DVER_DEVICE_NAME"] = "ONE.home"
    }
    try devices.expectSettled("d", on: "A")
    #expect(try devices.objects("A", "device", "list").count == 1)
    // Two of the same name stay two.
    try devices.dver("B", "device", "rename", "A")
    try devices.sync(["B", "A"])
    for device in ["A", "B"] {
      let list = try devices.objects(device, "device", "list")
      #expect(list.map { $0["name"]?.string } == ["A", "A"])
      #expect(list[0]["id"] != list[1]["id"])
    }
  }

  @Test("BR-061: a remote that is put back to an older copy gets everything again")
  func olderRemote() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.shell("A", "cp -a ../R ../R.old")
    try devices.write("A", "n1", "n")
    try devices.write("A", "d", "edit")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("A", "rm -r ../R; mv ../R.old ../R")
    try devices.sync(["A", "B"])
    try devices.add("C")
    try devices.sync(["C"])
    for device in ["A", "B", "C"] {
      #expect(devices.text(device, "n1") == "n")
      #expect(devices.text(device, "d") == "edit")
    }
    try devices.expectSettled("d", on: "A", "B", "C")
  }

  @Test("BR-062: an emptied remote gets everything again, one without its marker nothing")
  func emptiedRemote() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.shell("A", "rm -r ../R/packs ../R/log")
    try devices.sync(["A"])
    #expect(try devices.names("A") == ["d"])
    try devices.add("C")
    try devices.sync(["C"])
    #expect(devices.text("C", "d") == "base")
    for line in ["rm -r ../R/*", "echo x > ../R/other"] {
      try devices.shell("A", line)
      let result = try devices.run("A", ["sync", "R"])
      #expect(result.status == 6)
      #expect(result.errorText.contains("not a dver remote"))
      #expect(try FileSystem.list(devices.remote).allSatisfy { $0.name == Array("other".utf8) })
    }
    #expect(try devices.names("A") == ["d"])
  }

  @Test("BR-063: a catalog that is lost or months old loses no file and makes no conflict")
  func lostState() throws {
    let devices = try SyncedDevices("A", "B")
    for number in 1...50 { try devices.write("A", "f\(number)", "\(number)") }
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("B", "cp .dver/private/*/catalog.sqlite* ..")
    try devices.write("B", "f1", "edit")
    try devices.dver("B", "save")
    try devices.dver("A", "rm", "f2")
    try devices.shell("B", "rm .dver/private/*/catalog.sqlite*")
    try devices.sync(["A", "B", "A", "B"])
    try Self.expectEqual(devices, count: 49)
    try devices.write("B", "f3", "edit")
    try devices.dver("B", "save")
    try devices.shell("B", "cp ../catalog.sqlite* .dver/private/*/")
    try devices.write("B", "f4", "edit")
    try devices.dver("B", "save")
    try devices.sync(["A", "B", "A", "B"])
    try Self.expectEqual(devices, count: 49)
    for name in ["f1", "f3", "f4"] { #expect(devices.text("A", name) == "edit") }
    try devices.expectSound("A", "B")
  }

  private static func expectEqual(_ devices: SyncedDevices, count: Int) throws {
    #expect(try devices.names("A").count == count)
    #expect(try devices.names("B") == devices.names("A"))
    for device in ["A", "B"] {
      #expect(try devices.conflicts(device).isEmpty)
      #expect(try devices.dver(device, "status").isEmpty)
    }
  }
}
