internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The webhooks about a submitted response (docs/reference/surveys.md#notifications).
struct SurveyWebhooks {
    let run: Run
    let definition: SurveyDefinition
    let app: AppSnapshot
    /// The id of the first one. It was drawn before: a transaction's function may run again.
    let id: String
    /// The public address of the daemon, for links.
    let publicURL: String?
    let now: Timestamp

    /// None for a response of development.
    ///
    /// - Parameter notifies: whether the condition of the notification holds.
    func rows(notifies: Bool) -> [OutboxRow] {
        guard !run.isDevelopment else { return [] }
        var rows: [OutboxRow] = []
        if let notification = definition.notification, notifies {
            let body = notification.format == .text ? ["text": .string(notice.text)] : event
            rows.append(row(id, to: notification.url, secretName: notification.secretName, body))
        }
        if let url = definition.submitURL, !isOwn(url) {
            rows.append(row(id + "_submit", to: url, secretName: nil, ["answers": .object(run.openAnswers)]))
        }
        return rows
    }

    /// A survey whose answers already go to this route is not forwarded to itself.
    private func isOwn(_ url: String) -> Bool { url.hasSuffix("/surveys/\(run.slug)/submit") }

    private func row(_ id: String, to url: String, secretName: String?, _ body: JSONValue) -> OutboxRow {
        OutboxRow(
            id: id, app: app.name, url: url, secretName: secretName, body: body.encoded, clientID: run.clientID,
            userID: run.respondent.userID, createdAt: now)
    }

    private var notice: ResponseNotice { ResponseNotice(run, of: definition, in: app, publicURL: publicURL) }

    /// Without answers to sensitive questions.
    private var event: JSONValue {
        let notice = notice
        var data: JSONObject = [
            "response_id": .string(run.id), "slug": .string(run.slug), "revision": .integer(Int64(run.revision)),
            "name": definition.name.map { .string($0) } ?? .null,
            "user_id": run.respondent.userID.map { .string($0) } ?? .null, "answers": .object(run.openAnswers),
            "questions": .array(
                notice.lines.map { line in
                    ["id": .string(line.id), "question": .string(line.question), "answer": .string(line.answer)]
                }),
            "submitted_at": .string((run.submittedAt ?? now).rfc3339),
        ]
        if let summary { data["summary"] = .string(summary) }
        if let link = notice.link { data["link"] = .string(link) }
        return [
            "type": .string("\(run.kind.rawValue).response_new"), "timestamp": .string(now.rfc3339),
            "data": .object(data),
        ]
    }

    private static let summaryLength = 120

    /// The first answer in the order NPS, rating, single choice, several choices, text.
    private var summary: String? {
        let order = ["nps", "rating", "single_choice", "multi_choice", "text"]
        for type in order {
            for question in definition.questions.all where question.typeName == type {
                guard let answer = run.openAnswers[question.id] else { continue }
                let text = answer.string ?? answer.text
                return String(text.unicodeScalars.prefix(Self.summaryLength).map(Character.init))
            }
        }
        return nil
    }
}
