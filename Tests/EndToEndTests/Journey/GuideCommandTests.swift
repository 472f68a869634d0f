import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The program accepts each use of it that a guide shows.
@Suite struct GuideCommandTests {
    /// The fault in a use of the program; nil if there is none.
    private func fault(_ words: [String], isWhole: Bool) -> String? {
        let commands = ProgramCommands.all.filter { !$0.path.isEmpty && words.starts(with: $0.path) }
        guard let command = commands.max(by: { $0.path.count < $1.path.count }) else { return "no such command" }
        var options: Set<String> = []
        var count = 0
        var rest = words.dropFirst(command.path.count)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                count += 1
                continue
            }
            guard let option = argument(word, of: command) else { return "\(word) is none of its options" }
            options.insert(word)
            if option["kind"] == "option", rest.popFirst()?.hasPrefix("--") != false { return "\(word) has no value" }
        }
        let places = command.arguments.filter { $0["kind"] == "positional" }
        if count > places.count, !places.contains(where: { $0["isRepeating"] == true }) { return "too many words" }
        guard isWhole else { return nil }
        if !command.isLeaf { return "a part of the command is missing" }
        let needed = command.arguments.filter { $0["isOptional"] == false && $0["kind"] == "option" }
        let missing = needed.filter { !options.contains("--" + ($0["preferredName"]["name"].string ?? "")) }
        if let missing = missing.first { return "\(missing["preferredName"]["name"]) is missing" }
        return count < places.count { $0["isOptional"] == false } ? "a word is missing" : nil
    }

    private func argument(_ name: String, of command: ProgramCommands.Entry) -> JSONValue? {
        command.arguments.first { ($0["names"].array ?? []).contains { "--" + ($0["name"].string ?? "") == name } }
    }

    @Test(arguments: Guide.all)
    func `Commands in blocks are whole`(_ guide: Guide) {
        let uses = guide.scripts.flatMap(Guide.uses)
        #expect(uses.count >= 8)
        for words in uses {
            #expect(fault(words, isWhole: true) == nil, "bellwether \(words.joined(separator: " "))")
        }
    }

    /// A command in the text may be named without its required arguments.
    @Test(arguments: Guide.all)
    func `Commands in the text exist, and have the options that are named`(_ guide: Guide) {
        let uses = guide.spans.flatMap(Guide.uses)
        #expect(!uses.isEmpty)
        for words in uses {
            #expect(fault(words, isWhole: false) == nil, "bellwether \(words.joined(separator: " "))")
        }
    }

    /// The checks of this test find faults.
    @Test(arguments: [
        "bellwether serf --dev", "bellwether push apps", "bellwether push --app a", "bellwether tail --app a --lost 3",
        "bellwether tail --app", "bellwether token", "bellwether export --data d --day 2026-11-21",
        "bellwether tail --app a b",
    ])
    func `A wrong use is seen`(_ text: String) throws {
        let words = try #require(Guide.uses(in: text).first)
        #expect(fault(words, isWhole: true) != nil)
    }

    @Test func `Uses are found in scripts`() {
        let text =
            "K=$(bellwether token hash < f)\necho x | bellwether jexl --context '{\"a\": 1}' \"a == 1\" && echo\n"
        #expect(Guide.uses(in: text) == [["token", "hash"], ["jexl", "--context", "{\"a\": 1}", "a == 1"]])
    }

    @Test func `What make is asked for are its targets`() throws {
        let makefile = try String(contentsOfFile: Repository.path + "/Makefile", encoding: .utf8)
        for guide in Guide.all {
            let texts =
                guide.spans.filter { $0.hasPrefix("make ") }
                + guide.scripts.flatMap { $0.split(separator: "\n") }
                .map(String.init)
            for match in texts.compactMap({ $0.prefixMatch(of: /make ([a-z-]+)/) }) {
                #expect(makefile.contains("\n\(match.output.1):"), "make \(match.output.1)")
            }
        }
    }
}
