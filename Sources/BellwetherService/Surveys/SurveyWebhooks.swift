internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// What a submitted response is told of to others (docs/reference/surveys.md#notifications).
enum SurveyWebhooks {
    /// None for a response of development. The ids were drawn before: a transaction's function may run again.
    static func rows(
        for run: Run, of definition: SurveyDefinition, in app: String, id: String, at now: Timestamp
    ) -> [OutboxRow] {
        guard !run.isDevelopment else { return [] }
        var rows: [OutboxRow] = []
        if let notification = definition.notification {
            rows.append(
                row(run, in: app, id: id, url: notification.url, secretName: notification.secretName, at: now) {
                    notice(of: run, definition, at: now)
                })
        }
        if let url = definition.submitURL, !isOwn(url, slug: run.slug) {
            rows.append(
                row(run, in: app, id: id + "_submit", url: url, secretName: nil, at: now) {
                    ["answers": .object(run.openAnswers)]
                })
        }
        return rows
    }

    /// A survey whose answers already go to this route is not forwarded to itself.
    private static func isOwn(_ url: String, slug: String) -> Bool { url.hasSuffix("/surveys/\(slug)/submit") }

    private static func row(
        _ run: Run, in app: String, id: String, url: String, secretName: String?, at now: Timestamp,
        body: () -> JSONValue
    ) -> OutboxRow {
        OutboxRow(
            id: id, app: app, url: url, secretName: secretName, body: body().encoded, clientID: run.clientID,
            userID: run.respondent.userID, createdAt: now)
    }

    /// Without answers to sensitive questions.
    private static func notice(of run: Run, _ definition: SurveyDefinition, at now: Timestamp) -> JSONValue {
        var data: JSONObject = [
            "response_id": .string(run.id), "slug": .string(run.slug), "revision": .integer(Int64(run.revision)),
            "name": definition.name.map { .string($0) } ?? .null,
            "user_id": run.respondent.userID.map { .string($0) } ?? .null, "answers": .object(run.openAnswers),
            "submitted_at": .string((run.submittedAt ?? now).rfc3339),
        ]
        if let summary = summary(of: run, definition) { data["summary"] = .string(summary) }
        return [
            "type": .string("\(run.kind.rawValue).response_new"), "timestamp": .string(now.rfc3339),
            "data": .object(data),
        ]
    }

    private static let summaryLength = 120

    /// The first answer in the order NPS, rating, single choice, several choices, text.
    private static func summary(of run: Run, _ definition: SurveyDefinition) -> String? {
        let order = ["nps", "rating", "single_choice", "multi_choice", "text"]
        for type in order {
            for question in definition.questions.all where question.typeName == type {
                guard let answer = run.openAnswers[question.id] else { continue }
                let text = answer.string ?? answer.text
                return String(text.unicodeScalars.prefix(summaryLength).map(Character.init))
            }
        }
        return nil
    }
}
