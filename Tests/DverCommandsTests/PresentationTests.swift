import Exchange
import Testing
import VersionStore
import Versioning

@testable import DverCommands

@Suite("Sizes for people") struct ByteCountTests {
  @Test(
    "have one digit behind the point",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (999_949, "999.9 kB"),
      (999_950, "1.0 MB"), (1_234_567, "1.2 MB"), (UInt64.max, "18.4 EB"),
    ] as [(UInt64, String)])
  func text(count: UInt64, text: String) {
    #expect(ByteCount.text(count) == text)
  }
}

@Suite("Colours") struct ColorTests {
  @Test(
    "follow the option, then NO_COLOR, then the terminal",
    arguments: [
      (WhenToShow.auto, nil, true, true), (.auto, nil, false, false), (.auto, "1", true, false),
      (.auto, "", true, true),
      (.always, "1", false, true), (.never, nil, true, false),
    ] as [(WhenToShow, String?, Bool, Bool)])
  func precedence(when: WhenToShow, noColor: String?, isTerminal: Bool, isOn: Bool) {
    #expect(Color(when, noColor: noColor.map { Array($0.utf8) }, isTerminal: isTerminal).isOn == isOn)
  }

  @Test("surround text, or leave it")
  func styles() {
    let on = Color(.always, noColor: nil, isTerminal: false)
    #expect(on.red("a") == "\u{1B}[31ma\u{1B}[0m")
    #expect(on.bold("") == "")
    #expect(Color(.never, noColor: nil, isTerminal: true).red("a") == "a")
  }
}

@Suite("The progress bar") struct ProgressBarTests {
  private let fake = FakeSurroundings()

  @Test("appears on a terminal after half a second, ten times a second at most, and is wiped")
  func timing() {
    fake.terminals = [2]
    let bar = ProgressBar("saving", unit: .items, when: .auto, surroundings: fake.surroundings)
    bar.update(done: 1, of: 4)
    #expect(fake.errorText.isEmpty)
    fake.nanoseconds = 499_999_999
    bar.update(done: 1, of: 4)
    #expect(fake.errorText.isEmpty)
    fake.nanoseconds = 500_000_000
    bar.update(done: 2, of: 4)
    #expect(fake.writeCount == 1)
    fake.nanoseconds = 599_999_999
    bar.update(done: 3, of: 4)
    #expect(fake.writeCount == 1)
    fake.nanoseconds = 600_000_000
    bar.update(done: 3, of: 4)
    bar.finish()
    bar.finish()
    #expect(fake.writeCount == 3)
    #expect(fake.errorText.hasSuffix("\r\u{1B}[K"))
    #expect(fake.outputText.isEmpty)
  }

  @Test("stays away where there is no terminal, or it isn't wanted")
  func absence() {
    for when in [WhenToShow.auto, .never] {
      if when == .never { fake.terminals = [2] }
      let bar = ProgressBar("x", unit: .items, when: when, surroundings: fake.surroundings)
      fake.nanoseconds += 10_000_000_000
      bar.update(done: 1, of: 2)
      bar.finish()
    }
    #expect(fake.writeCount == 0)
  }

  @Test("appears at once where it is asked for")
  func always() {
    let bar = ProgressBar("x", unit: .items, when: .always, surroundings: fake.surroundings)
    bar.update(done: 1, of: 2)
    #expect(fake.writeCount == 1)
  }

  @Test("tells of the bytes of a file that takes long, and of files otherwise")
  func largeFile() throws {
    let bar = ProgressBar("saving", unit: .items, when: .always, surroundings: fake.surroundings)
    var progress = SaveProgress(done: 1, total: 2)
    bar.update(progress)
    #expect(fake.errorText.contains("saving [") && fake.errorText.contains("50% 1 of 2"))
    let long = String(repeating: "x", count: 200)
    for (stage, name) in [(.reading, "film.mkv"), (.storing, long)] as [(SaveProgress.File.Stage, String)] {
      fake.nanoseconds += 1_000_000_000
      progress.file = SaveProgress.File(
        path: try #require(DocumentPath(Array("films/\(name)".utf8))), stage: stage, done: 1_000_000, total: 4_000_000)
      bar.update(progress)
    }
    #expect(fake.errorText.contains("reading film.mkv [####......"))
    #expect(fake.errorText.contains("25% 1.0 MB of 4.0 MB"))
    #expect(fake.errorText.contains("storing \(String(repeating: "x", count: 11))... ["))
  }

  @Test("tells what an exchange is at, without a share where nobody knows the whole")
  func exchange() {
    let bar = ProgressBar("syncing", unit: .bytes, when: .always, surroundings: fake.surroundings)
    for progress in [
      ExchangeProgress(.receiving, done: 1_500_000), ExchangeProgress(.takingIn, done: 1, of: 2),
      ExchangeProgress(.placing, done: 1, of: 4), ExchangeProgress(.sending, done: 20),
    ] {
      bar.update(progress)
      fake.nanoseconds += 1_000_000_000
    }
    let lines = fake.errorText.split(separator: "\r").map { $0.replacing("\u{1B}[K", with: "") }
    #expect(lines.count == 4 && lines[0] == "receiving 1.5 MB" && lines[3] == "sending 20 B")
    #expect(lines[1].hasPrefix("taking in [") && lines[1].hasSuffix(" 50% 1 of 2"))
    #expect(lines[2].hasPrefix("placing [") && lines[2].hasSuffix(" 25% 1 of 4"))
  }

  @Test("fits its line")
  func line() {
    #expect(
      ProgressBar.line("saving", done: 5, of: 10, unit: .items, width: 40) == "saving [#########.........]  50% 5 of 10"
    )
    #expect(
      ProgressBar.line("x", done: 750, of: 1500, unit: .bytes, width: 36) == "x [#####......]  50% 750 B of 1.5 kB")
    for width in 1...100 {
      for (done, total) in [(0, 0), (0, 1), (1, 1), (9, 3), (.max, .max)] as [(UInt64, UInt64)] {
        #expect(ProgressBar.line("label", done: done, of: total, unit: .bytes, width: width).count <= width)
      }
    }
  }
}
