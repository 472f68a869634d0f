import Foundation
import TestSupport
import Testing

/// The first example of docs/swift.md is the code of the example app, which Scripts/swift-example runs.
@Suite struct DocumentTests {
    @Test func `The first example of the document is the code of the example app`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/swift.md"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appending(path: "Examples/trails/Sources/trails/First.swift"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n")
        let example = try #require(blocks.dropFirst().first?.components(separatedBy: "\n```").first)
        let code = example.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
        #expect((1...10).contains(code.count))
        #expect(source.contains("{\n" + code.joined(separator: "\n") + "\n}\n"))
    }
}
