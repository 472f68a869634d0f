import Foundation
import Testing

@testable import Surveys

/// The renderer draws exactly the types of question, field and block that the daemon supports (docs/web.md).
@Suite struct RendererTypeTests {
    private static let renderer =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/Web/widget/"

    /// The keys of an object, or the members of a set, that a module of the renderer declares with this line.
    private static func names(_ declaration: String, in file: String) throws -> Set<String> {
        let lines = try String(contentsOfFile: renderer + file, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix(declaration) }, "\(file) has no \"\(declaration)\"")
        let body = lines[(start + 1)...].prefix { !$0.hasPrefix("}") && !$0.hasPrefix("]") }
        let names = body.compactMap { $0.firstMatch(of: /^  "?([a-z_]+)"?(?:[:,(]|$)/)?.1 }
        return Set(names.map(String.init))
    }

    private static func types(_ files: String..., declaration: String = "export const types = {") throws -> Set<String>
    {
        try files.reduce(into: []) { $0.formUnion(try names(declaration, in: $1)) }
    }

    @Test func `The renderer asks questions of each type`() throws {
        #expect(
            try Self.types("render/questions.js", declaration: "const types = {")
                == Set(QuestionFormat.all.flatMap { $0.types.map(\.name) }))
    }

    @Test func `The renderer has a control for each type of field`() throws {
        #expect(try Self.types("parts/fields.js", "parts/pickers.js").isSuperset(of: FlowField.types.keys))
    }

    @Test func `The renderer draws each type of block, or asks it as a field`() throws {
        let drawn = try Self.types("parts/blocks.js", "parts/figures.js")
        let asked = try Self.names("export const answers = new Set([", in: "parts/blocks.js")
        #expect(drawn.union(asked) == Set(BlockKeys.types.keys))
    }
}
