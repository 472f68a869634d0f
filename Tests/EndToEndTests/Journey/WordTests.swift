import Foundation
import TestSupport
import Testing

/// Words have one meaning: HTTP has requests and responses, surveys have questions and answers, respondents have runs
/// (CONTRIBUTING.md#words).
@Suite struct WordTests {
    /// Swift files below some folders, with their paths from the root.
    private static func files(_ roots: [String]) throws -> [(path: String, text: String)] {
        try roots.flatMap { root -> [(path: String, text: String)] in
            let below = try #require(FileManager.default.enumerator(atPath: Repository.path + "/" + root), "\(root)")
            return try below.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { path in
                let text = try String(contentsOfFile: "\(Repository.path)/\(root)/\(path)", encoding: .utf8)
                return ("\(root)/\(path)", text)
            }
        }
    }

    @Test func `A word of a type's name stands in the folders of its subject`() throws {
        let files = try Self.files(["Sources", "Tests", "Fuzz"])
        #expect(files.count > 1000)
        let faults = files.flatMap { Words.faults(inTypesOf: $0.text, path: $0.path) }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        for term in Words.terms {
            for folder in term.folders {
                #expect(files.contains { $0.path.hasPrefix(folder) }, "\(folder) is no folder")
            }
        }
    }

    @Test func `A comment says what a thing is, as a sentence`() throws {
        let faults = try Self.files(["Sources"]).flatMap { Words.faults(inCommentsOf: $0.text, path: $0.path) }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("struct ServedQuestion {", "Sources/BellwetherAPI/Messages/ServedQuestion.swift"),
        ("    private final class KeptAnswers: Sendable {", "Sources/HTTPWire/Codec/KeptAnswers.swift"),
        ("public enum HookExchange: Sendable {", "Sources/Surveys/Flows/HookExchange.swift"),
        ("struct Place: Hashable {", "Sources/BellwetherCore/Messages/Catalog.swift"),
        ("package struct Run: BitwiseCopyable {", "Sources/JEXL/Syntax/Tree.swift"),
        ("typealias Telling = @Sendable () -> Void", "Sources/BellwetherService/Storage/TransactionWriter.swift"),
    ])
    func `A word outside of its folders is found`(line: String, path: String) {
        #expect(Words.faults(inTypesOf: "import A\n\n\(line)\n", path: path).count == 1)
    }

    @Test(arguments: [
        ("struct Questionnaire {", "Sources/BellwetherCore/Messages/Questionnaire.swift"),
        ("struct AnswerMark {", "Sources/Surveys/Results/AnswerMark.swift"),
        ("struct Answerless {", "Sources/HTTPWire/Codec/Answerless.swift"),
        ("/// A struct ServedQuestion {", "Sources/BellwetherAPI/Messages/ServedQuestion.swift"),
        ("    let text = \"class ServedQuestion\"", "Sources/BellwetherAPI/Messages/ServedQuestion.swift"),
    ])
    func `A word in its folders is none`(line: String, path: String) {
        #expect(Words.faults(inTypesOf: "import A\n\n\(line)\n", path: path).isEmpty)
    }

    /// `§` stands for `//`, so that this file has no such comments itself.
    @Test(arguments: [
        "    §/ Of the recipe.", "§/ What nobody patches in branches.", "    §/ Who thinks up a name.",
        "    §/ Under which an answer is kept.", "    §/ A name.\n    §/\n    §/ Of two the first counts.",
        "    let a = 1\n    § Of a session nothing is kept.", "§/ A line that somebody has written.",
    ])
    func `A comment that is a fragment or a riddle is found`(comment: String) {
        let source = "import A\n\n\(comment.replacing("§", with: "//"))\nlet b = 2\n"
        #expect(Words.faults(inCommentsOf: source, path: "Sources/A.swift").count == 1)
    }

    @Test(arguments: [
        "    §/ The revision of the recipe.", "    §/ Whether it holds.",
        "    §/ The bound\n    §/ of a text, in bytes.",
        "    let text = \"Of \(0)\"", "    §/ A list:\n    §/ - of names",
    ])
    func `A comment that is a sentence is none`(comment: String) {
        let source = "import A\n\n\(comment.replacing("§", with: "//"))\nlet b = 2\n"
        #expect(Words.faults(inCommentsOf: source, path: "Sources/A.swift").isEmpty)
    }
}
