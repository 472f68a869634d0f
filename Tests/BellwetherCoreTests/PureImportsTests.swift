import Foundation
import Testing

/// The pure targets and HTTPWire import nothing that does I/O, reads a clock or locks
/// (ARCHITECTURE.md#targets-and-their-dependencies). The files that this test lists may import the C library for
/// mathematics.
@Suite struct PureImportsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// The modules that each target may import, and its files that use functions such as `pow`.
    private static let rules: [String: (modules: Set<String>, mathematics: Set<String>)] = [
        "BellwetherJSON": ([], []), "JEXL": (["BellwetherJSON"], ["Operator+Result.swift"]),
        "BellwetherBase": (["BellwetherJSON", "CCrypto", "CryptoKit"], []),
        "BellwetherCore": (["BellwetherBase", "BellwetherJSON", "JEXL"], []),
        "Surveys": (["BellwetherBase", "BellwetherJSON"], []),
        "BellwetherAuthoring": (
            ["BellwetherBase", "BellwetherCore", "BellwetherJSON", "JEXL", "Surveys"],
            ["SpecialFunctions.swift"]
        ),
        "HTTPWire": (["BellwetherJSON"], []), "Parquet": ([], []),
    ]
    /// The files of the client library that import modules of a system.
    private static let edges: [String: Set<String>] = [
        "FileStorage.swift": ["Foundation"], "URLSessionTransport.swift": ["Foundation", "FoundationNetworking"],
        "BackgroundFlush.swift": ["UIKit"],
    ]
    /// The commands of the library compile beside the service, and reach the daemon by HTTP alone.
    private static let commands: Set = [
        "ArgumentParser", "BellwetherAuthoring", "BellwetherBase", "BellwetherCore", "BellwetherJSON",
        "BellwetherSettings", "CCurl", "CEmbedded", "Curl", "Dispatch", "FoundationEssentials", "Glibc", "Surveys",
        "Synchronization",
    ]
    private static let cLibraries: Set = ["Glibc", "Musl", "Darwin"]

    @Test(arguments: rules.keys.sorted())
    func importsOnlyWhatIsPure(_ target: String) throws {
        let rule = try #require(Self.rules[target])
        let files = try Self.files(of: target)
        #expect(files.count >= 2, "the sources are where they are looked for")
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let allowed =
                rule.mathematics.contains(file.lastPathComponent) ? rule.modules.union(Self.cLibraries) : rule.modules
            for module in Self.imports(in: text) {
                #expect(allowed.contains(module), "\(target)/\(file.lastPathComponent)")
            }
        }
    }

    @Test func `Only the edges of the client library import a system's module`() throws {
        let pure: Set = ["BellwetherBase", "BellwetherCore", "BellwetherJSON", "Surveys"]
        let files = try Self.files(of: "BellwetherClient")
        #expect(Self.edges.keys.allSatisfy { edge in files.contains { $0.lastPathComponent == edge } })
        for file in files {
            let imported = Set(Self.imports(in: try String(contentsOf: file, encoding: .utf8)))
            let allowed = pure.union(Self.edges[file.lastPathComponent] ?? [])
            #expect(imported.isSubset(of: allowed), "\(file.lastPathComponent)")
        }
    }

    @Test func `The library of commands imports neither the service nor an edge`() throws {
        let files = try Self.files(of: "BellwetherCommands")
        #expect(files.count > 40)
        for file in files {
            let imported = Set(Self.imports(in: try String(contentsOf: file, encoding: .utf8)))
            #expect(imported.isSubset(of: Self.commands), "\(file.lastPathComponent)")
        }
    }

    /// Foundation's tables of ICU would be 34 MB of the program
    /// (docs/decisions/0134-the-program-does-without-foundations-icu.md).
    @Test func `The program does not import Foundation as a whole`() throws {
        let libraries: Set = ["Benchmarks", "BellwetherClient", "BellwetherUI"]
        let targets = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).filter {
            !libraries.contains($0)
        }
        let files = try targets.flatMap(Self.files)
        #expect(files.contains { $0.path.contains("/bellwether/") } && files.count > 900)
        for file in files {
            let imported = Self.imports(in: try String(contentsOf: file, encoding: .utf8))
            #expect(!imported.contains("Foundation"), "\(file.path)")
        }
    }

    @Test(arguments: [
        ("import Foundation", ["Foundation"]), ("public import JEXL", ["JEXL"]), ("  @testable import A.B", ["A"]),
        ("internal import struct Foundation.Data", ["Foundation"]),
        ("@_exported public import func Glibc.pow", ["Glibc"]),
        ("// import Foundation", []), ("let important = 1\nimport X // why\n#if a\n  import Y\n#endif", ["X", "Y"]),
        ("import A; import B", ["A", "B"]), ("/// Nothing to import here", []), ("import_(x)", []),
    ])
    func importsAreFound(_ text: String, _ expected: [String]) { #expect(Self.imports(in: text) == expected) }

    private static func files(of target: String) throws -> [URL] {
        let enumerator = FileManager.default.enumerator(
            at: root.appending(path: target), includingPropertiesForKeys: nil)
        return (enumerator?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
    }

    private static func imports(in text: String) -> [String] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return text.split(whereSeparator: { $0.isNewline || $0 == ";" }).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            let declaration = words.drop {
                $0.hasPrefix("@") || ["public", "internal", "package", "private", "fileprivate"].contains($0)
            }
            guard declaration.first == "import" else { return nil }
            let path = declaration.dropFirst().first { !kinds.contains(String($0)) }
            return path.flatMap { $0.split(separator: ".").first }.map(String.init)
        }
    }
}
