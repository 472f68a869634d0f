internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The changes of an app, at once or as soon as there is one (docs/reference/http-api.md#changes).
enum ChangesRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/changes", .needs(.read), handle: get)]

    private static let longestWait: Int64 = 25
    /// The minimum time between two responses with changes to a waiting client, in milliseconds.
    private static let pause: Int64 = 1_000

    private struct Query: Sendable {
        let app: Identifier
        var cursor: ChangeJournal.Cursor?
        /// Whether no daemon gave this cursor.
        var isUnknown = false
        /// The end of the wait, in milliseconds since 1970; nil for an immediate response.
        var deadline: Int64?
    }

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        var query = Query(app: try call.app().name)
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "after":
                query.cursor = ChangeJournal.Cursor(text: item.value)
                query.isUnknown = query.cursor == nil && !item.value.isEmpty
            case "wait":
                let seconds = reader.integer(item.name, item.value, in: 0...longestWait)
                query.deadline = seconds == 0 ? nil : call.now.milliseconds + seconds * 1000
            default: reader.refuse(item.name)
            }
        }
        try reader.finish()
        return read(call, query)
    }

    private static func read(_ call: Call, _ query: Query) -> Handling {
        let journal = call.services.persistence.feed.journal
        let seen = journal.tail.commits(in: query.app)
        var changes = journal.changes(in: query.app, after: query.cursor, call.worker.snapshot)
        if query.isUnknown { changes.isRestarted = true }
        guard let deadline = query.deadline, let cursor = query.cursor, !changes.isRestarted else {
            return .now(response(changes, call, query))
        }
        let left = Int(clamping: deadline - call.now.milliseconds)
        if changes.subjects.isEmpty {
            guard left > 0 else { return .now(response(changes, call, query)) }
            return call.park(wait: ParkWait(milliseconds: left, outcome: false)) { (ticket: Ticket<Bool>) in
                let isWaiting = journal.tail.wait(for: query.app, after: seen, milliseconds: left) {
                    ticket.complete(true)
                }
                if !isWaiting { ticket.complete(false) }
            } resume: { (isWoken) throws(APIError) in
                var query = query
                if !isWoken { query.deadline = nil }
                return read(call, query)
            }
        }
        let rest = cursor.time.milliseconds + pause - changes.cursor.time.milliseconds
        guard (1...pause).contains(rest) else { return .now(response(changes, call, query)) }
        return call.park(wait: ParkWait(milliseconds: Int(rest), outcome: ())) { (_: Ticket<Void>) in
        } resume: { (_) throws(APIError) in
            var query = query
            query.deadline = nil
            return read(call, query)
        }
    }

    private static func response(_ changes: ChangeJournal.Changes, _ call: Call, _ query: Query) -> Response {
        var lists: [String: Set<Identifier>] = ["recipes": [], "strings": [], "responses": [], "results": []]
        for subject in changes.subjects {
            switch subject {
            case .recipe(let slug): lists["recipes"]?.insert(slug)
            case .strings(let locale): lists["strings"]?.insert(locale)
            case .responses(let slug): lists["responses"]?.insert(slug)
            case .results(let slug): lists["results"]?.insert(slug)
            case .answers:
                let recipes = call.worker.snapshot.apps[query.app]?.recipes ?? [:]
                let answered = recipes.values.filter { $0.published != nil }.map(\.stored.slug)
                lists["responses"]?.formUnion(answered)
                lists["results"]?.formUnion(recipes.keys)
            case .manifest, .webhooks: break
            }
        }
        var json: JSONObject = ["cursor": .string(changes.cursor.text)]
        for name in ["recipes", "strings", "responses", "results"] {
            json[name] = .array((lists[name] ?? []).sorted().map(JSONValue.string))
        }
        json["manifest"] = .bool(changes.subjects.contains(.manifest))
        json["webhooks"] = .bool(changes.subjects.contains(.webhooks))
        json["restarted"] = .bool(changes.isRestarted)
        var response = Response.json(200, .object(json))
        response.add("Cache-Control", "no-store")
        return response
    }
}
