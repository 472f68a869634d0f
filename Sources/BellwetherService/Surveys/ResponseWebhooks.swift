internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The webhooks about a submitted response, or a completed run of a flow (docs/reference/surveys.md#notifications).
struct ResponseWebhooks {
    private let run: Run
    private let app: AppSnapshot
    /// The id of the first one. It was drawn before the transaction, whose function may run again.
    private let id: Identifier
    private let now: Timestamp
    private let notification: ResponseNotification?
    private let submitURL: String?
    private let notice: () -> ResponseNotice
    /// The answer that stands for the whole response; nil if none does.
    private let summary: ([AnswerWords]) -> String?

    /// - Parameter publicURL: the public address of the daemon, for links.
    init(
        _ run: Run, of definition: SurveyDefinition, in app: AppSnapshot, id: Identifier, publicURL: String?,
        now: Timestamp
    ) {
        (self.run, self.app, self.id, self.now) = (run, app, id, now)
        (notification, submitURL) = (definition.notification, definition.submitURL)
        notice = {
            ResponseNotice(run, called: definition.name, in: app, publicURL: publicURL) { resolve in
                definition.words(for: run.openAnswers, resolve)
            }
        }
        summary = { _ in definition.summary(of: run.openAnswers) }
    }

    /// - Parameter publicURL: the public address of the daemon, for links.
    init(
        _ run: Run, of definition: FlowDefinition, in app: AppSnapshot, id: Identifier, publicURL: String?,
        now: Timestamp
    ) {
        (self.run, self.app, self.id, self.now) = (run, app, id, now)
        (notification, submitURL) = (definition.notification, nil)
        notice = {
            ResponseNotice(run, called: definition.name, in: app, publicURL: publicURL) { resolve in
                definition.words(for: run.openAnswers, resolve)
            }
        }
        summary = { lines in lines.first.map(\.answer) }
    }

    /// The rows of the outbox; none for a response in development.
    ///
    /// - Parameter notifies: whether the condition of the notification holds.
    func rows(notifies: Bool) -> [OutboxRow] {
        guard !run.isDevelopment else { return [] }
        var rows: [OutboxRow] = []
        if let notification = notification, notifies {
            let body = notification.format == .text ? ["text": .string(notice().text)] : event
            rows.append(row(id, to: notification.url, secretName: notification.secretName, body))
        }
        if let url = submitURL, !isOwn(url) {
            rows.append(row("\(id)_submit", to: url, secretName: nil, ["answers": .object(run.openAnswers)]))
        }
        return rows
    }

    /// Whether the URL is this daemon's route for the survey. A survey is not forwarded to itself.
    private func isOwn(_ url: String) -> Bool { url.hasSuffix("/surveys/\(run.slug)/submit") }

    private func row(_ id: Identifier, to url: String, secretName: String?, _ body: JSONValue) -> OutboxRow {
        OutboxRow(
            id: id, app: app.name, url: url, secretName: secretName, body: body.encoded, clientID: run.clientID,
            userID: run.respondent.userID, createdAt: now)
    }

    /// The body of a notification, without answers to sensitive questions.
    private var event: JSONValue {
        let notice = notice()
        var data: JSONObject = [
            "response_id": .string(run.id), "slug": .string(run.slug), "revision": .integer(Int64(run.revision)),
            "name": notice.ownName.map { .string($0) } ?? .null,
            "user_id": run.respondent.userID.map { .string($0) } ?? .null, "answers": .object(run.openAnswers),
            "questions": .array(notice.lines.map(\.json)),
            "submitted_at": .string((run.submittedAt ?? now).rfc3339),
        ]
        if let summary = summary(notice.lines) {
            data["summary"] = .string(String(summary.unicodeScalars.prefix(Self.summaryLength).map(Character.init)))
        }
        let repeats = app.recipes[run.slug]?.recipe.repeats != nil
        if let round = run.statedRound(repeats: repeats) { data["round"] = .integer(Int64(round)) }
        if let outcome = run.flow?.outcome { data["outcome"] = outcome.json }
        if let link = notice.link { data["link"] = .string(link) }
        return [
            "type": .string("\(run.kind.rawValue).response_new"), "timestamp": .string(now.rfc3339),
            "data": .object(data),
        ]
    }

    private static let summaryLength = 120
}

extension SurveyDefinition {
    /// The first answer in the order NPS, rating, single choice, several choices, text.
    fileprivate func summary(of answers: JSONObject) -> String? {
        let order = ["nps", "rating", "single_choice", "multi_choice", "text"]
        for type in order {
            for question in questions.all where question.typeName == type {
                if let answer = answers[question.id] { return answer.string ?? answer.text }
            }
        }
        return nil
    }
}
