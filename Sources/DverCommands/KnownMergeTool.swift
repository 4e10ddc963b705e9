/// A merge tool that is known by name, with how it is run.
///
/// Source: git, "mergetools/": the arguments, and whether an exit status tells that the merge was made.
enum KnownMergeTool: String, CaseIterable, Sendable {
  case meld, kdiff3, vimdiff, nvim, code

  /// The name of the program.
  var program: String { self == .vimdiff ? "vim" : rawValue }

  /// A line for `sh`.
  func command(hasBase: Bool) -> String {
    switch self {
    case .meld: "meld --output=\"$MERGED\" \"$LOCAL\" \"$BASE\" \"$REMOTE\""
    case .kdiff3:
      "kdiff3 --auto -o \"$MERGED\" " + (hasBase ? "\"$BASE\" " : "") + "\"$LOCAL\" \"$REMOTE\" >/dev/null 2>&1"
    case .vimdiff, .nvim: "\(program) -f -d \(Self.windows(hasBase: hasBase))"
    case .code: "code --wait --merge \"$REMOTE\" \"$LOCAL\" \"$BASE\" \"$MERGED\""
    }
  }

  /// The versions side by side, and the merge below or between them.
  private static func windows(hasBase: Bool) -> String {
    hasBase
      ? "-c '4wincmd w | wincmd J' \"$LOCAL\" \"$BASE\" \"$REMOTE\" \"$MERGED\""
      : "-c 'wincmd l' \"$LOCAL\" \"$MERGED\" \"$REMOTE\""
  }

  /// Whether its exit status tells that the merge was made, even where the file is as it was.
  var isTrustedByStatus: Bool { self != .meld }
}
