import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Device bindings") struct DeviceBindingTests {
  private func text(_ binding: DeviceBinding) -> String { String(decoding: binding.encoded(), as: UTF8.self) }

  @Test("have the bytes of the format") func golden() throws {
    let folder = try TemporaryDirectory()
    var binding = try DeviceBinding(of: folder.path, name: Array("Mühle 1%\n".utf8), continues: nil)
    binding.machine = Array("0123abcd".utf8)
    binding.user = 1000
    binding.inode = 42
    binding.birthSeconds = -5
    binding.birthNanoseconds = 999_999_999
    let golden = "format 1\nmachine 0123abcd\nuser 1000\nfolder 42 -5 999999999\nname M%c3%bchle%201%25%0a\n"
    #expect(text(binding) == golden)
    binding.continues = DeviceID(high: 1, low: 2)
    #expect(text(binding) == golden + "continues 00000000000000010000000000000002\n")
    #expect(DeviceBinding(decoding: binding.encoded()) == binding)
  }

  @Test(
    "that are damaged are none",
    arguments: [
      "", "\n", "format", "format 2\nmachine a\nuser 1\nfolder 1 2 3\nname a\n",
      "machine a\nuser 1\nfolder 1 2 3\nname a\n",
      "format 1\nuser 1\nfolder 1 2 3\nname a\n", "format 1\nmachine a\nuser -1\nfolder 1 2 3\nname a\n",
      "format 1\nmachine a\nuser 4294967296\nfolder 1 2 3\nname a\n",
      "format 1\nmachine a\nuser 1\nfolder 1 2\nname a\n",
      "format 1\nmachine a\nuser 1\nfolder 1 2 x\nname a\n", "format 1\nmachine a\nuser 1\nfolder 1 2 3 4\nname a\n",
      "format 1\nmachine a\nuser 1\nfolder 99999999999999999999 2 3\nname a\n",
      "format 1\nmachine a\nuser 1\nfolder 1 2 3\nname %\n", "format 1\nmachine a\nuser 1\nfolder 1 2 3\nname %4\n",
      "format 1\nmachine a\nuser 1\nfolder 1 2 3\nname %zz\n", "format 1\nmachine a\nuser 1\nfolder 1 2 3\n",
    ])
  func damaged(_ text: String) {
    #expect(DeviceBinding(decoding: Array(text.utf8)) == nil)
  }

  @Test("fit the same machine, user and folder only") func fits() throws {
    let folder = try TemporaryDirectory()
    let binding = try DeviceBinding(of: folder.path, name: Array("a".utf8), continues: nil)
    var other = binding
    other.name = Array("b".utf8)
    other.continues = DeviceID(high: 1, low: 2)
    #expect(binding.fits(other))
    let changes: [(inout DeviceBinding) -> Void] = [
      { $0.machine.append(1) }, { $0.user += 1 }, { $0.inode += 1 }, { $0.birthSeconds += 1 },
      { $0.birthNanoseconds += 1 },
    ]
    for change in changes {
      var changed = binding
      change(&changed)
      #expect(!binding.fits(changed))
    }
  }

  @Test("escape every byte so that it comes back") func escaping() {
    let all = (0...255).map { UInt8($0) }
    #expect(PercentEscaping.decode(PercentEscaping.encode(all)) == all)
    #expect(PercentEscaping.encode(all).allSatisfy { (0x21...0x7E).contains($0) })
    #expect(PercentEscaping.decode(Array("%4".utf8)) == nil)
    #expect(PercentEscaping.decode(Array("a%41".utf8)) == Array("aA".utf8))
  }
}
