// swift-tools-version:6.1
import PackageDescription

/// One list of settings for every Swift target.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library module; its arrows are listed in docs/architecture.md, which a test compares with this file.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of a module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    swiftSettings: settings)
}

let package = Package(
  name: "dver",
  products: [
    .executable(name: "dver", targets: ["dver"]),
    .executable(name: "dver-benchmark", targets: ["dver-benchmark"]),
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CSystem"),

    module("SystemIO", ["CSystem"]),
    module("Hashing", ["CCrypto"]),
    module("Deflate", ["CZlib"]),
    module("Diffing"),
    module("ArgumentParsing"),
    module("ObjectStorage", ["Archives", "Deflate", "Hashing", "SystemIO"]),
    module("Versioning", ["Hashing"]),
    module("Merging", ["Diffing"]),
    module("Archives", ["Deflate"]),
    module("DocumentMerging", ["Archives", "Merging"]),
    module("Catalog", ["CSQLite", "Hashing", "SystemIO", "Versioning"]),
    module(
      "VersionStore",
      ["Catalog", "DocumentMerging", "Hashing", "Merging", "ObjectStorage", "SystemIO", "Versioning"]),
    module("Exchange", ["Hashing", "ObjectStorage", "SystemIO", "Versioning", "VersionStore"]),
    module(
      "DverCommands",
      [
        "ArgumentParsing", "Diffing", "Exchange", "Hashing", "Merging", "SystemIO", "Versioning",
        "VersionStore",
      ]),
    .executableTarget(name: "dver", dependencies: ["DverCommands"], swiftSettings: settings),
    .executableTarget(
      name: "dver-benchmark",
      dependencies: ["Diffing", "Hashing", "Merging", "ObjectStorage", "SystemIO", "Versioning"],
      swiftSettings: settings),

    .target(
      name: "TestSupport",
      dependencies: ["Archives", "Deflate", "Hashing", "SystemIO", "Versioning", "VersionStore", "Exchange"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("SystemIOTests", ["SystemIO"]),
    tests("HashingTests", ["Hashing"]),
    tests("DeflateTests", ["Deflate"]),
    tests("DiffingTests", ["Diffing"]),
    tests("ArgumentParsingTests", ["ArgumentParsing"]),
    tests("ObjectStorageTests", ["Archives", "Deflate", "Hashing", "ObjectStorage", "SystemIO"]),
    tests("VersioningTests", ["Hashing", "Versioning"]),
    tests("MergingTests", ["Diffing", "Merging"]),
    tests("ArchivesTests", ["Archives", "Deflate"]),
    tests("DocumentMergingTests", ["Archives", "DocumentMerging", "Merging", "SystemIO"]),
    tests("CatalogTests", ["Catalog", "Hashing", "SystemIO", "Versioning"]),
    tests(
      "VersionStoreTests",
      ["Catalog", "DocumentMerging", "Hashing", "Merging", "ObjectStorage", "SystemIO", "Versioning", "VersionStore"]),
    tests(
      "ExchangeTests",
      ["Exchange", "Hashing", "ObjectStorage", "SystemIO", "Versioning", "VersionStore"]),
    tests("DverCommandsTests", ["ArgumentParsing", "DverCommands", "Versioning", "VersionStore"]),
    tests("DverTests", ["SystemIO"]),
  ]
)
