import SystemIO
import TestSupport
import Testing

@Suite("Bug reports: names") struct NamesTests {
  @Test("BR-001: a newline in a document name") func newline() throws {
    let devices = try Devices()
    let name = Array("a\nb.txt".utf8)
    try devices.a.run(#"n=$(printf 'a\nb.txt'); printf one > "$n"; printf two > c.txt; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    #expect(try devices.b.names() == [name, Array("c.txt".utf8)])
    #expect(devices.b.content(name) == Array("one".utf8))
    #expect(devices.b.text("c.txt") == "two")
    try devices.b.run(#"printf more >> "$(printf 'a\nb.txt')""#)
    #expect(try devices.b.shell("dver status").outputText == "modified  \"a\\nb.txt\"\n")
    #expect(try devices.b.shell("dver status -z").output == name + [0])
    let objects = try devices.b.json("dver status --json")
    #expect(objects.map { $0["path"]?.string } == ["a\nb.txt"])
  }

  @Test("BR-002: two names that are not UTF-8") func notUTF8() throws {
    let devices = try Devices()
    try devices.a.run(#"printf 1 > "$(printf '\300')"; printf 2 > "$(printf '\301')"; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    #expect(try devices.b.names() == [[0xC0], [0xC1]])
    #expect(devices.b.content([0xC0]) == Array("1".utf8))
    let first = try devices.b.json(#"dver log --json -- "$(printf '\300')""#)
    let second = try devices.b.json(#"dver log --json -- "$(printf '\301')""#)
    #expect(first.map { $0["pathBytes"]?.string } == ["wA=="])
    #expect(second.map { $0["pathBytes"]?.string } == ["wQ=="])
    #expect(first.first?["path"] == nil)
    #expect(first.first?["document"] != second.first?["document"])
    let text = try devices.b.run("dver log --all")
    #expect(text.contains(#""\xc0""#) && text.contains(#""\xc1""#))
  }

  @Test("BR-003: a name of any bytes as an argument") func byteArgument() throws {
    let devices = try Devices(["A"])
    let device = devices.a
    let name = #"n=$(printf 'x\377.txt');"#
    try device.run(#"\#(name) printf 1 > "$n"; dver save -- "$n""#)
    #expect(try device.shell(#"\#(name) dver cat -- "$n""#).output == Array("1".utf8))
    #expect(try device.json(#"\#(name) dver log --json -- "$n""#).count == 1)
    try device.run(#"\#(name) dver diff -- "$n"; printf 2 > "$n""#)
    #expect(try device.shell(#"\#(name) dver diff --exit-code -- "$n""#).status == 1)
    try device.run(#"\#(name) dver save -- "$n"; dver restore -- "$n@~1"; dver rm -- "$n""#)
    #expect(try device.names().isEmpty)
  }

  @Test("BR-004: composed and decomposed twins") func normalForms() throws {
    let devices = try Devices()
    let composed = Array("caf\u{E9}.txt".utf8)
    let decomposed = Array("cafe\u{301}.txt".utf8)
    try devices.a.run(
      #"printf a > "$(printf 'caf\303\251.txt')"; printf b > "$(printf 'cafe\314\201.txt')"; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    #expect(try devices.b.names() == [decomposed, composed])
    #expect(devices.b.content(composed) == Array("a".utf8))
    #expect(devices.b.content(decomposed) == Array("b".utf8))
    #expect(try devices.b.shell(#"dver cat "$(printf 'caf\303\251.txt')""#).outputText == "a")
    #expect(try devices.b.shell(#"dver cat "$(printf 'cafe\314\201.txt')""#).outputText == "b")
  }

  @Test("BR-005: names with a space or a dot at the end") func trailing() throws {
    let devices = try Devices()
    try devices.a.run(
      "printf 1 > f; printf 2 > 'f '; printf 3 > f.; mkdir dir.; printf 4 > dir./x; dver save .; dver sync R")
    try devices.b.run("dver sync R")
    let text = try devices.b.run("for n in f 'f ' f. dir./x; do dver cat -- \"$n\"; cat \"$n\"; done")
    #expect(text == "11223344")
  }

  @Test("BR-006: a file that could not be placed is not recorded as deleted") func unplaceable() throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .fat, for: "BR-006") else { return }
    try devices.a.run(
      "printf x > 'a:b?.txt'; printf y > ok; mkdir d; printf z > d/z; ln -s ok l; dver save; dver sync R")
    let text = try b.run("dver sync R")
    #expect(text.contains("not placed") && text.contains("a:b?.txt"))
    #expect(b.text("ok") == "y" && b.text("d/z") == "z")
    #expect(try b.shell("dver status").outputText == "remote-only  a:b?.txt\nremote-only  l\n")
    #expect(try b.shell("dver cat 'a:b?.txt'").outputText == "x")
    #expect(try b.json("printf z > other.txt; dver save --json .").map { $0["path"]?.string } == ["other.txt"])
    try devices.a.run("dver sync R; printf yy > ok; dver save")
    try b.run("dver sync R")
    try devices.a.run("dver sync R")
    try b.run("dver sync R; rm d/z; dver save; dver sync R")
    try devices.a.run("dver sync R; test -f 'a:b?.txt'; test -h l; test -f other.txt; test ! -e d/z")
    #expect(b.text("ok") == "yy")
  }

  @Test("BR-007: twins in case meet a volume that ignores case") func caseTwins() throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .ignoresCase, for: "BR-007") else { return }
    try devices.a.run("printf A > Plan.txt; dver save; printf b > plan.txt; dver save .; dver sync R")
    let text = try b.run("dver sync R")
    #expect(text.contains("not placed  Plan.txt"))
    #expect(try b.names() == [Array("plan.txt".utf8)])
    #expect(try b.shell("dver status").outputText == "remote-only  Plan.txt\n")
    try b.run("printf edit >> plan.txt; dver save .; dver sync R")
    try devices.a.run("dver sync R")
    #expect(devices.a.text("Plan.txt") == "A" && devices.a.text("plan.txt") == "bedit")
    try b.run("dver save; dver sync R")
    try devices.a.run("dver sync R; test -f Plan.txt")
  }

  @Test(
    "BR-007: equal twins, and folders that are twins", arguments: ["printf A > Plan.txt", "mkdir D d; echo 1 > D/x"])
  func equalTwins(first: String) throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .ignoresCase, for: "BR-007") else { return }
    let (there, other) = first.contains("Plan") ? ("plan.txt", "Plan.txt") : ("d/x", "D/x")
    try devices.a.run("\(first); dver save; cp \(other) \(there); dver save; dver sync R")
    let text = try b.run("dver sync R")
    #expect(text.contains("not placed  \(other)"))
    try b.run("dver save; printf edit >> \(there); dver save; dver sync R")
    try devices.a.run("dver sync R")
    #expect(devices.a.text(there)?.hasSuffix("edit") == true && devices.a.text(other)?.hasSuffix("edit") == false)
    #expect(try devices.a.json("dver log --all --json").count == 3)
  }

  @Test("BR-008: a rename that changes only case") func caseRename() throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .ignoresCase, for: "BR-008") else { return }
    try devices.a.run("printf 1 > NOTES.txt; dver save .; dver sync R")
    try b.run("dver sync R")
    try devices.a.run("mv NOTES.txt notes.txt; dver save .; printf 2 > notes.txt; dver save .; dver sync R")
    try b.run("dver sync R")
    #expect(try b.names() == [Array("notes.txt".utf8)])
    #expect(b.text("notes.txt") == "2")
    try b.run("printf 3 > notes.txt; dver save .; dver sync R; dver conflicts --exit-code")
    try devices.a.run("dver sync R")
    #expect(devices.a.text("notes.txt") == "3")
    let log = try b.json("dver log --all --json")
    #expect(log.count == 4 && Set(log.map { $0["document"] }).count == 1)
  }

  @Test("BR-008: the same rename made on the volume that ignores case", arguments: ["", "D/"])
  func caseRenameThere(folder: String) throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .ignoresCase, for: "BR-008") else { return }
    let (old, new) = folder.isEmpty ? ("NOTES.txt", "notes.txt") : ("D", "d")
    try devices.a.run("mkdir -p ./\(folder); echo one > ./\(folder)NOTES.txt; dver save; dver sync R")
    try b.run("dver sync R; mv \(old) \(new); dver save; dver sync R")
    try devices.a.run("dver sync R")
    #expect(try devices.a.names() == [Array(new.utf8)])
    let log = try devices.a.json("dver log --all --json")
    #expect(log.map { $0["origin"]?.string } == ["rename", "save"] && Set(log.map { $0["document"] }).count == 1)
  }

  @Test("BR-009: names of 255 bytes") func longNames() throws {
    let devices = try Devices()
    let names = "n=$(printf '%0251d' 0).txt; u=$(i=0; while [ $i -lt 83 ]; do printf 字; i=$((i+1)); done).txt;"
    try devices.a.run(#"\#(names) printf 1 > "$n"; printf 2 > "$u"; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    for device in devices.all {
      try device.run(#"\#(names) printf \#(device.name) > "$n"; printf \#(device.name)2 > "$u"; dver save"#)
    }
    try devices.syncAll()
    #expect(try devices.b.shell("dver conflicts -z").output.split(separator: 0).count == 2)
    try devices.b.run(
      #"\#(names) dver restore "$n@~1"; dver restore "$n"; dver resolve "$n" --both; dver resolve "$u" --both"#)
    try devices.syncAll()
    #expect(try devices.a.shell("dver conflicts --exit-code").status == 0)
    #expect(try devices.a.names().count == 4)
    #expect(try devices.a.names() == devices.b.names())
    for name in try devices.a.names() {
      #expect(name.count <= 255 && String(validating: name, as: UTF8.self) != nil, "\(FilePath.printable(name))")
    }
  }

  @Test("BR-010: a volume that holds names of 143 bytes only") func shorterNames() throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .longestName(143), for: "BR-010") else { return }
    let name = String(repeating: "x", count: 200)
    try devices.a.run("printf long > \(name); for i in 1 2 3; do echo $i > s$i; done; dver save .; dver sync R")
    let text = try b.run("dver sync R")
    #expect(text.contains("not placed  \(name)  (this volume can't hold the name)"))
    #expect(try b.names().count == 3)
    for _ in 0..<2 { #expect(try b.run("dver sync R") == "R: up to date\n") }
    #expect(try b.run("dver cat \(name); dver restore \(name) --to out; cat out; rm out; dver save").hasPrefix("long"))
    #expect(try b.shell("dver status").outputText == "remote-only  \(name)\n")
    try devices.a.run("dver sync R; test -f \(name)")
  }

  @Test("BR-011: a path longer than 4096 bytes") func deepPath() throws {
    let devices = try Devices()
    try devices.a.run(
      """
      (i=0; while [ $i -lt 560 ]; do mkdir nested0; cd -P nested0; i=$((i+1)); done; printf x > leaf.txt)
      printf y > top.txt; dver save .; dver status --exit-code; dver sync R
      """)
    try devices.b.run("dver sync R; dver status --exit-code")
    #expect(devices.b.text("top.txt") == "y")
    #expect(try devices.b.run("find . -name leaf.txt -size 1c | wc -l").contains("1"))
    for device in devices.all { try device.run("rm -r nested0") }
  }

  @Test("BR-012: names with a dash in front") func leadingDash() throws {
    let devices = try Devices()
    let names = "for n in -todo- --help -rf -- -; do"
    try devices.a.run(#"\#(names) printf -- "$n" > "./$n"; done; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    #expect(try devices.b.run(#"\#(names) dver cat -- "$n"; echo; done"#) == "-todo-\n--help\n-rf\n--\n-\n")
    try devices.b.run("rm ./--help; dver restore -- --help; test -f ./--help")
  }

  @Test("BR-013: percent and plus in names") func percent() throws {
    let devices = try Devices()
    let names = "for n in 100%.txt %20.txt ' .txt' a%2Fb.txt a+b.txt %00.txt %s%n.txt; do"
    try devices.a.run(#"\#(names) printf %s "$n" > "$n"; done; dver save .; dver sync R"#)
    try devices.b.run("dver sync R")
    #expect(try devices.b.names().count == 7)
    for name in try devices.b.names() { #expect(devices.b.content(name) == name) }
    let paths = try devices.b.json("dver log --json").compactMap { $0["path"]?.string }
    #expect(Set(paths) == ["100%.txt", "%20.txt", " .txt", "a%2Fb.txt", "a+b.txt", "%00.txt", "%s%n.txt"])
  }
}
