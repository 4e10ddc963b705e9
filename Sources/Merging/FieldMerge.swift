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

extension FieldMerge: Sendable where Value: Sendable {}
