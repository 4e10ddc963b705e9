/// The three-way rule for one value: what only one side changed, or both alike, is certain; all else is a conflict.
public enum FieldMerge<Value: Equatable>: Equatable {
  case clean(Value)
  case conflict

  /// Applies the rule. Swapped sides give the same answer.
  public init(base: Value, ours: Value, theirs: Value) {
    if ours == theirs || base == theirs {
      self = .clean(ours)
    } else if base == ours {
      self = .clean(theirs)
    } else {
      self = .conflict
    }
  }
}

extension FieldMerge {
  /// What the merge came to; `nil` for a conflict.
  public var value: Value? {
    if case .clean(let value) = self { value } else { nil }
  }
}

extension FieldMerge: Sendable where Value: Sendable {}
