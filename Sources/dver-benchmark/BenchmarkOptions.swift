import Glibc

/// The command line of the benchmark.
struct BenchmarkOptions {
  static let help = """
    usage: dver-benchmark [--rounds N] [--only WORKLOAD]… [--dver PROGRAM] [--folder DIR] [--histories DIR]
      --rounds N       rounds of each measurement, 3 to 1000; 15 unless given
      --only WORKLOAD  \(Workload.allCases.map(\.rawValue).joined(separator: ", ")); repeatable
      --dver PROGRAM   the program to measure; .build/release/dver unless given
      --folder DIR     where temporary folders are made; $TMPDIR, else /var/tmp (on a real disk, or syncing costs nothing)
      --histories DIR  archives of real histories; $DVER_HISTORIES, else ../shared/corpus/histories
    """

  var rounds = 15
  var workloads: Set<Workload> = []
  var dver = ".build/release/dver"
  var folder: String
  var histories: String
  var showsHelp = false

  init(_ arguments: some Sequence<String>) throws(BenchmarkError) {
    folder = Self.environment("TMPDIR") ?? "/var/tmp"
    histories = Self.environment("DVER_HISTORIES") ?? "../shared/corpus/histories"
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      if option == "--help" {
        showsHelp = true
        continue
      }
      guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
      switch option {
      case "--rounds":
        guard let number = Int(value), (3...1000).contains(number) else {
          throw .usage("--rounds takes a number from 3 to 1000")
        }
        rounds = number
      case "--only":
        guard let workload = Workload(rawValue: value) else { throw .usage("there is no workload \(value)") }
        workloads.insert(workload)
      case "--dver": dver = value
      case "--folder": folder = value
      case "--histories": histories = value
      default: throw .usage("there is no option \(option)")
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
