import Foundation
import Testing

/// A parsed guide of `docs/`: its command blocks, its names and its links.
struct Guide: CustomTestStringConvertible {
    struct Block {
        let language: String
        var text = ""
    }

    let name: String
    /// The fenced blocks, in order.
    private(set) var blocks: [Block] = []
    /// The text outside of blocks.
    private(set) var prose = ""

    static let all = ["owners-guide.md", "operators-guide.md"].map(Guide.init)

    init(_ name: String) {
        self.name = name
        let text = (try? String(contentsOfFile: Repository.path + "/docs/" + name, encoding: .utf8)) ?? ""
        var isInside = false
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append(Block(language: String(line.dropFirst(3)))) }
            } else if isInside {
                blocks[blocks.count - 1].text += line + "\n"
            } else {
                prose += line + "\n"
            }
        }
    }

    var testDescription: String { name }

    /// The texts between backquotes.
    var spans: [String] { prose.matches(of: /`([^`]+)`/).map { String($0.output.1).replacing("\n", with: " ") } }

    /// The blocks of commands, without the files that they write.
    var scripts: [String] {
        blocks.filter { $0.language == "sh" }.map {
            $0.text.replacing(/<<'END'\n(?:.*\n)*?END\n/, with: "\n").replacing("\\\n", with: " ")
        }
    }

    /// The targets of links in the prose, relative to `docs/`.
    var links: [String] {
        prose.matches(of: /\]\(([^)#]+)/).map { String($0.output.1) }.filter { !$0.contains("://") }
    }

    /// Each use of the program in a text, as the words after its name.
    static func uses(in text: String) -> [[String]] {
        text.matches(of: /(?:^|[\s(;&|])bellwether +(?=[a-z])/.anchorsMatchLineEndings()).map { match in
            words(text[match.range.upperBound...])
        }
    }

    /// The shell words up to the end of the command. A quotation stays one word, and its content is not parsed.
    private static func words(_ text: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quotation: Character?
        for character in text {
            if let open = quotation {
                if character == open { quotation = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quotation = character
                word = word ?? ""
            } else if "\n|;&)<>".contains(character) {
                break
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
