internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The routes of the audit (docs/reference/http-api.md#audit). One lists the records, one on each line, in the form of
/// telemetry. A request with a search parameter searches the records, newest first.
enum AuditRoutes {
    static let all = [
        Endpoint(.get, "/v1/audit", .needs(.admin), handle: get),
        Endpoint(.get, "/v1/apps/{app}/audit", .needs(.read), handle: searchApp),
    ]

    /// The parameters that only a search has.
    private static let parametersOfSearch = ["app", "before", "by", "kind", "name"]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let isSearch = try QueryReader(call).items.contains { parametersOfSearch.contains($0.name) }
        if isSearch { return find(try search(call, app: nil), call) { _ throws(APIError) in } }
        let query = try query(call)
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<[AuditRecord], StoreError>>) in
            store.readAudit(query) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(response(try outcome.orThrow(), query))
        }
    }

    private static func response(_ records: [AuditRecord], _ query: AuditQuery) -> Response {
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

    /// `after` is a record's `sequence`, because sequences have no gaps. An empty `after` is the beginning.
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

extension AuditRoutes {
    private static let longestPage: Int64 = 1000
    private static let defaultPage = 100

    /// The audit of an app outlives the app. An app without any record is unknown: it may never have existed.
    @Sendable private static func searchApp(_ call: Call) throws(APIError) -> Handling {
        let app = call.parameter("app")
        let worker = call.worker
        return find(try search(call, app: app), call) { (page) throws(APIError) in
            guard !page.items.isEmpty || worker.snapshot.apps[app] != nil else { throw .unknownApp(app) }
        }
    }

    private static func find(
        _ search: AuditSearch, _ call: Call, _ check: @escaping (AuditPage) throws(APIError) -> Void
    ) -> Handling {
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<AuditPage, StoreError>>) in
            store.searchAudit(search) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let page = try outcome.orThrow()
            try check(page)
            let body: JSONValue = [
                "items": .array(page.items.map(JSONValue.object)),
                "before": page.before.map(JSONValue.integer) ?? .null,
            ]
            return .now(.json(200, body))
        }
    }

    private static func search(_ call: Call, app: Identifier?) throws(APIError) -> AuditSearch {
        var search = AuditSearch(app: app, limit: defaultPage)
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "kind":
                search.kind = AuditEntry.Kind(rawValue: item.value)
                if search.kind == nil {
                    let kinds = AuditEntry.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    reader.fault("enum", at: item.name, "kind is one of \(kinds)")
                }
            case "name": search.name = Identifier(item.value)
            case "by": search.author = Identifier(item.value)
            case "before":
                search.before = item.value.isEmpty ? nil : reader.integer(item.name, item.value, in: 0...Int64.max)
            case "limit": search.limit = Int(reader.integer(item.name, item.value, in: 1...longestPage))
            case "app" where app == nil: search.app = Identifier(item.value)
            default: reader.refuse(item.name)
            }
        }
        try reader.finish()
        return search
    }
}

extension Call {
    /// Responds after the audit has stored the entry: no data leaves the daemon without its record.
    func audited(_ entry: AuditEntry, _ response: @escaping () -> Response) -> Handling {
        auditing(entry) { () throws(APIError) in .now(response()) }
    }

    /// Continues after the audit has stored the entry.
    func auditing(_ entry: AuditEntry, _ next: @escaping () throws(APIError) -> Handling) -> Handling {
        let store = services.persistence
        return park { (ticket: Ticket<Result<Void, StoreError>>) in
            store.record(entry) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            try outcome.orThrow()
            return try next()
        }
    }
}
