import Foundation
import Testing

@testable import Surveys

@Suite struct FlowSentenceTests {
    /// Translators use that page.
    @Test func thePageListsEverySentence() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/reference/flows.md"), encoding: .utf8)
        let rest = try #require(page.components(separatedBy: "## Sentences\n").last)
        let section = rest.components(separatedBy: "\n## ")[0]
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == FlowSentence.allCases.map { "| `\($0.rawValue)` | \($0.english) |" })
    }
}
