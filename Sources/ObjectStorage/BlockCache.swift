public import Hashing

/// The block that was decoded last: its members are put together without inflating it again.
///
/// One instance serves one thread.
final class BlockCache {
  private var decoded: (pack: PackName, block: DecodedBlock)?
  /// The entries of the block that was looked into last.
  private var members: (pack: PackName, offset: UInt64, entries: [PackEntry])?

  func decoded(
    _ block: UInt64, in pack: PackFile, _ decode: () throws(ObjectStoreError) -> DecodedBlock
  ) throws(ObjectStoreError) -> DecodedBlock {
    if let decoded, decoded.pack == pack.name, decoded.block.block.offset == block { return decoded.block }
    let new = try decode()
    decoded = (pack.name, new)
    return new
  }

  /// The object that an offset stands for.
  func object(at offset: UInt64, in pack: PackFile) throws(ObjectStoreError) -> ObjectEntry {
    guard let place = pack.blocks?.block(holding: offset) else { return try pack.object(at: offset) }
    if members?.pack != pack.name || members?.offset != place.offset {
      members = (pack.name, place.offset, try pack.members(of: place.offset, place.memberCount).members)
    }
    guard let members, let object = members.entries[Int(offset - place.offset)].object else {
      throw .damagedPack(pack.name, offset: offset, reason: .inconsistent)
    }
    return object
  }
}

/// Reads ids of objects of one pack, one after the other, without decoding anything else of them.
public struct ObjectIDReader {
  private let pack: PackFile
  private var block: ObjectBlock?

  public init(_ pack: PackFile) {
    self.pack = pack
  }

  /// The id of the object that an offset stands for.
  public mutating func id(at offset: UInt64) throws(ObjectStoreError) -> ObjectID {
    guard let place = pack.blocks?.block(holding: offset) else { return try pack.object(at: offset).id }
    if block?.offset != place.offset {
      do throws(PackFormatError) { block = try pack.decodeObjectBlock(at: place.offset) } catch {
        throw .damagedPack(pack.name, offset: offset, reason: error)
      }
    }
    guard let id = block?.id(Int(offset - place.offset), in: pack.bytes) else {
      throw .damagedPack(pack.name, offset: offset, reason: .inconsistent)
    }
    return id
  }
}
