internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// What has changed of an app, for those who look at it: at once, or as soon as something does
/// (docs/reference/http-api.md#changes).
enum ChangesRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/changes", .needs(.read), handle: get)]

    private static let longestWait: Int64 = 25
    /// Between two answers with changes to one who waits for them, in milliseconds.
    private static let pause: Int64 = 1_000

    private struct Question: Sendable {
        let app: String
        var cursor: ChangeJournal.Cursor?
        /// Whether the cursor is none that a daemon gave.
        var isUnknown = false
        /// In milliseconds since 1970; nil: it is answered at once.
        var deadline: Int64?
    }

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        var question = Question(app: try call.app().name)
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "after":
                question.cursor = ChangeJournal.Cursor(text: item.value)
                question.isUnknown = question.cursor == nil && !item.value.isEmpty
            case "wait":
                let seconds = reader.integer(item.name, item.value, in: 0...longestWait)
                question.deadline = seconds == 0 ? nil : call.now.milliseconds + seconds * 1000
            default: reader.refuse(item.name)
            }
        }
        try reader.finish()
        return read(call.detached, question)
    }

    private static func read(_ call: Call, _ question: Question) -> Handling {
        let journal = call.services.persistence.feed.journal
        let seen = journal.tail.commits(in: question.app)
        var changes = journal.changes(in: question.app, after: question.cursor, call.worker.snapshot)
        if question.isUnknown { changes.isRestarted = true }
        guard let deadline = question.deadline, let cursor = question.cursor, !changes.isRestarted else {
            return .now(answer(changes, call, question))
        }
        let left = Int(clamping: deadline - call.now.milliseconds)
        if changes.subjects.isEmpty {
            guard left > 0 else { return .now(answer(changes, call, question)) }
            return call.park(wait: ParkWait(milliseconds: left, outcome: false)) { (ticket: Ticket<Bool>) in
                let isWaiting = journal.tail.wait(for: question.app, after: seen, milliseconds: left) {
                    ticket.complete(true)
                }
                if !isWaiting { ticket.complete(false) }
            } resume: { (isWoken) throws(APIError) in
                var question = question
                if !isWoken { question.deadline = nil }
                return read(call, question)
            }
        }
        let rest = cursor.time.milliseconds + pause - changes.cursor.time.milliseconds
        guard (1...pause).contains(rest) else { return .now(answer(changes, call, question)) }
        return call.park(wait: ParkWait(milliseconds: Int(rest), outcome: ())) { (_: Ticket<Void>) in
        } resume: { (_) throws(APIError) in
            var question = question
            question.deadline = nil
            return read(call, question)
        }
    }

    private static func answer(_ changes: ChangeJournal.Changes, _ call: Call, _ question: Question) -> Response {
        var lists: [String: Set<String>] = ["recipes": [], "strings": [], "responses": [], "results": []]
        for subject in changes.subjects {
            switch subject {
            case .recipe(let slug): lists["recipes"]?.insert(slug)
            case .strings(let locale): lists["strings"]?.insert(locale)
            case .responses(let slug): lists["responses"]?.insert(slug)
            case .results(let slug): lists["results"]?.insert(slug)
            case .answers:
                let recipes = call.worker.snapshot.app(question.app)?.recipes ?? [:]
                let answered = recipes.values.filter { $0.published != nil }.map(\.stored.slug)
                lists["responses"]?.formUnion(answered)
                lists["results"]?.formUnion(recipes.keys)
            case .manifest, .webhooks: break
            }
        }
        var json: JSONObject = ["cursor": .string(changes.cursor.text)]
        for name in ["recipes", "strings", "responses", "results"] {
            json[name] = .array((lists[name] ?? []).sorted { $0.precedes($1) }.map(JSONValue.string))
        }
        json["manifest"] = .bool(changes.subjects.contains(.manifest))
        json["webhooks"] = .bool(changes.subjects.contains(.webhooks))
        json["restarted"] = .bool(changes.isRestarted)
        var response = Response.json(200, .object(json))
        response.add("Cache-Control", "no-store")
        return response
    }
}
