import Hashing
import Testing

@testable import Versioning

@Suite("Columns of records") struct RecordColumnsTests {
  /// The block of docs/format.md, "Golden bytes", made by a second implementation.
  private static let columns = bytes(
    """
    040001010004af05ae029801650101111111111111111111111111111111110005612e747874018785d560feaea86847dbe22f2b\
    92cb67ab480ce592311d1b3fce11c40b2d230c8501a40380a4dc920d0080a0f9a0da660080a0f9a0da6601d1d1d1d1d1d1d1d1d1\
    d1d1d1d1d1d1d1010000310106087061636b6167657301072a2e7061676573d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da\
    660080a0f9a0da660300800202040d02787802000004e807e80706057468697264
    """)
  private static let ids = [
    "7922d965cb8b8c5f92f50d1316e8b88b5e922da9ae457c4895bc1822a2284b72",
    "2bcd30405baca1aa1d66baf84e2a12e5ba10eb1de6e044f24e9010ab9fdef1f8",
    "890b9d6181348a44dcbe41495dc8859777a0cca488cd0993653c0de6e4bea9c3",
    "6c89eb10c24b6f8ca3295b69609c265347c285ea1be8cd6ccb52f9b212b2e3b2",
  ]
  /// Where the pack has the contents of the versions.
  private static let contents: [UInt64: String] = [
    344: "8785d560feaea86847dbe22f2b92cb67ab480ce592311d1b3fce11c40b2d230c",
    343: "cc7be7fc840717fea8ed65d4e21dd9ecef62a285c373fc362814eb4d36d70c40",
    192: "0db33e4caebffd711537e05178d67f5e236856f184807c4df78430d6bbdb06b5",
  ]

  @Test("The golden block has its records, and they are written the same way again") func golden() throws {
    let records = try RecordColumns.decode(Self.columns, count: 4) { offset in
      Self.contents[offset].flatMap { ObjectID(hexadecimal: Array($0.utf8)) }
    }
    #expect(records.map(\.id.hexadecimal) == Self.ids)
    #expect(records[2].version?.record.message == Array("third".utf8))
    let again = RecordColumns.encode(records) { id in
      Self.contents.first { $0.value == id.hexadecimal }?.key
    }
    #expect(again == Self.columns)
  }

  @Test("Columns that are cut, or have a bit flipped, give an error or other records, never these") func damage() {
    let known: (UInt64) -> ObjectID? = { offset in
      Self.contents[offset].flatMap { ObjectID(hexadecimal: Array($0.utf8)) }
    }
    for count in 0..<Self.columns.count {
      #expect((try? RecordColumns.decode(Array(Self.columns[..<count]), count: 4, content: known)) == nil)
    }
    for bit in 0..<Self.columns.count * 8 {
      var bytes = Self.columns
      bytes[bit / 8] ^= 1 << (bit % 8)
      let records = try? RecordColumns.decode(bytes, count: 4, content: known)
      #expect(records?.map(\.id.hexadecimal) != Self.ids, "bit \(bit)")
    }
  }
}
