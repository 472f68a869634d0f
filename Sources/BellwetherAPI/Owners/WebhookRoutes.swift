internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// An app's webhooks that wait or were given up (docs/reference/webhooks.md#list). The routes show neither a secret nor
/// a receiver's response.
enum WebhookRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/webhooks", .needs(.read), handle: list),
        Endpoint(.post, "/v1/apps/{app}/webhooks/{id}/retry", .needs(.publish), handle: retry),
    ]

    private static let defaultLimit: Int64 = 100
    private static let longestPage: Int64 = 1000

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        let (app, store) = (call.parameter("app"), call.services.persistence)
        let query = try query(call, app)
        // One more row shows whether there is another page.
        var reading = query
        reading.limit += 1
        return call.park { [reading] (ticket: Ticket<Result<[OutboxRow], StoreError>>) in
            store.readOutbox(reading) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let rows = try outcome.orThrow()
            guard !rows.isEmpty || call.worker.snapshot.apps[app] != nil else { throw .unknownApp(app) }
            return .now(.json(200, page(rows, limit: query.limit)))
        }
    }

    /// The body must be empty, or an object without members.
    @Sendable private static func retry(_ call: Call) throws(APIError) -> Handling {
        if !call.request.body.isEmpty, try call.json() != [:] {
            throw .invalid("unknown_key", "the body has no members")
        }
        let (app, id, store) = (call.parameter("app"), call.parameter("id"), call.services.persistence)
        let origin = call.origin
        return call.park { (ticket: Ticket<Result<WebhookRetry, StoreError>>) in
            store.retryWebhook(id, of: app, origin) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .waits(let row): return .now(.json(202, row.json))
            case .isPending:
                throw .conflict(code: "webhook_pending", "The webhook was not given up: it waits to be sent.")
            case .unknown: throw .notFound("There is no webhook \"\(id)\" that waits or was given up.")
            }
        }
    }

    private static func query(_ call: Call, _ app: Identifier) throws(APIError) -> OutboxQuery {
        var query = OutboxQuery(app: app, limit: Int(defaultLimit))
        let reader = try QueryReader(call)
        for item in reader.items {
            let (name, value) = (item.name, item.value)
            switch name {
            case "state":
                query.state = OutboxQuery.State(rawValue: value)
                if query.state == nil { reader.fault("enum", at: name, "state is pending or dead") }
            case "cursor":
                query.after = value.isEmpty ? nil : OutboxCursor(text: value)
                if query.after == nil, !value.isEmpty {
                    reader.fault("cursor", at: name, "this is no cursor that the daemon gave")
                }
            case "limit": query.limit = Int(reader.integer(name, value, in: 1...longestPage))
            default: reader.refuse(name)
            }
        }
        try reader.finish()
        return query
    }

    private static func page(_ rows: [OutboxRow], limit: Int) -> JSONValue {
        let page = rows.prefix(limit)
        let hasMore = rows.count > limit
        let cursor = page.last.map { JSONValue.string(OutboxCursor($0).text) }
        return [
            "items": .array(page.map(\.json)), "cursor": hasMore ? cursor ?? .null : .null, "has_more": .bool(hasMore),
        ]
    }
}

extension OutboxRow {
    fileprivate var json: JSONValue {
        var state = "pending"
        var (next, dead): (JSONValue, JSONValue) = (.string(nextAttempt.rfc3339), .null)
        if case .dead(let time) = self.state { (state, next, dead) = ("dead", .null, .string(time.rfc3339)) }
        return [
            "id": .string(id), "url": .string(WebhookURL(url)?.shown ?? ""), "state": .string(state),
            "attempts": .integer(Int64(attempts)), "next_attempt": next,
            "last_failure": lastFailure.map { .string($0) } ?? .null, "created_at": .string(createdAt.rfc3339),
            "dead_at": dead,
        ]
    }
}
