import ArgumentParsing
import SystemIO
import VersionStore
import Versioning

extension CommandContext {
  /// The document, folder or, as `nil`, repository root that an operand means.
  func target(_ given: [UInt8], in repository: Repository) throws -> DocumentPath? {
    let folder = try FileSystem.resolve(folder)
    do {
      return try repository.documentPath(given, from: folder)
    } catch RepositoryError.outside {
      // A link may lead to the repository: the folder of what is named decides, what is named itself may be a link.
      if let path = FilePath(bytes: given), path.isAbsolute, let parent = try? FileSystem.resolve(path.parent),
        parent != path.parent,
        let target = try? repository.documentPath(parent.appending(path.lastComponent).bytes, from: folder)
      {
        return target
      }
      throw UsageError.invalidOperand("PATH", value: given, expected: "a path in this repository and outside of .dver")
    }
  }

  /// What the operands mean; without one the current folder.
  func targets(_ given: [[UInt8]], in repository: Repository) throws -> [DocumentPath?] {
    try (given.isEmpty ? [[UInt8(ascii: ".")]] : given).map { try target($0, in: repository) }
  }

  /// The document that an operand means.
  func document(_ given: [UInt8], in repository: Repository) throws -> DocumentPath {
    guard let path = try target(given, in: repository) else {
      throw UsageError.invalidOperand("PATH", value: given, expected: "a document: it is the repository's folder")
    }
    return path
  }
}

/// Operands that are paths.
enum PathOperand {
  /// The operands, none empty and none with a zero byte.
  static func list(of arguments: ParsedArguments, name: String = "PATH") throws(UsageError) -> [[UInt8]] {
    for operand in arguments.operands { try check(operand, name: name) }
    return arguments.operands
  }

  static func check(_ operand: [UInt8], name: String) throws(UsageError) {
    if operand.isEmpty || operand.contains(0) {
      throw .invalidOperand(name, value: operand, expected: "a path")
    }
  }

  /// The value of an option that names a file.
  static func value(of option: String, in arguments: ParsedArguments) throws(UsageError) -> [UInt8]? {
    guard let value = arguments.value(option) else { return nil }
    if value.isEmpty || value.contains(0) { throw .invalidValue(option: option, value: value, expected: "a path") }
    return value
  }
}
