import Testing

@Suite("The architecture") struct ArchitectureTests {
  /// Modules of the toolchain that any module may import.
  private static let toolchain: Set<String> = ["Swift", "Glibc", "Darwin", "Synchronization", "Dispatch"]
  /// Has arrows for measures of single modules, of which not every one needs to be there.
  private static let mayHaveSpareArrows: Set<String> = ["dver-benchmark"]

  private let tree: SourceTree
  private let arrows: Arrows
  private let imports: [String: Set<String>]

  init() throws {
    tree = try SourceTree.shared.get()
    arrows = Arrows(page: tree.architecture)
    imports = tree.files.reduce(into: [:]) { imports, file in
      imports[file.module, default: []].formUnion(file.imports)
    }
  }

  @Test("has the same arrows in docs/architecture.md and in Package.swift")
  func pageEqualsPackage() {
    let package = Arrows(package: tree.package)
    #expect(arrows.targets.keys.sorted() == package.targets.keys.sorted())
    for (module, targets) in package.targets {
      #expect(arrows.targets[module]?.sorted() == targets.sorted(), "arrows of \(module)")
    }
  }

  @Test("has no cycle")
  func hasNoCycle() {
    #expect(arrows.cycles.isEmpty)
  }

  @Test("has an arrow for every module of Sources")
  func everyModuleIsListed() {
    #expect(Set(tree.files.map(\.module)) == Set(arrows.targets.keys))
  }

  @Test("imports nothing without an arrow")
  func importsFollowArrows() {
    for (module, imported) in imports {
      let allowed = (arrows.targets[module] ?? []).union(Self.toolchain)
      #expect(imported.subtracting(allowed).isEmpty, "imports of \(module)")
    }
  }

  @Test("has no arrow that is not imported")
  func arrowsAreImported() {
    let unwritten = Set(arrows.targets.keys).filter { module in
      tree.files.filter { $0.module == module }.allSatisfy { $0.name == "Placeholder.swift" || $0.name == "Main.swift" }
    }
    for (module, targets) in arrows.targets
    where !Self.mayHaveSpareArrows.contains(module) && !unwritten.contains(module) {
      #expect(targets.subtracting(imports[module] ?? []).isEmpty, "arrows of \(module)")
    }
  }

  @Test("imports each C module in one module only")
  func cModulesHaveOneOwner() {
    #expect(!tree.cModules.isEmpty)
    for name in tree.cModules {
      #expect(imports.filter { $0.value.contains(name) }.count <= 1, "importers of \(name)")
      #expect(arrows.targets.filter { $0.value.contains(name) }.count == 1, "arrows to \(name)")
    }
  }

  @Test("imports no Foundation")
  func importsNoFoundation() {
    for (module, imported) in imports {
      #expect(!imported.contains { $0.hasPrefix("Foundation") }, "imports of \(module)")
    }
  }

  @Test("has no file past 400 lines that does not say why it is one piece")
  func filesAreShort() {
    for file in tree.files where file.lines.count > 400 {
      #expect(file.lines.prefix(10).contains { $0.hasPrefix("// One piece:") }, "\(file.path)")
    }
  }

  @Test("has no try!, fatalError or as! in its sources")
  func sourcesDoNotTrap() {
    let forbidden = /\btry!|\bfatalError\(|\bas!/
    for file in tree.files {
      for (index, line) in file.lines.enumerated() where code(line).contains(forbidden) {
        Issue.record("\(file.path):\(index + 1): \(line)")
      }
    }
  }
}

@Suite("The check of the architecture") struct ArchitectureCheckTests {
  @Test("reads arrows from a page")
  func readsPage() {
    let page = """
      # Arrows
      A sentence with an → arrow is none.

          Low, Other  →  (none)
          Middle      →  CThing (a shim, for calls), Low
      """
    #expect(Arrows(page: page) == Arrows(["Low": [], "Other": [], "Middle": ["CThing", "Low"]]))
  }

  @Test("reads arrows from a package description")
  func readsPackage() {
    let package = """
      func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
          .systemLibrary(name: "CThing"), .target(name: "Shim"),
          module("Low"),
          module(
            "Middle",
            ["CThing",
             "Low"]),
          .executableTarget(name: "a-program", dependencies: ["Middle"], swiftSettings: settings),
          tests("MiddleTests", ["Middle"]),
      """
    #expect(Arrows(package: package) == Arrows(["Low": [], "Middle": ["CThing", "Low"], "a-program": ["Middle"]]))
  }

  @Test("finds cycles")
  func findsCycles() {
    #expect(Arrows(["A": ["B"], "B": ["C"], "C": []]).cycles.isEmpty)
    #expect(Arrows(["A": ["B"], "B": ["A"], "C": []]).cycles == ["A", "B"])
  }

  @Test(
    "reads imports",
    arguments: [
      ("import Hashing", "Hashing"), ("public import SystemIO", "SystemIO"), ("  import Glibc", "Glibc"),
      ("@preconcurrency internal import struct Thing.Part", "Thing"), ("@_spi(Test) import Low", "Low"),
      ("// import Nothing", nil), ("let import_ = 1", nil), ("important Thing", nil), ("", nil),
    ] as [(Substring, String?)])
  func readsImports(line: Substring, module: String?) {
    #expect(importedModule(line) == module)
  }

  @Test("takes comments for no code")
  func skipsComments() {
    #expect(code("let a = 1  // try! this") == "let a = 1  ")
    #expect(code("/// as! in a comment").isEmpty)
    #expect(code("let a = b as! C") == "let a = b as! C")
  }
}
