/// The value of `--color` and `--progress`.
enum WhenToShow: String, CaseIterable, Sendable {
  case auto, always, never

  /// Whether to show it, where `auto` means `isSuitable`.
  func isOn(isSuitable: Bool) -> Bool {
    switch self {
    case .auto: isSuitable
    case .always: true
    case .never: false
    }
  }
}
