import Foundation
import TestSupport
import Testing

/// The files and headings that comments and pages cite are in the repository (CONTRIBUTING.md#style).
@Suite struct CitationTests {
    private static let citations = Citations(root: Repository.path)

    /// The text files below some folders, with their paths from the root.
    private static func files(_ roots: [String], _ types: Set<String>) throws -> [(path: String, text: String)] {
        try roots.flatMap { root -> [(path: String, text: String)] in
            let start = Repository.path + "/" + root
            var isFolder: ObjCBool = false
            try #require(FileManager.default.fileExists(atPath: start, isDirectory: &isFolder), "\(root)")
            let below = isFolder.boolValue ? FileManager.default.enumerator(atPath: start) : nil
            let paths = below?.compactMap { $0 as? String }.map { root + "/" + $0 } ?? [root]
            return paths.compactMap { path in
                guard types.contains(URL(filePath: path).pathExtension) else { return nil }
                guard let text = try? String(contentsOfFile: Repository.path + "/" + path, encoding: .utf8) else {
                    return nil
                }
                return (path, text)
            }
        }
    }

    @Test func `Every citation in a comment leads to a page and a heading`() throws {
        let files = try Self.files(
            [
                "Sources", "Tests", "Fuzz", "Bench", "Scripts", "Conformance", "Clients", "Examples", "Web/client",
                "Web/console", "Web/shared", "Web/tests", "Web/widget", ".ci", "Package.swift", "Makefile",
            ],
            ["swift", "c", "h", "py", "js", "mjs", "ts", "lua", "sh", ""])
        #expect(files.count > 400)
        let faults = files.flatMap { file in
            Self.citations.faults(inSource: file.text).map { "\(file.path):\($0)" }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        let cited = files.count { $0.text.contains("docs/reference/") }
        #expect(cited > 100)
    }

    @Test func `Every link of a page leads somewhere`() throws {
        let pages = try Self.files(
            ["docs", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"], ["md"])
        #expect(pages.count > 50)
        let faults = pages.flatMap { page in
            Self.citations.faults(inPage: page.text, path: page.path).map { "\(page.path):\($0)" }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    /// Decisions and the change log describe the time at which they were written.
    @Test func `Every source path in a page exists`() throws {
        let pages = try Self.files(["docs", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"], ["md"])
            .filter { !$0.path.hasPrefix("docs/decisions/") }
        var count = 0
        for page in pages {
            for match in page.text.matches(of: #/`((?:Sources|Tests|Fuzz|Bench|Scripts|config)/[\w./+-]+)`/#) {
                let path = String(match.output.1)
                #expect(FileManager.default.fileExists(atPath: Repository.path + "/" + path), "\(page.path): \(path)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test func `The index of decisions has each with its title`() throws {
        let decisions = try Self.files(["docs/decisions"], ["md"]).filter { !$0.path.hasSuffix("README.md") }
        #expect(decisions.count > 45)
        for decision in decisions {
            let folder = URL(filePath: decision.path).deletingLastPathComponent().relativePath
            let index = try String(contentsOfFile: Repository.path + "/\(folder)/README.md", encoding: .utf8)
            let name = URL(filePath: decision.path).lastPathComponent
            let heading = try #require(decision.text.firstMatch(of: /^# (\d+)\. (.*)/), "\(name)")
            #expect(Int(name.prefix(4)) == Int(heading.output.1), "\(name)")
            #expect(index.contains("| \(heading.output.1) | [\(heading.output.2)](\(name)) |"), "\(name)")
        }
    }

    /// `§` stands for `//`, so that this file itself has no such comments.
    @Test(arguments: [
        "    §/ The rule (docs/reference/nothing.md#selection).", "§ docs/reference/messaging.md#no-such-heading.",
        "§/ As api.md 2.3 says.", "# (nimbus-messaging.md B)", "§/ docs/decisions/0043", "let a = 1  § decision 9999",
        "§/ ARCHITECTURE.md#no-such-room",
    ])
    func `A citation that leads nowhere is found`(line: String) {
        let source = "import A\n\(line.replacing("§", with: "//"))\n"
        #expect(Self.citations.faults(inSource: source).count == 1)
    }

    @Test(arguments: [
        "/// The rule (docs/reference/messaging.md#selection).", "// (docs/reference/http-api.md#gleans-edge-server)",
        "let page = \"nothing.md\"", "/// Decision 52, ARCHITECTURE.md#the-decision", "/// README.md",
    ])
    func `A citation that leads somewhere is none`(line: String) {
        #expect(Self.citations.faults(inSource: "import A\n\(line)\n").isEmpty)
    }

    @Test(arguments: [
        "[a](nothing.md)", "[a](messaging.md#no-such-heading)", "[a](#no-such-heading)", "`docs/nothing.md`",
    ])
    func `A link of a page that leads nowhere is found`(line: String) {
        let page = "# Title\n\n## A heading\n\n\(line), [b](messaging.md#selection), [c](#a-heading)\n"
        #expect(Self.citations.faults(inPage: page, path: "docs/reference/new.md").count == 1)
    }

    @Test func `Anchors are GitHub's`() {
        let page = """
            # Glean's edge server
            ## The command `serve`
            ### Enrollment, and *its* gates
            ### Enrollment, and its gates
            ```sh
            # no heading
            ```
            """
        #expect(
            Citations.anchors(page) == [
                "gleans-edge-server", "the-command-serve", "enrollment-and-its-gates", "enrollment-and-its-gates-1",
            ])
    }
}
