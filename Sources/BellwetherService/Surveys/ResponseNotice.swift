internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// A submitted response in words: what was asked, and what was answered, in the app's default language
/// (docs/reference/surveys.md#notifications). Answers to sensitive questions are left out.
struct ResponseNotice {
    struct Line {
        let id: String
        let question: String
        let answer: String
    }

    private let name: String
    /// In the order of the questions.
    let lines: [Line]
    /// To the response; nil: the daemon does not know its own address.
    let link: String?

    init(_ run: Run, of definition: SurveyDefinition, in app: AppSnapshot, publicURL: String?) {
        let texts = Texts(localizer: app.strings.localizer(for: nil), shortName: app.manifest.shortName)
        name = definition.name.map(texts.resolve) ?? run.slug
        let answers = run.openAnswers
        // Options of a survey are their own answers, and no ids of texts.
        let hasLabels = definition.kind == .questionnaire
        let resolve = { (label: String) in hasLabels ? texts.resolve(label) : label }
        lines = definition.questions.all.compactMap { question in
            guard let answer = answers[question.id] else { return nil }
            return Line(
                id: question.id, question: texts.resolve(question.title),
                answer: Self.words(answer, to: question, resolve))
        }
        link = publicURL.map { "\($0)/v1/apps/\(app.name)/responses/\(run.id)" }
    }

    private static func words(_ answer: JSONValue, to question: Question, _ resolve: (String) -> String) -> String {
        guard case .choices(let options) = question.type.tally else { return words(answer, rows(of: question)) }
        let chosen = question.type.chosen(in: answer, former: []).map { choice in
            let label = options.first { $0.id.hasSameBytes(as: choice.id) }.map { resolve($0.label) } ?? choice.id
            return choice.text.map { "\(label): \($0)" } ?? label
        }
        return chosen.joined(separator: ", ")
    }

    /// The titles of a table's rows by their ids.
    private static func rows(of question: Question) -> JSONObject {
        let rows = question.document["table_questions"]?.array ?? []
        return JSONObject(
            rows.compactMap { row in row.object?["id"]?.string.map { ($0, row.object?["title"] ?? .string($0)) } })
    }

    private static func words(_ answer: JSONValue, _ titles: JSONObject) -> String {
        switch answer {
        case .string(let text): text
        case .array(let values): values.map { words($0, titles) }.joined(separator: ", ")
        case .object(let members):
            members.map { "\(titles[$0.key]?.string ?? $0.key): \(words($0.value, titles))" }.joined(separator: ", ")
        default: answer.text
        }
    }

    /// As much as the incoming webhooks of chat tools take.
    static let maximumLength = 4000

    /// One text for a chat, in Unicode scalars at most `maximumLength`: what is too much is cut before the link.
    var text: String {
        let parts = ["New response: \(name)"] + lines.map { "\($0.question)\n\($0.answer)" }
        let end = link.map { "\n\n\($0)" } ?? ""
        let body = Self.escaped(parts.joined(separator: "\n\n"))
        let room = Self.maximumLength - end.unicodeScalars.count
        guard body.count > room else { return String(body) + end }
        // An escape that is cut stays out whole.
        var cut = body.prefix(max(0, room - 1))
        if let start = cut.suffix(4).lastIndex(of: "&"), !cut[start...].contains(";") { cut = cut[..<start] }
        return String(cut) + "…" + end
    }

    /// Chat tools read `<…>` as links and as calls of everybody: nobody who answers may write these.
    private static func escaped(_ text: String) -> String.UnicodeScalarView {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}
