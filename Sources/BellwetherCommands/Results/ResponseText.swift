internal import BellwetherBase
internal import BellwetherJSON
internal import Surveys

/// One response as text for people: respondent, times, each question with its answer, and the comments.
struct ResponseText {
    private(set) var lines: [String] = []

    init(_ response: JSONValue) {
        let json = response.object ?? [:]
        func text(_ key: String) -> String? { json[key]?.string?.plain }
        lines.append("\(text("id") ?? ""): \(text("slug") ?? ""), \(text("status") ?? "")")
        var facts: [(String, String?)] = [
            "run_status", "step_id", "user_id", "client_id", "created_at", "submitted_at",
        ].map { ($0, text($0)) }
        facts.append(("revision", json["revision"]?.text))
        facts.append(("branch", text("experiment").map { "\($0)/\(text("branch") ?? "")" }))
        facts.append(("is_dev", json["is_dev"]?.bool == true ? "true" : nil))
        for (name, value) in facts { lines += value.map { ["  \(name.padded(to: 12))  \($0)"] } ?? [] }
        let kept = [json["attribution"], json["attributes"]].compactMap { $0?.object }.flatMap(Array.init)
        for member in kept { lines.append("  \(member.key.plain.padded(to: 12))  \(Self.text(of: member.value))") }
        let isOfFlow = json["run_status"] != nil
        let given = ResponseAnswers(json["answers"]?.object ?? [:], ofFlow: isOfFlow)
        add(given, in: (json["texts"]?.array ?? []).compactMap(\.object))
        add(comments: json["comments"]?.array ?? [])
    }

    /// The answers in words, in the order of the questions. The stored value follows if it differs from the words.
    private mutating func add(_ given: ResponseAnswers, in texts: [JSONObject]) {
        for (path, value) in given.inOrder(of: texts) {
            let words = texts.first { ResponseAnswers.path(of: $0) == path }
            let title = words?["question"]?.string.map { ": \($0)" } ?? ""
            let plain = Self.text(of: value)
            let answer = words?["answer"]?.string?.plain ?? plain
            lines += ["", (path.joined(separator: ".") + title).plain]
            if answer != plain {
                lines.append("  \(answer) (\(plain))")
            } else {
                lines += Self.indented(value.string ?? plain)
            }
        }
        if given.answers.isEmpty { lines += ["", "no answers"] }
    }

    private mutating func add(comments: [JSONValue]) {
        for comment in comments.compactMap(\.object) {
            let about = ["author", "created_at", "id"].map { comment[$0]?.string ?? "" }.joined(separator: ", ")
            lines += ["", "comment (\(about.plain))"] + Self.indented(comment["body"]?.string ?? "")
        }
    }

    /// The lines of a text, indented.
    private static func indented(_ text: String) -> [String] { text.plainLines.map { "  " + $0 } }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text.plain
        case .array(let values): values.map(text).joined(separator: ", ")
        case .object(let members): members.map { "\($0.key.plain): \(text(of: $0.value))" }.joined(separator: ", ")
        default: value.text
        }
    }
}

/// The answers of a response, each with its path: a question's id, or the ids of a step and a field.
struct ResponseAnswers {
    let answers: [(path: [String], value: JSONValue)]

    init(_ answers: JSONObject, ofFlow isOfFlow: Bool) {
        self.answers = answers.flatMap { key, value -> [(path: [String], value: JSONValue)] in
            guard isOfFlow, let fields = value.object else { return [([key], value)] }
            return fields.map { ([key, $0.key], $0.value) }
        }
    }

    /// The answers in the order of the response's `texts`, which is the order of the questions. Answers without a text
    /// come last.
    func inOrder(of texts: [JSONObject]) -> [(path: [String], value: JSONValue)] {
        let paths = texts.map(Self.path)
        let told = paths.compactMap { path in answers.first { $0.path == path } }
        return told + answers.filter { !paths.contains($0.path) }
    }

    /// The path of one of a response's `texts`.
    static func path(of text: JSONObject) -> [String] { [text["step_id"], text["id"]].compactMap { $0?.string } }
}

/// Responses as CSV: a column for each question of the definition, then for each other answered key.
struct ResponseTable {
    private(set) var bytes: [UInt8] = []

    private static let columns = [
        "id", "status", "user_id", "client_id", "created_at", "submitted_at", "is_dev", "revision", "message",
        "experiment", "branch",
    ]
    private static let flowColumns = ["run_status", "outcome", "step_id", "platform"]
    /// The members whose own members have columns.
    private static let groups = ["attribution", "attributes"]

    init(_ responses: [JSONValue], of list: ResponseList) {
        let responses = responses.compactMap(\.object)
        let answers = responses.map {
            ResponseAnswers($0["answers"]?.object ?? [:], ofFlow: list.isOfFlow).answers
        }
        var paths = Self.questionIDs(of: list.recipe).map { [$0] }
        var known = Set(paths)
        for answer in answers.joined() where known.insert(answer.path).inserted { paths.append(answer.path) }
        let words = zip(responses, answers).map { Self.words(of: $0, besides: $1) }
        let answered = paths.filter { path in words.contains { $0[path] != nil } }
        let columns = Self.columns + Self.roundColumn(of: responses)
        let facts = columns + (list.isOfFlow ? Self.flowColumns : []) + RunSave.factKeys
        let grouped = Self.groups.flatMap { Self.members(of: $0, in: responses) }
        func names(_ prefix: String, _ paths: [[String]]) -> [CSV.Field] {
            paths.map { .text(([prefix] + $0).joined(separator: ".")) }
        }
        CSV.write(
            facts.map { .literal($0) } + grouped.map { .text($0.joined(separator: ".")) } + names("answers", paths)
                + names("texts", answered), to: &bytes)
        for (response, (answers, words)) in zip(responses, zip(answers, words)) {
            let values = Dictionary(answers.map { ($0.path, $0.value) }) { first, _ in first }
            CSV.write(
                facts.map { Self.field(response[$0]) } + grouped.map { Self.field(response[$0[0]]?.object?[$0[1]]) }
                    + paths.map { Self.field(values[$0]) } + answered.map { CSV.Field.text(words[$0]) }, to: &bytes)
        }
    }

    /// The column of the round, if a response has one (docs/reference/rounds.md#telemetry-lists-and-exports).
    static func roundColumn(of responses: [JSONObject]) -> [String] {
        responses.contains { $0["round"] != nil } ? ["round"] : []
    }

    /// The answers in words that differ from the answers themselves.
    private static func words(
        of response: JSONObject, besides answers: [(path: [String], value: JSONValue)]
    ) -> [[String]: String] {
        let values = Dictionary(answers.map { ($0.path, $0.value) }) { first, _ in first }
        let texts = (response["texts"]?.array ?? []).compactMap(\.object).compactMap { text in
            text["answer"]?.string.map { (ResponseAnswers.path(of: text), $0) }
        }
        return Dictionary(texts.filter { values[$0.0].map { $0.string ?? $0.text } != $0.1 }) { first, _ in first }
    }

    private static func members(of group: String, in responses: [JSONObject]) -> [[String]] {
        var names: [String] = []
        for name in responses.flatMap({ $0[group]?.object?.keys ?? [] }) where !names.contains(name) {
            names.append(name)
        }
        return names.map { [group, $0] }
    }

    /// The ids in the order of the questions.
    private static func questionIDs(of recipe: JSONValue) -> [String] {
        let questions = (recipe.object?["schema"] ?? recipe).object?["questions"]?.array ?? []
        return questions.flatMap { [$0] + ($0.object?["sub_questions"]?.array ?? []) }
            .filter { $0.object?["sensitive"]?.bool != true }.compactMap { $0.object?["id"]?.string }
    }

    /// A text, a number or a Boolean in its own form, any other value as JSON.
    private static func field(_ value: JSONValue?) -> CSV.Field {
        switch value {
        case nil, .null: .null
        case .string(let text): .text(text)
        case .array(let values): .text(JSONValue.array(values).text)
        case .object(let members): .text(JSONValue.object(members).text)
        case let value?: .literal(value.text)
        }
    }
}
