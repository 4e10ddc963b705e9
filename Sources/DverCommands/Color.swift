/// Colours of a terminal, or none.
///
/// Source: ECMA-48, "Select graphic rendition".
struct Color: Equatable, Sendable {
  let isOn: Bool

  /// - Parameters:
  ///   - noColor: the variable `NO_COLOR`; any value but an empty one switches `auto` off (no-color.org).
  ///   - isTerminal: whether standard output is one.
  init(_ when: WhenToShow, noColor: [UInt8]?, isTerminal: Bool) {
    isOn = when.isOn(isSuitable: isTerminal && noColor?.isEmpty ?? true)
  }

  func bold(_ text: String) -> String { styled(text, "1") }
  func dim(_ text: String) -> String { styled(text, "2") }
  func red(_ text: String) -> String { styled(text, "31") }
  func green(_ text: String) -> String { styled(text, "32") }
  func yellow(_ text: String) -> String { styled(text, "33") }
  func cyan(_ text: String) -> String { styled(text, "36") }

  private func styled(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
