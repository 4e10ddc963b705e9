import DverCommands

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// A synchronous main: an asynchronous one costs milliseconds of start-up in a static executable.
@main
enum Main {
  static func main() {
    exit(DverProgram.run(arguments: DverProgram.processArguments))
  }
}
