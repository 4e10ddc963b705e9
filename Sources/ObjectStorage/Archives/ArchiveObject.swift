import Archives
import Deflate
import Hashing

/// A zip archive as the contents that it is put together from.
///
/// Source: docs/format.md, "Archive".
struct ArchiveObject: Equatable {
  /// Where the data of a member comes from.
  enum Source: Equatable {
    /// It stands in the skeleton.
    case skeleton
    /// A content is the data.
    case stored(ObjectID, byteCount: Int)
    /// The data is a content compressed by a recipe.
    case deflated(ObjectID, byteCount: Int, DeflateRecipe)
  }

  struct Item: Equatable {
    var member: ZipSkeleton.Member
    var source: Source
    /// Checksum and inflated length where they aren't those of the content.
    var numbers: Numbers?
  }

  struct Numbers: Equatable {
    var checksum: UInt32
    var inflatedByteCount: UInt64
  }

  static let format: UInt8 = 1
  /// The longest archive that is stored so, and the longest content that is compressed by a recipe.
  static let byteCountLimit = 64 << 20
  /// All contents that are compressed by recipes are together at most so many times the archive's length, and 4 GiB.
  static let greatestRatio: UInt64 = 200
  static let inflatedByteCountLimit: UInt64 = 1 << 32

  var byteCount: Int
  var skeleton: ObjectID
  var skeletonByteCount: Int
  var directoryGap: Int?
  var items: [Item]

  /// The contents that it is put together from, except for the skeleton.
  var contents: [ObjectID] { items.compactMap { $0.content?.id } }
}

extension ArchiveObject.Item {
  var content: (id: ObjectID, byteCount: Int)? {
    switch source {
    case .skeleton: nil
    case .stored(let id, let byteCount), .deflated(let id, let byteCount, _): (id, byteCount)
    }
  }
}
