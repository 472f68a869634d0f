import Foundation
import TestSupport
import Testing

/// `SECURITY.md`: the permissions, each row with the tests that check it.
@Suite struct SecurityPageTests {
    /// `Suite`, or `Suite: test`.
    private struct Mention {
        let suite: String
        let test: String?
    }

    private static func page() throws -> String {
        try String(contentsOfFile: Repository.path + "/SECURITY.md", encoding: .utf8)
    }

    /// The sources of each suite, by its name; suites of several targets may have the same name.
    private static func suites() throws -> [String: String] {
        let folder = Repository.path + "/Tests"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var suites: [String: String] = [:]
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for match in text.matches(of: /struct (\w+Tests)\b/) { suites[String(match.output.1), default: ""] += text }
        }
        return suites
    }

    private static func mentions(in text: some StringProtocol) -> [Mention] {
        String(text).matches(of: /`(\w+Tests)(?:: ([^`]+))?`/).map {
            Mention(suite: String($0.output.1), test: $0.output.2.map { String($0) })
        }
    }

    /// The cells of the table of permissions.
    private static func rows() throws -> [[String]] {
        let lines = try page().components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
        return lines.dropFirst(2).map { line in
            line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `Each row is whole, and names who it is about`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 15 && rows.allSatisfy { $0.count == 4 })
        let actors = rows.map { $0[0] }.filter { !$0.isEmpty }
        for actor in [
            "a stranger", "public token", "client's token", "an owner of another app", "an owner", "a pipeline",
            "an administrator", "a developer's browser",
        ] {
            #expect(actors.contains { $0.contains(actor) }, "\(actor)")
        }
        for row in rows {
            #expect(!Self.mentions(in: row[3]).isEmpty, "\(row[1])")
        }
    }

    @Test func `Each test that is named exists`() throws {
        let suites = try Self.suites()
        let mentions = Self.mentions(in: try Self.page())
        #expect(mentions.count > 30)
        for mention in mentions {
            let source = try #require(suites[mention.suite], "\(mention.suite)")
            guard let test = mention.test else { continue }
            let isThere = source.contains("func `\(test)`(") || source.contains("func \(test)(")
            #expect(isThere, "\(mention.suite): \(test)")
        }
    }
}
