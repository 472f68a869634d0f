internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The log for pipelines (docs/reference/http-api.md#reading-telemetry).
enum TelemetryRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/telemetry", .needs(.log), handle: get)]

    @Sendable static func get(_ call: Call) throws(APIError) -> Handling {
        let request = try TelemetryRequest(call)
        return read(call, request.query, request)
    }

    /// Reads the log. If the read finds nothing up to the end of the log, and the request waits, it reads again after
    /// the next commit. A filter that finds nothing before the end gets a response at once, with a later cursor: no
    /// request reads without bound.
    private static func read(_ call: Call, _ query: TelemetryQuery, _ request: TelemetryRequest) -> Handling {
        let commits = call.services.telemetry.commits(in: query.app)
        return call.park { (ticket: Ticket<Result<TelemetryReading, StoreError>>) in
            let (form, isGzipAccepted) = (request.form, request.isGzipAccepted)
            call.services.persistence.readTelemetry(query) { result in
                ticket.complete(result.map { TelemetryReading($0, form, isGzipAccepted: isGzipAccepted) })
            }
        } resume: { (outcome) throws(APIError) in
            let reading = try outcome.orThrow()
            try check(reading, call, query)
            let left = request.deadline - call.now.milliseconds
            guard reading.isEmpty, reading.isAtEnd, left > 0 else { return .now(response(reading, request)) }
            var query = query
            (query.after, query.last) = (reading.through, nil)
            return wait(call, query, request, after: commits)
        }
    }

    /// The data of an app that is no longer published can still be read.
    private static func check(_ reading: TelemetryReading, _ call: Call, _ query: TelemetryQuery) throws(APIError) {
        guard reading.isAppKnown || call.worker.snapshot.apps[query.app] != nil else { throw .unknownApp(query.app) }
        if let fault = reading.fault { throw APIError(fault) }
    }

    private static func wait(
        _ call: Call, _ query: TelemetryQuery, _ request: TelemetryRequest, after commits: UInt64
    ) -> Handling {
        let left = Int(clamping: request.deadline - call.now.milliseconds)
        let tail = call.services.telemetry
        return call.park(wait: ParkWait(milliseconds: max(1, left), outcome: TailEvent.timeout)) { ticket in
            let isWaiting = tail.wait(for: query.app, after: commits, milliseconds: left) { ticket.complete(.commit) }
            if !isWaiting { ticket.complete(.timeout) }
        } resume: { (event) throws(APIError) in
            switch event {
            case .commit: return read(call, query, request)
            case .timeout:
                let nothing = TelemetryReading(.nothing(for: query), request.form, isGzipAccepted: false)
                return .now(response(nothing, request))
            }
        }
    }

    private enum TailEvent: Sendable { case commit, timeout }

    private static func response(_ reading: TelemetryReading, _ request: TelemetryRequest) -> Response {
        let body = reading.compressed ?? reading.body
        var response = Response(200, body: body.isEmpty ? .empty : .bytes(body))
        response.add("Content-Type", request.form.mediaType)
        response.add("Cache-Control", "no-store")
        response.add("Bellwether-Next", reading.through.text)
        if reading.compressed != nil {
            response.isEncoded = true
            response.add("Content-Encoding", "gzip")
            response.add("Vary", "Accept-Encoding")
        }
        return response
    }
}

extension APIError {
    init(_ fault: CursorFault) {
        self =
            switch fault {
            case .expired:
                .gone(code: "cursor_expired", "The cursor is older than what is kept: records after it were deleted.")
            case .foreign:
                .gone(
                    code: "cursor_foreign",
                    "The cursor is of another database: nothing here follows it. Begin without a cursor.")
            case .beyondEnd:
                .gone(
                    code: "cursor_beyond_end",
                    """
                    The cursor is beyond the end of the log: the database is an older copy of the one that gave it. \
                    Begin without a cursor, or with an older one.
                    """)
            }
    }

    static func unknownApp(_ name: Identifier) -> APIError { .notFound("There is no app \"\(name)\".") }
}
