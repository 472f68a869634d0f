import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Foundation
import JEXL
import Testing

/// `docs/findings.md` lists exactly the codes of findings in documents.
@Suite struct FindingCodesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The folders whose code reads and checks documents.
    private static let folders = [
        "BellwetherJSON", "BellwetherBase", "Surveys", "BellwetherAuthoring", "BellwetherCore/Manifest",
        "BellwetherCore/Messages",
        "BellwetherCore/Features", "BellwetherCore/Goals",
        "BellwetherCore/Pacing",
        "BellwetherCore/Recipes",
        "BellwetherCore/Experiments",
        "BellwetherService/Publishing", "bellwether/Files",
    ]

    private static func sources() throws -> [String] {
        try folders.flatMap { folder -> [String] in
            let place = root.appending(path: "Sources/\(folder)").path
            return try FileManager.default.subpathsOfDirectory(atPath: place).filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOfFile: "\(place)/\($0)", encoding: .utf8) }
        }
    }

    /// The literals in the position of a code: `warn("code"`, `code: "code"`, and the cases of a property `code`.
    private static func codes(in source: String) -> [String] {
        var codes = source.matches(of: /(?:(?:finding|fault|warn|report|unknown)\(\s*|code: )"([a-z_]+)"/).map {
            String($0.1)
        }
        for property in source.matches(of: /var code: String \{((?s).*?)\n    \}/) {
            codes += property.1.matches(of: /: "([a-z_]+)"/).map { String($0.1) }
        }
        return codes
    }

    @Test func theListIsThatOfTheSources() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/findings.md"), encoding: .utf8)
        let listed = page.split(separator: "\n").compactMap { $0.prefixMatch(of: /\| `([A-Za-z_0-9]+)` \|/) }
            .map { String($0.1) }
        let own = try Self.sources().flatMap(Self.codes)
        // These codes derive from the kinds of two error types; for expressions, only the kinds of parse errors occur.
        let made = JSONError.Kind.allCases.map { "json_\($0.rawValue)" } + ["jexl_parse", "jexl_limit"]
        #expect(Set(listed).count == listed.count)
        #expect(Set(listed).symmetricDifference(own + made) == [])
        #expect(own.count > 40)
    }
}
