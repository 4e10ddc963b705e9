import TestSupport
import Testing

@testable import Merging

@Suite("Three-way merge of JSON by structure") struct JSONMergeTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let base: String
    let ours: String
    let theirs: String
    /// `nil` for a conflict.
    let expected: String?

    init(_ testDescription: String, _ base: String, _ ours: String, _ theirs: String, _ expected: String?) {
      self.testDescription = testDescription
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.expected = expected
    }
  }

  static let objects = [
    Row("two members", #"{"a":1,"b":1}"#, #"{"a":2,"b":1}"#, #"{"a":1,"b":2}"#, #"{"a":2,"b":2}"#),
    Row("one member", #"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#, nil),
    Row("the same edit", #"{"a":1,"b":1}"#, #"{"a":2,"b":2}"#, #"{"a":2,"b":1}"#, #"{"a":2,"b":2}"#),
    Row("spelling is content", #"{"a":1.0,"b":1}"#, #"{"a":1,"b":1}"#, #"{"a":1.0,"b":1e0}"#, #"{"a":1,"b":1e0}"#),
    Row("members inside", #"{"x":{"a":1,"b":1}}"#, #"{"x":{"a":2,"b":1}}"#, #"{"x":{"a":1}}"#, #"{"x":{"a":2}}"#),
    Row("deleted and edited", #"{"a":1,"b":1}"#, #"{"b":1}"#, #"{"a":2,"b":1}"#, nil),
    Row("deleted and reformatted", #"{"a":[1],"b":1}"#, #"{"b":1}"#, #"{"a":[ 1 ],"b":1}"#, #"{"b":1}"#),
    Row("deleted here and there", #"{"a":1,"b":1}"#, #"{"a":1}"#, #"{"b":1}"#, "{}"),
    Row("deleted the first of a line", #"{"a": 1, "b": 1}"#, #"{"b": 1}"#, #"{"a": 1, "b": 2}"#, #"{"b": 2}"#),
    Row("new members behind", #"{"a":1}"#, #"{"a":1,"c":1}"#, #"{"a":1,"b":1}"#, #"{"a":1,"b":1,"c":1}"#),
    Row(
      "new members before", #"{ "m": 1 }"#, #"{ "b": 1, "m": 1 }"#, #"{ "a": 1, "m": 1 }"#,
      #"{ "a": 1, "b": 1, "m": 1 }"#),
    Row(
      "sorted members", #"{"m":1}"#, #"{"m":1,"n":1,"q":1}"#, #"{"m":1,"o":1,"r":1}"#,
      #"{"m":1,"n":1,"o":1,"q":1,"r":1}"#),
    Row(
      "members in no order", #"{"m":1}"#, #"{"m":1,"z":1,"q":1}"#, #"{"m":1,"o":1,"r":1}"#,
      #"{"m":1,"o":1,"r":1,"z":1,"q":1}"#),
    Row("one name, two values", #"{"m":1}"#, #"{"m":1,"a":1}"#, #"{"a":2,"m":1}"#, nil),
    Row("one name, one value", #"{"m":1}"#, #"{"m":1,"a":[1]}"#, #"{"m":1,"a":[1],"b":1}"#, #"{"m":1,"a":[1],"b":1}"#),
    Row("one name, spelled in two ways", #"{"m":1}"#, #"{"m":1,"é":1}"#, #"{"m":1,"\u00e9":1}"#, nil),
    Row("new order here, an edit there", #"{"a":1,"b":1}"#, #"{"b":1,"a":1}"#, #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#),
    Row(
      "new order here, a member there", #"{"a":1,"b":1}"#, #"{"b":1,"a":1}"#, #"{"a":1,"c":1,"b":1}"#,
      #"{"b":1,"a":1,"c":1}"#),
    Row("two new orders", #"{"a":1,"b":1,"c":1}"#, #"{"b":1,"a":1,"c":1}"#, #"{"a":1,"c":1,"b":1}"#, nil),
    Row("another kind", #"{"a":1,"b":1}"#, #"{"a":[1],"b":1}"#, #"{"a":1,"b":{}}"#, #"{"a":[1],"b":{}}"#),
    Row("emptied here, a member there", #"{"a":1}"#, "{}", #"{"a":1, "b":1}"#, #"{"b":1}"#),
    Row(
      "white space here, an edit there", #"{"a":1,"b":1}"#, "{\n  \"a\": 1,\n  \"b\": 1\n}\n", #"{"a":1,"b":2}"#,
      "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
    Row("white space in two ways", #"{"a":1}"#, #"{ "a":1}"#, "{\n\"a\":1}", nil),
    Row(
      "a mark at the beginning", "\u{FEFF}{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":1}", "\u{FEFF}{\"a\":1,\"b\":2}",
      "{\"a\":2,\"b\":2}"),
    Row(
      "a comma before its line", "{ \"a\": 1\n, \"b\": 2 }", "{ \"a\": 3\n, \"b\": 2 }",
      "{ \"a\": 1\n, \"b\": 2\n, \"c\": 4 }", "{ \"a\": 3\n, \"b\": 2\n, \"c\": 4 }"),
    Row(
      "put into two objects", #"{"a":1,"x":{},"y":{}}"#, #"{"x":{"a":1},"y":{}}"#, #"{"x":{},"y":{"a":1}}"#, nil),
    Row("put into an object here, deleted there", #"{"a":1,"x":{}}"#, #"{"x":{"a":1}}"#, #"{"x":{}}"#, nil),
    Row(
      "one text put in at two places", #"{"x":{},"y":{}}"#, #"{"x":{"a":1},"y":{}}"#, #"{"x":{},"y":{"a":1}}"#,
      #"{"x":{"a":1},"y":{"a":1}}"#),
    Row("no JSON", "{a:1}", "{a:2}", "{a:1,}", nil),
    Row("a name twice", #"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"b":1}"#, nil),
    Row("scalars", "1", "2", "3", nil),
  ]

  static let arrays = [
    Row("far apart", #"["a","b","c"]"#, #"["x","b","c"]"#, #"["a","b","y"]"#, #"["x","b","y"]"#),
    Row("side by side", #"["a","b"]"#, #"["x","b"]"#, #"["a","y"]"#, nil),
    Row("in and out", #"["a","b","c"]"#, #"["n","a","b","c"]"#, #"["a","b"]"#, #"["n","a","b"]"#),
    Row("two at one place", #"["a"]"#, #"["a","b"]"#, #"["a","c"]"#, nil),
    Row("the same at one place", #"["a","m"]"#, #"["a","b","m"]"#, #"["a","b","m","c"]"#, #"["a","b","m","c"]"#),
    Row("numbers belong together", "[1,2,3]", "[9,2,3]", "[1,2,8]", nil),
    Row(
      "one element edited in different members", #"[{"a":1,"b":1,"c":1}]"#, #"[{"a":2,"b":1,"c":1}]"#,
      #"[{"a":1,"b":1,"c":2}]"#, #"[{"a":2,"b":1,"c":2}]"#),
    Row("one element edited in one member", #"[{"a":1,"b":1}]"#, #"[{"a":2,"b":1}]"#, #"[{"a":3,"b":1}]"#, nil),
    Row(
      "neighbouring elements edited", #"[{"a":1,"b":1},{"a":5,"b":1}]"#, #"[{"a":2,"b":1},{"a":5,"b":1}]"#,
      #"[{"a":1,"b":1},{"a":6,"b":1}]"#, #"[{"a":2,"b":1},{"a":6,"b":1}]"#),
    Row(
      "an element replaced and edited", #"[{"a":1,"b":1,"c":1}]"#, #"[{"a":2,"b":2,"d":1}]"#, #"[{"a":1,"b":1,"c":2}]"#,
      nil),
    Row(
      "an element of which less than half stayed", #"[{"a":1,"b":1,"c":1}]"#, #"[{"a":2,"b":2,"c":1}]"#,
      #"[{"a":1,"b":1,"c":1,"d":1}]"#, nil),
    Row(
      "moved here, edited there", #"[{"a":1,"b":1},"m","n"]"#, #"["m","n",{"a":1,"b":1}]"#, #"[{"a":2,"b":1},"m","n"]"#,
      nil),
    Row(
      "lines", "[\n  \"a\",\n  \"b\"\n]\n", "[\n  \"0\",\n  \"a\",\n  \"b\"\n]\n",
      "[\n  \"a\",\n  \"b\",\n  \"c\"\n]\n", "[\n  \"0\",\n  \"a\",\n  \"b\",\n  \"c\"\n]\n"),
    Row(
      "arrays in arrays", "[[\"a\",\"b\",\"c\"]]", "[[\"x\",\"b\",\"c\"]]", "[[\"a\",\"b\",\"y\"]]",
      "[[\"x\",\"b\",\"y\"]]"),
  ]

  private static func merge(_ base: String, _ ours: String, _ theirs: String) -> String? {
    JSONMerge.merge(base: bytes(base), ours: bytes(ours), theirs: bytes(theirs)).map { text($0) }
  }

  @Test("follows the rules for objects, from either side", arguments: objects)
  func mergesObjects(_ row: Row) {
    #expect(Self.merge(row.base, row.ours, row.theirs) == row.expected)
    #expect(Self.merge(row.base, row.theirs, row.ours) == row.expected)
  }

  @Test("follows the rules for arrays, from either side", arguments: arrays)
  func mergesArrays(_ row: Row) {
    #expect(Self.merge(row.base, row.ours, row.theirs) == row.expected)
    #expect(Self.merge(row.base, row.theirs, row.ours) == row.expected)
  }

  // MARK: Properties

  @Test("gives the other side where one is unchanged, and swapped sides the same", arguments: 0..<400 as Range<UInt64>)
  func algebra(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let value = JSONSample.value(depth: 3, using: &generator)
    let base = value.text(using: &generator)
    let ours = value.edited(using: &generator).text(using: &generator)
    let theirs = value.edited(using: &generator).text(using: &generator)
    #expect(Self.merge(base, ours, base) == ours)
    #expect(Self.merge(base, base, theirs) == theirs)
    #expect(Self.merge(base, ours, ours) == ours)
    #expect(Self.merge(base, ours, theirs) == Self.merge(base, theirs, ours))
  }

  @Test("keeps what either side put in and drops only what one took out", arguments: 0..<600 as Range<UInt64>)
  func keeps(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = JSONSample.value(depth: 3, using: &generator)
    let base = value.text(spaces: 0)
    let ours = value.edited(using: &generator).text(spaces: 1)
    let theirs = value.edited(using: &generator).text(spaces: 0)
    guard let merged = Self.merge(base, ours, theirs) else { return }
    let leaves = try [base, ours, theirs, merged].map { Set(try JSONValue(parsing: bytes($0)).leaves()) }
    #expect(leaves[3].isSuperset(of: leaves[1].subtracting(leaves[0])))
    #expect(leaves[3].isSuperset(of: leaves[2].subtracting(leaves[0])))
    #expect(leaves[3].isSuperset(of: leaves[0].intersection(leaves[1]).intersection(leaves[2])))
    #expect(leaves[3].isSubset(of: leaves[0].union(leaves[1]).union(leaves[2])))
    #expect(leaves[3].isDisjoint(with: leaves[0].subtracting(leaves[1]).subtracting(leaves[2])))
  }

  @Test("is clean now and then")
  func samplesAreUseful() {
    let clean = (0..<200 as Range<UInt64>).count { seed in
      var generator = SeededGenerator(seed: seed)
      let value = JSONSample.value(depth: 3, using: &generator)
      let ours = value.edited(using: &generator).text(spaces: 0)
      let theirs = value.edited(using: &generator).text(spaces: 0)
      let base = value.text(spaces: 0)
      return base != ours && base != theirs && ours != theirs && Self.merge(base, ours, theirs) != nil
    }
    #expect((20...180).contains(clean), "\(clean)")
  }

  @Test("is quick and bounded on a megabyte")
  func largeInputs() {
    let nested = { (leaf: String) in
      String(repeating: "[\"a\",", count: 150) + leaf + String(repeating: ",\"z\"]", count: 150)
    }
    #expect(Self.merge(nested("1"), nested("2"), nested("1") + "\n") == nested("2") + "\n")
    let list = { (first: String, last: String) in
      "[" + ([first] + (0..<100_000).map { "\"\($0)\"" } + [last]).joined(separator: ", ") + "]"
    }
    #expect(Self.merge(list("0", "0"), list("1", "0"), list("0", "1")) == list("1", "1"))
    let members = { (first: String, last: String) in
      "{" + (["\"x\":\(first)"] + (0..<60_000).map { "\"\($0)\":0" } + ["\"y\":\(last)"]).joined(separator: ",") + "}"
    }
    #expect(Self.merge(members("0", "0"), members("1", "0"), members("0", "1")) == members("1", "1"))
  }
}
