/// The words that have one meaning, and the folders in which each may occur in the name of a type.
struct Words {
    struct Term {
        /// The words in a name, such as `Answer` in `AnswerMark`.
        let words: Set<String>
        /// The beginnings of the allowed paths from the root. Empty if no path is allowed.
        let folders: [String]
        /// The words for other subjects.
        let instead: String
    }

    static let terms = [
        Term(
            words: ["Question", "Questions"],
            folders: [
                "Sources/Surveys/", "Sources/BellwetherUI/", "Sources/BellwetherAuthoring/Surveys/",
                "Sources/BellwetherAuthoring/Keys/",
                "Sources/BellwetherCommands/Imports/",
            ],
            instead: "HTTP has requests"),
        Term(
            words: ["Answer", "Answers"],
            folders: [
                "Sources/Surveys/", "Sources/BellwetherClient/", "Sources/BellwetherAuthoring/Surveys/",
                "Sources/BellwetherAuthoring/Results/",
                "Sources/BellwetherService/Responses/", "Sources/BellwetherService/Data/",
                "Sources/BellwetherAPI/Surveys/",
                "Sources/BellwetherCommands/Results/",
                "Tests/BellwetherAuthoringTests/", "Tests/BellwetherAPITests/Surveys/", "Tests/SurveysTests/",
                "Tests/EndToEndTests/Journey/", "Fuzz/",
            ],
            instead: "HTTP has responses, other calls have results and outcomes"),
        Term(
            words: ["Reply", "Replies"],
            folders: [
                "Sources/BellwetherService/Storage/", "Sources/BellwetherService/Flows/", "Sources/Surveys/Flows/Chat/",
            ],
            instead: "a reply is stored under an idempotency key, or is a message of a chat; HTTP has responses"),
        Term(
            words: ["Exchange", "Exchanges"],
            folders: [
                "Sources/HTTPWire/Exchange/", "Sources/EventLoop/", "Tests/TestSupport/", "Tests/HTTPWireTests/",
                "Tests/EventLoopTests/", "Tests/GoldenTests/", "Tests/EndToEndTests/CommandLine/",
            ],
            instead: "a call of an owner's server is a hook call"),
        Term(
            words: ["Run", "Runs"],
            folders: [
                "Sources/Surveys/", "Sources/BellwetherService/", "Sources/BellwetherAPI/",
                "Sources/BellwetherAuthoring/",
                "Sources/SQLiteStore/", "Sources/PostgresStore/", "Sources/StoreTables/", "Sources/bellwether/",
                "Sources/BellwetherCommands/", "Sources/Benchmarks/", "Tests/", "Fuzz/",
                // Run lengths are the format's.
                "Sources/Parquet/",
            ],
            instead: "a part of an array is a range"),
        Term(
            words: ["Place", "Places", "Placed"],
            folders: ["Sources/BellwetherService/Locations/", "Sources/PostgresStore/"],
            instead: "index, position, rank, slot, offset, location or key; a city is a place"),
        Term(
            words: [
                "Ask", "Asked", "Asker", "Asking", "Tell", "Telling", "Told", "Shape", "Who", "What", "Whose", "Nobody",
                "Somebody",
            ],
            folders: [], instead: "a noun of the field"),
    ]

    /// The types in a source whose names contain a word outside of its folders, one line for each.
    static func faults(inTypesOf source: String, path: String) -> [String] {
        numbered(source).flatMap { number, line -> [String] in
            guard let name = declaredType(line) else { return [] }
            let words = words(of: name)
            return terms.filter { term in
                !term.words.isDisjoint(with: words) && !term.folders.contains { path.hasPrefix($0) }
            }.map { "\(path):\(number): \(name): \($0.instead)" }
        }
    }

    /// The beginnings of comments that are fragments.
    private static let fragments: Set<Substring> = ["Of", "What", "Who", "Whom", "Whose", "Whoever"]
    private static let longFragments = ["Under which ", "By which ", "For whom "]
    /// Words that refer to nothing.
    private static let empty = ["nobody", "Nobody", "somebody", "Somebody"]

    /// The paragraphs of comments that are fragments, and the lines with words that refer to nothing, one line for
    /// each.
    static func faults(inCommentsOf source: String, path: String) -> [String] {
        var isWithin = false
        var faults: [String] = []
        for (number, line) in numbered(source) {
            guard let text = comment(line) else {
                isWithin = false
                continue
            }
            if !isWithin, isFragment(text) {
                faults.append("\(path):\(number): a fragment: \(text)")
            } else if let word = empty.first(where: { text.contains($0) }) {
                faults.append("\(path):\(number): \(word) names nothing")
            }
            isWithin = !text.isEmpty
        }
        return faults
    }

    private static func isFragment(_ text: Substring) -> Bool {
        fragments.contains(text.prefix { $0.isLetter }) || longFragments.contains { text.hasPrefix($0) }
    }

    private static func numbered(_ source: String) -> [(number: Int, line: Substring)] {
        source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
    }

    private static let declarations: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect",
    ]

    /// The name of the type that a line declares.
    private static func declaredType(_ line: Substring) -> Substring? {
        var rest = line.drop { $0 == " " }
        while true {
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count + 1)
            if declarations.contains(word) { return rest.prefix { $0.isLetter || $0.isNumber } }
            guard modifiers.contains(word) else { return nil }
        }
    }

    /// The words of a name: HTTP and Wire in `HTTPWire`.
    private static func words(of name: Substring) -> Set<String> {
        Set(name.matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z0-9]*/).map { String($0.output) })
    }

    /// The text of a comment line; nil for other lines.
    private static func comment(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("//") ? text.drop { $0 == "/" }.drop { $0 == " " } : nil
    }
}
