internal import BellwetherService
internal import HTTPWire

/// Who changed what, and when (docs/reference/http-api.md#audit): the audit's records, one a line, in the style of
/// telemetry.
enum AuditRoutes {
    static let all = [Endpoint(.get, "/v1/audit", .needs(.admin), handle: get)]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let query = try query(call)
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<[AuditRecord], StoreError>>) in
            store.readAudit(query) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(answer(try outcome.orThrow(), query))
        }
    }

    private static func answer(_ records: [AuditRecord], _ query: AuditQuery) -> Response {
        var body: [UInt8] = []
        for record in records {
            body += record.line
            body.append(0x0A)
        }
        var response = Response(200, body: body.isEmpty ? .empty : .bytes(body))
        response.add("Content-Type", "application/x-ndjson")
        response.add("Cache-Control", "no-store")
        response.add("Bellwether-Next", String(records.last?.sequence ?? query.after))
        return response
    }

    /// `after` is a record's `sequence`, for those have no gaps; empty is the beginning.
    private static func query(_ call: Call) throws(APIError) -> AuditQuery {
        var (after, limit) = (Int64(0), Int64(1000))
        let reader = try QueryReader(call)
        for item in reader.items {
            let (name, value) = (item.name, item.value)
            switch name {
            case "after": after = value.isEmpty ? 0 : reader.integer(name, value, in: 0...Int64.max)
            case "limit": limit = reader.integer(name, value, in: 1...10_000)
            default: reader.refuse(name)
            }
        }
        try reader.finish()
        return AuditQuery(after: after, limit: Int(limit))
    }
}

extension Call {
    /// Answers once the audit tells of it. What cannot be recorded is not given out.
    func audited(_ entry: AuditEntry, _ answer: @escaping () -> Response) -> Handling {
        auditing(entry) { () throws(APIError) in .now(answer()) }
    }

    /// Goes on once the audit tells of it.
    func auditing(_ entry: AuditEntry, _ next: @escaping () throws(APIError) -> Handling) -> Handling {
        let store = services.persistence
        return detached.park { (ticket: Ticket<Result<Void, StoreError>>) in
            store.record(entry) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            try outcome.orThrow()
            return try next()
        }
    }
}
