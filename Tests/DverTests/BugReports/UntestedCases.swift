import Testing

/// A case, or the part of one, that needs something absent.
struct UntestedCase: CustomStringConvertible {
  let number: Int
  let part: String
  let reason: String

  init(_ number: Int, _ part: String, _ reason: String) {
    self.number = number
    self.part = part
    self.reason = reason
  }

  var description: String {
    let digits = String(number)
    return "skipped: BR-\(String(repeating: "0", count: 3 - digits.count))\(digits) \(part): \(reason)"
  }

  static let all = [
    UntestedCase(4, "on a volume that ignores Unicode forms", "no such volume here, and no double of one"),
    UntestedCase(5, "as S3 keys and on ssh command lines", "no S3 and no ssh remote yet"),
    UntestedCase(12, "over ssh", "no ssh remote yet"),
    UntestedCase(13, "over ssh and S3", "no S3 and no ssh remote yet"),
    UntestedCase(20, "on a volume of 1 GiB", "tests make no volumes: a small file shows the holes"),
    UntestedCase(24, "prune", "no prune yet: remove-other stands for it"),
    UntestedCase(123, "opened by an office program", "its bytes are looked at here; LibreOfficeTests opens merges"),
    UntestedCase(126, "a member of 5 GB as a control", "five gigabytes take minutes and their room"),
  ]
}

@Suite("Bug reports that wait for something") struct UntestedCasesTests {
  @Test("are named and counted") func named() {
    for row in UntestedCase.all { print(row) }
    print("skipped: \(UntestedCase.all.count) parts of bug reports in all")
    #expect(UntestedCase.all.map(\.number) == UntestedCase.all.map(\.number).sorted())
  }
}
