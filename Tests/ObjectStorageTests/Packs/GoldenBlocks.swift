/// The golden bytes of docs/format.md for blocks, made by a second implementation.
enum GoldenBlocks {
  static let pack = bytes(
    """
    6476657270616b0002000100000102030405060708090a0b0c0d0e0f000000000ab4ba1101950176d88903e467125bf9c6a386c2
    67d03c00b352a95044b737ea94cb3fb4ce5e2500735468652061726368697665206b656570732065766572792076657273696f6e
    206f662061206c65747465722e0a4e6f7468696e672074686174207761732065766572207361766564206973206c6f73742e0a57
    686174206973207468652073616d652069732073746f726564206f6e63652e0a0a23b36b069001039c010001731214160f0db33e
    4caebffd711537e05178d67f5e236856f184807c4df78430d6bbdb06b53d65f91720b16d876bf88ce92ba82711e547e0c5a5d55f
    f6f76435360a2a610dff240b51920e4bc9e9d4d0cb52a6e074c3759e318f7a48311aae2be879da86e600010263965266669262e0
    d2136064516666e474600000030aeb80e520862a94e4030d4d0500909fdb36066002970101008001080a0b09cc7be7fc840717fe
    a8ed65d4e21dd9ecef62a285c373fc362814eb4d36d70c408785d560feaea86847dbe22f2b92cb67ab480ce592311d1b3fce11c4
    0b2d230c010063e4336767646661010003da92989303361a00336d37b6079e0104bd017922d9652bcd3040890b9d616c89eb1001
    03000263616064646059cfba8e6906632a23a3201a60604dd42ba928616c6fbd9af06fdd8a0cf7db8ff4b5279d4e5fedc1f37492
    a1acb4fd39c123dcbaca3cad8c4b981b96dc99c4cbd0b0e0e7825b69508af1221a606460306464e328484cce4e4c4f2d6664d7d2
    2b0031d0d5a198c2ccd0c0c4c4c2cb5451c1c4c0c0f282fd053b1b6b494666510a00a71d4ea776d88903e467125b24000000c000
    0000025701000001bd01000003bd010000000000006202000000000000010000000000000085bf291be654534064766572656e64
    00
    """)
  static let packName = "87303fafeded7424ac9cc4e812040faf98a0883feff164782c13c4884843e3e3"
  static let columns = bytes(
    """
    040001010004af05ae029801650101111111111111111111111111111111110005612e747874018785d560feaea86847dbe22f2b
    92cb67ab480ce592311d1b3fce11c40b2d230c8501a40380a4dc920d0080a0f9a0da660080a0f9a0da6601d1d1d1d1d1d1d1d1d1
    d1d1d1d1d1d1d1010000310106087061636b6167657301072a2e7061676573d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d180a0f9a0da
    660080a0f9a0da660300800202040d02787802000004e807e80706057468697264
    """)
  /// The newest text, then each made from the one before it.
  static let texts: [[UInt8]] = [
    "The archive keeps every version of a letter.\nNothing that was ever saved is lost.\nWhat is the same is stored once.\n",
    "The archive keeps every version of the letter.\nNothing that was ever saved is lost.\nWhat is the same is stored once.\n",
    "The archive keeps every version of the letter.\nNothing that was saved is lost.\nWhat is the same is stored once.\n",
    "The archive keeps every version of the letter.\nNothing that was saved is lost.\nWhat is the same is stored once, the letter too.\n",
    "The archive keeps every version of the letter.\nNothing at all that was saved is lost.\nWhat is the same is stored once, the letter too.\n",
    "The store keeps every version of the letter.\nNothing at all that was saved is lost.\nWhat is the same is stored once, the letter too.\n",
  ].map { Array($0.utf8) }
}
