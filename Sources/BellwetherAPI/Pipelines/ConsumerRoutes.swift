internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The routes of an app's consumers, which read its log (docs/reference/http-api.md#consumers). An app that is no
/// longer published keeps its consumers.
enum ConsumerRoutes {
    private static let pattern = "/v1/apps/{app}/consumers/{name}"

    static let all = [
        Endpoint(.get, "/v1/apps/{app}/consumers", .needs(.log, or: .read), handle: list),
        Endpoint(.get, pattern, .needs(.log), handle: get),
        Endpoint(.put, pattern, .needs(.log), handle: put),
        Endpoint(.delete, pattern, .needs(.log), handle: delete),
    ]

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        consumers(call, named: nil) { (consumers) throws(APIError) in
            .json(200, ["consumers": .array(consumers.map { .object($0.json) })])
        }
    }

    /// A consumer that has lost records gets an error: it must not continue unaware of the loss.
    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let name = try name(call)
        return consumers(call, named: name) { (consumers) throws(APIError) in
            guard let consumer = consumers.first else { throw .notFound("There is no consumer \"\(name)\".") }
            guard !consumer.isExpired else {
                throw .gone(
                    code: "cursor_expired",
                    "Records after the consumer's cursor were deleted before it acknowledged them.")
            }
            return .json(200, .object(consumer.json))
        }
    }

    private static func consumers(
        _ call: Call, named name: Identifier?,
        _ answer: @escaping ([TelemetryConsumer]) throws(APIError) -> Response
    ) -> Handling {
        let (app, store) = (call.parameter("app"), call.services.persistence)
        return call.park { (ticket: Ticket<Result<[TelemetryConsumer]?, StoreError>>) in
            store.consumers(of: app, named: name) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let consumers = try outcome.orThrow() ?? (call.worker.snapshot.apps[app] != nil ? [] : nil) else {
                throw .unknownApp(app)
            }
            return .now(try answer(consumers))
        }
    }

    @Sendable private static func put(_ call: Call) throws(APIError) -> Handling {
        let (app, name, store) = (call.parameter("app"), try name(call), call.services.persistence)
        let cursor = try cursor(call)
        let origin = call.origin
        guard !name.isSink || cursor == .start else { throw .sink(name) }
        return call.park { (ticket: Ticket<Result<ConsumerOutcome, StoreError>>) in
            store.keepConsumer(name, of: app, at: cursor, onlyExpired: name.isSink, origin) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .kept(let consumer, let isNew): return .now(.json(isNew ? 201 : 200, .object(consumer.json)))
            case .unknownApp: throw .unknownApp(app)
            case .refused(let fault): throw APIError(fault)
            case .inUse: throw .sink(name)
            case .tooMany:
                throw .invalid("too_many", "an app has at most \(TelemetryConsumer.countBound) consumers")
            }
        }
    }

    @Sendable private static func delete(_ call: Call) throws(APIError) -> Handling {
        let (app, name, store) = (call.parameter("app"), try name(call), call.services.persistence)
        let origin = call.origin
        let isOfSink = call.services.sinks.contains { $0.settings.consumer == name }
        guard !isOfSink else { throw .sink(name) }
        return call.park { (ticket: Ticket<Result<Bool, StoreError>>) in
            store.deleteConsumer(name, of: app, origin) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard try outcome.orThrow() else { throw .notFound("There is no consumer \"\(name)\".") }
            return .now(Response(204))
        }
    }

    private static func name(_ call: Call) throws(APIError) -> Identifier {
        let name = call.parameter("name")
        guard name.text.isIdentifier else { throw .identifier("name") }
        return name
    }

    private static func cursor(_ call: Call) throws(APIError) -> TelemetryCursor {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let member = reader.required("cursor")
        let cursor = member?.string().flatMap { text in
            let cursor = TelemetryCursor(text: text)
            if cursor == nil { member?.finding("cursor", "this is no cursor that the daemon gave") }
            return cursor
        }
        guard let cursor, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return cursor
    }
}

extension Identifier {
    fileprivate var isSink: Bool { text.hasPrefix(TelemetryConsumer.sinkPrefix) }
}

extension APIError {
    /// A position that goes back to the middle of a file would write its records twice.
    fileprivate static func sink(_ name: Identifier) -> APIError {
        .conflict(
            code: "in_use",
            "The daemon itself moves \(name). After its records have expired, it can be set to the empty cursor.")
    }
}

extension TelemetryConsumer {
    fileprivate var json: JSONObject {
        [
            "name": .string(name), "cursor": .string(cursor.text), "updated_at": .string(updatedAt.rfc3339),
            "lag": .integer(Int64(lag)), "expired": .bool(isExpired),
        ]
    }
}
