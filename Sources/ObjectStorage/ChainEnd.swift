/// Where the objects that an object is stored against come to an end.
public enum ChainEnd: Sendable {
  /// The pack alone gives the object back.
  case samePack
  /// The last one is stored against an object of an older pack.
  case otherPack
}
