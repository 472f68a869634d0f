internal import BellwetherAPI
internal import BellwetherJSON

/// One response, for people: who, when, each question with its answer, and the comments.
struct ResponseText {
    private(set) var lines: [String] = []

    init(_ response: JSONValue) {
        let json = response.object ?? [:]
        func text(_ key: String) -> String? { json[key]?.string?.plain }
        lines.append("\(text("id") ?? ""): \(text("slug") ?? ""), \(text("status") ?? "")")
        var facts: [(String, String?)] = ["user_id", "client_id", "created_at", "submitted_at"].map { ($0, text($0)) }
        facts.append(("revision", json["revision"]?.text))
        facts.append(("branch", text("experiment").map { "\($0)/\(text("branch") ?? "")" }))
        facts.append(("is_dev", json["is_dev"]?.bool == true ? "true" : nil))
        for (name, value) in facts { lines += value.map { ["  \(name.padded(to: 12))  \($0)"] } ?? [] }
        add(answers: json["answers"]?.object ?? [:], titles: Self.titles(json["schema_snapshot"]))
        add(comments: json["comments"]?.array ?? [])
    }

    private mutating func add(answers: JSONObject, titles: [(id: String, title: String)]) {
        for (id, value) in answers {
            let title = titles.first { $0.id == id }.map { ": \($0.title)" } ?? ""
            lines += ["", (id + title).plain, "  " + Self.text(of: value)]
        }
        if answers.isEmpty { lines += ["", "no answers"] }
    }

    private mutating func add(comments: [JSONValue]) {
        for comment in comments.compactMap(\.object) {
            let about = ["author", "created_at", "id"].map { comment[$0]?.string ?? "" }.joined(separator: ", ")
            lines += ["", "comment (\(about.plain))", "  " + (comment["body"]?.string ?? "").plain]
        }
    }

    /// Questions as they were when the response was submitted; a draft has none.
    private static func titles(_ snapshot: JSONValue?) -> [(id: String, title: String)] {
        (snapshot?.object?["questions"]?.array ?? []).flatMap { question -> [(id: String, title: String)] in
            let below = (question.object?["sub_questions"]?.array ?? [])
            return ([question] + below).compactMap { question in
                guard let id = question.object?["id"]?.string else { return nil }
                let title = question.object?["title"]?.string ?? question.object?["question"]?.string
                return title.map { (id, $0) }
            }
        }
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text.plain
        case .array(let values): values.map(text).joined(separator: ", ")
        case .object(let members): members.map { "\($0.key.plain): \(text(of: $0.value))" }.joined(separator: ", ")
        default: value.text
        }
    }
}

/// Responses as CSV: a column for each question of the definition, then for each other key that was answered.
struct ResponseTable {
    private(set) var bytes: [UInt8] = []

    private static let columns = [
        "id", "status", "user_id", "client_id", "created_at", "submitted_at", "is_dev", "revision", "message",
        "experiment", "branch",
    ]

    init(_ responses: [JSONValue], questions: [String]) {
        var ids = questions
        for response in responses {
            for id in response.object?["answers"]?.object?.keys ?? [] where !ids.contains(id) { ids.append(id) }
        }
        CSV.write(Self.columns.map { .literal($0) } + ids.map { .text("answers." + $0) }, to: &bytes)
        for response in responses.compactMap(\.object) {
            let answers = response["answers"]?.object ?? [:]
            CSV.write(Self.columns.map { Self.field(response[$0]) } + ids.map { Self.field(answers[$0]) }, to: &bytes)
        }
    }

    /// In the order in which they are asked.
    static func questionIDs(of recipe: JSONValue) -> [String] {
        let questions = (recipe.object?["schema"] ?? recipe).object?["questions"]?.array ?? []
        return questions.flatMap { [$0] + ($0.object?["sub_questions"]?.array ?? []) }
            .filter { $0.object?["sensitive"]?.bool != true }.compactMap { $0.object?["id"]?.string }
    }

    /// A text, a number or a Boolean as it is, anything else as JSON.
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
