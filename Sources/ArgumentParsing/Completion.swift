/// What a shell may offer for a value.
public enum Completion: Sendable, Equatable {
  case nothing
  case files
  case folders
  case choices([String])
}
