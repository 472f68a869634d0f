internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The log that pipelines read (api.md 4).
enum TelemetryRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/telemetry", .scope(.pipeline), handle: get)]

    @Sendable static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let request = try TelemetryRequest(call, app)
        return read(call.detached, TelemetryQuery(app: app.name, after: request.after, limit: request.limit), request)
    }

    /// Reads; when nothing came and the caller waits, reads again after the next commit.
    private static func read(_ call: Call, _ query: TelemetryQuery, _ request: TelemetryRequest) -> Handling {
        let commits = call.services.telemetry.commits(in: query.app)
        return call.park { (ticket: Ticket<Result<TelemetryReading, StoreError>>) in
            let pings = request.pings
            call.services.store.readTelemetry(query) { result in
                ticket.complete(result.map { TelemetryReading($0, pings) })
            }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .failure(let error): throw .store(error)
            case .success(let reading):
                if reading.page.isExpired { throw .gone("The cursor is older than what is kept.") }
                let left = request.deadline - call.now.milliseconds
                guard reading.page.rows.isEmpty, left > 0 else { return .now(answer(reading, request)) }
                return wait(call, query, request, after: commits)
            }
        }
    }

    private static func wait(
        _ call: Call, _ query: TelemetryQuery, _ request: TelemetryRequest, after commits: UInt64
    ) -> Handling {
        let left = Int(clamping: request.deadline - call.now.milliseconds)
        let tail = call.services.telemetry
        return call.park(wait: ParkWait(milliseconds: max(1, left), outcome: TailEvent.timeout)) { ticket in
            tail.wait(for: query.app, after: commits, milliseconds: left) { ticket.complete(.commit) }
        } resume: { (event) throws(APIError) in
            switch event {
            case .commit: return read(call, query, request)
            case .timeout:
                let nothing = TelemetryReading(TelemetryPage(rows: [], isExpired: false), request.pings)
                return .now(answer(nothing, request))
            }
        }
    }

    private enum TailEvent: Sendable { case commit, timeout }

    private static func answer(_ reading: TelemetryReading, _ request: TelemetryRequest) -> Response {
        let rows = reading.page.rows
        let body = reading.pings ?? lines(rows)
        var response = Response(200, body: body.isEmpty ? .empty : .bytes(body))
        response.add("Content-Type", "application/x-ndjson")
        response.add("Cache-Control", "no-store")
        response.add("Bellwether-Next", rows.last.map { TelemetryCursor.text($0.cursor) } ?? request.afterText)
        return response
    }

    private static func lines(_ rows: [TelemetryRow]) -> [UInt8] {
        var lines: [UInt8] = []
        for row in rows { row.write(to: &lines) }
        return lines
    }
}

/// The query of a telemetry read.
private struct TelemetryRequest {
    private(set) var afterText = ""
    private(set) var after: Int64 = 0
    private(set) var limit = 1000
    /// When a waiting request is answered at the latest, in milliseconds since 1970.
    private(set) var deadline: Int64
    private var format = TelemetryFormat.ndjson
    /// What the page's records are put into, where Glean's form is asked for.
    private(set) var pings: GleanPings?

    init(_ call: Call, _ app: AppSnapshot) throws(APIError) {
        deadline = call.now.milliseconds
        let findings = Findings()
        for (name, value) in try call.query() { read(name, value, findings) }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        if format == .glean { pings = GleanPings(app: app.name, channel: app.manifest.channel) }
    }

    private mutating func read(_ name: String, _ value: String, _ findings: Findings) {
        let place = JSONPointer.parameter(name)
        switch name {
        case "after":
            afterText = value
            if let cursor = TelemetryCursor.parse(value) {
                after = cursor
            } else {
                findings.fault("cursor", at: place, "this is no cursor that the daemon gave")
            }
        case "limit": limit = Int(Self.number(name, value, 1...10_000, findings))
        case "wait": deadline += Self.number(name, value, 0...60, findings) * 1000
        case "format":
            if let format = TelemetryFormat(rawValue: value) {
                self.format = format
            } else {
                findings.fault("choice", at: place, "format is ndjson or glean")
            }
        default: findings.fault("unknown_parameter", at: place, "there is no parameter \(name)")
        }
    }

    private static func number(
        _ name: String, _ text: String, _ range: ClosedRange<Int64>, _ findings: Findings
    ) -> Int64 {
        if let number = Int64(text), range.contains(number) { return number }
        findings.fault(
            "range", at: .parameter(name),
            "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }
}

/// A place in the log, as pipelines carry it: opaque to them.
enum TelemetryCursor {
    private static let prefix = "t"

    static func text(_ cursor: Int64) -> String { prefix + String(cursor, radix: 36) }

    /// An empty text is the start.
    static func parse(_ text: String) -> Int64? {
        if text.isEmpty { return 0 }
        guard text.hasPrefix(prefix), let cursor = Int64(text.dropFirst(), radix: 36), cursor >= 0,
            self.text(cursor) == text
        else { return nil }
        return cursor
    }
}

extension TelemetryRow {
    /// One line of NDJSON.
    func write(to output: inout [UInt8]) {
        output += "{\"cursor\":\"".utf8
        output += TelemetryCursor.text(cursor).utf8
        output += "\"".utf8
        output.append(member: "at", .string(at.rfc3339))
        output.append(member: "client_id", .string(clientID))
        output.append(member: "category", .string(category))
        output.append(member: "name", .string(name))
        output += ",\"extra\":".utf8
        output += extra.utf8
        if let experiment { output.append(member: "experiment", .string(experiment)) }
        if let branch { output.append(member: "branch", .string(branch)) }
        output += "}\n".utf8
    }
}
