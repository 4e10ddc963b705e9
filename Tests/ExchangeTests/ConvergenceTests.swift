import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("Devices that exchange in any order") struct ConvergenceTests {
  /// A random history of three devices, two remotes and a stick that is a repository itself.
  private final class History {
    let world: SimulatedWorld
    var devices: [SimulatedDevice]
    let remotes: [FilePath]
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) throws {
      world = try SimulatedWorld()
      devices = try ["a", "b", "c"].map { [world] in try world.device($0) }
      remotes = [world.remote("home"), world.remote("office"), try world.device("stick").folder]
      generator = SeededGenerator(seed: seed)
    }

    func step() throws {
      guard let device = devices.randomElement(using: &generator), let remote = remotes.randomElement(using: &generator)
      else { return }
      count += 1
      let path = "d\(Int.random(in: 0..<3, using: &generator))"
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<4: try device.save("\(device.name) \(count)\n", at: path)
      case 4:
        let text = (device.read(path) ?? "") + "line \(count)\n"
        try device.save(text, at: path)
      case 5:
        if device.read(path) != nil { try device.remove(path) }
        try device.saveAll()
      case 6:
        guard let conflict = try device.conflicts().randomElement(using: &generator) else { return }
        world.clock.advance(1000)
        _ = try device.repository.resolve(conflict.path, .current)
      case 7: try device.loseCatalog()
      default:
        // Nobody can bring a store's own repository anything new that it would not place itself.
        try device.sync(remote)
      }
    }

    /// Everybody exchanges with everything until nothing is new.
    func settle() throws {
      for _ in 0..<4 {
        for device in devices {
          try device.saveAll()
          for remote in remotes { try device.sync(remote) }
        }
      }
    }
  }

  @Test("come to the same versions, current versions, conflicts and files", arguments: 0..<12 as Range<UInt64>)
  func converge(seed: UInt64) throws {
    let history = try History(seed: seed)
    for _ in 0..<40 { try history.step() }
    try history.settle()
    let first = history.devices[0]
    for device in history.devices {
      #expect(try device.versionIDs() == first.versionIDs(), "\(device.name)")
      #expect(try device.conflicts().map(\.version.id) == first.conflicts().map(\.version.id), "\(device.name)")
      for number in 0..<3 {
        #expect(try device.current("d\(number)")?.id == first.current("d\(number)")?.id, "\(device.name) d\(number)")
        #expect(device.read("d\(number)") == first.read("d\(number)"), "\(device.name) d\(number)")
      }
      #expect(try device.repository.verify(isQuick: false).damages == [])
      for remote in history.remotes { #expect(try device.sync(remote).isUpToDate) }
    }
    // What the catalogs say follows from packs and logs alone.
    let known = try first.versionIDs()
    for device in history.devices {
      try device.loseCatalog()
      #expect(try device.versionIDs() == known)
    }
  }
}
