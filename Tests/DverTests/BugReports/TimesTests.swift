import SystemIO
import TestSupport
import Testing

@Suite("Bug reports: time") struct TimesTests {
  @Test("BR-037: same size, same time stamp, new content") func sameStatus() throws {
    let devices = try Devices(["A"])
    try devices.a.run("printf 0 > n; dver save n; r=$(stat -c %y n); printf 1 > n; touch -d \"$r\" n")
    #expect(try devices.a.shell("dver status").outputText == "modified  n\n")
    try devices.a.run("dver save n; test \"$(dver cat n)\" = 1")
    let text = try devices.a.run("i=0; while [ $i -lt 60 ]; do i=$((i+1)); printf $((i%10+1)) > n; dver save n; done")
    #expect(!text.contains("nothing to save"))
    #expect(try devices.a.run("dver cat n") == "1")
    #expect(try devices.a.json("dver log --json n").count == 62)
  }

  @Test("BR-038: a time put back by the program") func timePutBack() throws {
    let devices = try Devices(["A"])
    let edit = "touch -r vol ../ref; printf X | dd of=vol bs=1 seek=500 conv=notrunc status=none; touch -r ../ref vol"
    try devices.a.run("head -c 100000 /dev/zero > vol; dver save vol; \(edit)")
    #expect(try devices.a.shell("dver status").outputText == "modified  vol\n")
    try devices.a.run("dver save vol; dver cat vol | cmp - vol")
  }

  @Test("BR-038: every file can be read again where the volume tells no time of change") func reread() throws {
    let devices = try Devices(["A"])
    guard let a = try Volume.device(devices.a, .noChangeTime, for: "BR-038 --reread") else { return }
    try a.run("head -c 1000 /dev/zero > vol; touch -d @1000 vol; dver save vol")
    try a.run("printf X | dd of=vol bs=1 seek=500 conv=notrunc status=none; touch -d @1000 vol")
    #expect(try a.run("dver status; dver save") == "nothing to save\n")
    #expect(try a.run("dver status --reread") == "modified  vol\n")
    #expect(try a.run("dver save --reread; dver cat vol | cmp - vol").hasPrefix("saved  vol"))
  }

  @Test("BR-039: times before 1970") func before1970() throws {
    let devices = try Devices()
    try devices.a.run(
      """
      printf v1 > old; touch -d '1958-03-02 06:30 UTC' old; printf 1 > z; touch -d @-1 z; printf 2 > half
      touch -d @-1.25 half; printf 3 > now; dver save .; dver sync R
      """)
    try devices.b.run("dver sync R; dver restore old; rm old; dver restore old; test -f now; dver status --exit-code")
    #expect(
      try devices.b.run("stat -c '%Y %y' old z half | cut -d. -f1,2") == """
        -373483800 1958-03-02 06:30:00.000000000 +0000
        -1 1969-12-31 23:59:59.000000000 +0000
        -2 1969-12-31 23:59:58.750000000 +0000

        """)
    #expect(try devices.b.json("dver log --json old").first?["modifiedAt"]?.string == "1958-03-02T06:30:00.000Z")
    #expect(try devices.b.run("dver show old").contains("1958-03-02T06:30:00.000Z"))
  }

  @Test("BR-040: 1913 and the endless upload") func noEndlessUpload() throws {
    let devices = try Devices()
    try devices.a.run("printf 1 > g; touch -d 1913-05-09 g; dver save g; dver sync R")
    for _ in 0..<2 {
      let object = try devices.a.json("dver sync --json R").last
      #expect(object?["sentEntries"]?.integer == 0 && object?["fetchedEntries"]?.integer == 0)
    }
    try devices.b.run("dver sync R; dver save; dver sync R")
    #expect(try devices.b.run("dver sync R") == "R: up to date\n")
    #expect(try devices.a.json("dver log --json g").count == 1)
  }

  @Test("BR-041: a date out of range stops nothing") func datesOutOfRange() throws {
    guard let shared = FilePath(bytes: Array("/dev/shm".utf8)), try FileSystem.kind(ofVolumeAt: shared) == .tmpfs else {
      print("skipped: BR-041: /dev/shm is no tmpfs, and other file systems cut such dates")
      return
    }
    let devices = try Devices(in: shared)
    let seconds: [Int64] = [253_402_300_799, 253_402_300_800, -62_167_219_201, .max, .min, .max / 1000 + 1]
    try devices.a.run("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo $i > f$i; done")
    for (number, value) in seconds.enumerated() { try devices.a.run("touch -d @\(value) f\(number + 1)") }
    #expect(try devices.a.json("dver save --json .").count == 20)
    try devices.a.run(
      "dver status --exit-code; dver diff f4; dver stats; dver log; dver log --until 2000-01-01; dver sync R")
    for (number, value) in seconds.enumerated() {
      let name = "f\(number + 1)"
      try devices.a.run("dver log \(name); dver show \(name)")
      let object = try #require(try devices.a.json("dver log --json \(name)").first)
      #expect(number == 0 || object["modifiedAt"]?.isNull == true && object["modifiedAtSeconds"]?.integer == value)
    }
    try devices.b.run("dver sync R; dver status --exit-code")
    let times = try devices.b.run("stat -c %Y f1 f2 f3 f4 f5 f6").split(separator: "\n").map { Int64($0) }
    #expect(times == seconds)
    #expect(try devices.b.names().count == 20)
  }

  @Test("BR-042: a clock set back between saves") func clockSetBack() throws {
    let devices = try Devices()
    for (text, time) in [("v1", "12:00"), ("v2", "11:00"), ("v3", "11:00")] {
      try devices.a.run("printf \(text) > d; DVER_NOW=2026-11-30T\(time):00Z dver save")
    }
    try devices.a.run("dver restore d; dver sync R")
    try devices.b.run("dver sync R")
    for device in devices.all {
      #expect(device.text("d") == "v3")
      #expect(try device.run("dver cat d; dver cat d@~1; dver cat d@~2") == "v3v2v1")
      let log = try device.json("dver log --json d")
      #expect(log.map { $0["savedAt"]?.string?.dropFirst(11).prefix(5) } == ["11:00", "11:00", "12:00"])
      #expect(log.first?["state"]?.string == "current")
    }
  }

  @Test("BR-043: times shifted by an hour and rounded") func shiftedTimes() throws {
    let devices = try Devices(["A"])
    let names = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); f=f$i"
    try devices.a.run(
      "\(names); echo $i > $f; done; dver save; dver sync R; \(names); touch -r $f -d '+1 hour' $f; done")
    try devices.a.run("dver status --exit-code; for f in f*; do touch -d @$(($(stat -c %Y $f)/2*2)) $f; done")
    try devices.a.run("dver status --exit-code")
    if let a = try Volume.device(devices.a, .closed("f1"), for: "BR-043, that nothing is read again") {
      try a.run("dver status --exit-code")
    }
    #expect(try devices.a.run("dver save; dver sync R") == "R: up to date\nnothing to save\n")
    #expect(try devices.a.json("dver log --json").count == 100)
  }

  @Test("BR-044: an upload after a download on a coarse volume") func coarseTimes() throws {
    let devices = try Devices()
    guard let b = try Volume.device(devices.b, .coarseTimes, for: "BR-044") else { return }
    try devices.a.run("printf x > x; touch -d @1000000001.5 x; dver save; dver sync R")
    try b.run("dver sync R; dver status --exit-code")
    #expect(try b.run("dver save; dver sync R") == "R: up to date\nnothing to save\n")
    try devices.a.run("dver sync R")
    #expect(try devices.a.run("stat -c %.1Y x") == "1000000001.5\n")
    #expect(try devices.a.json("dver log --all --json").count == 1)
  }
}
