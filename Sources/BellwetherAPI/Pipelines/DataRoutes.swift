internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Parquet

/// The tables `responses` and `answers` of an app, in pages that are files of Parquet
/// (docs/reference/data.md#over-http).
enum DataRoutes {
    static let all = [Endpoint(.get, "/v1/apps/{app}/responses", .needs(.respond), handle: get)]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let request = try DataRequest(call)
        let (app, compressor, store) = (call.parameter("app"), call.services.compressor, call.services.persistence)
        guard let snapshot = call.worker.snapshot.apps[app] else { throw .unknownApp(app) }
        return call.park { (ticket: Ticket<Result<(file: [UInt8], next: ResponseCursor?), StoreError>>) in
            store.readTable({ source throws(StoreError) in
                var tables = ResponseTables(of: app, snapshot, in: source, compressor)
                return try tables.page(
                    of: request.table, in: request.range, after: request.cursor, limit: request.limit)
            }) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let page = try outcome.orThrow()
            var response = Response(200, body: .bytes(page.file))
            response.add("Content-Type", TelemetryForm.parquet)
            response.add("Cache-Control", "no-store")
            if let next = page.next { response.add("Bellwether-Next", next.text) }
            // The first page of an export is in the audit.
            guard request.cursor == nil else { return .now(response) }
            return call.audited(AuditEntry(exportOfResponsesIn: app, call.origin)) { [response] in response }
        }
    }
}

/// The query of a page.
private struct DataRequest {
    private(set) var table = DataTable.responses
    private(set) var range = Timestamp(milliseconds: .min)..<Timestamp.distantFuture
    private(set) var cursor: ResponseCursor?
    private(set) var limit = 1000
    private var format: String?

    init(_ call: Call) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items { read(item, reader) }
        if format != "parquet" { reader.fault("choice", at: "format", "format is parquet") }
        if range.isEmpty { reader.fault("conflict", at: "to", "to is not before from") }
        try reader.finish()
    }

    private mutating func read(_ item: QueryItem, _ reader: QueryReader) {
        switch item.name {
        case "format": format = item.value
        case "table":
            table = DataTable(rawValue: item.value) ?? .events
            if table == .events { reader.fault("choice", at: "table", "table is responses or answers") }
        case "from": change(start: day(item, reader), end: nil)
        case "to": change(start: nil, end: day(item, reader)?.adding(seconds: Timestamp.secondsPerDay))
        case "cursor":
            cursor = ResponseCursor(item.value)
            if cursor == nil { reader.fault("cursor", at: "cursor", "this is no cursor that the daemon gave") }
        case "limit": limit = Int(reader.integer("limit", item.value, in: 1...10_000))
        default: reader.refuse(item.name)
        }
    }

    private mutating func change(start: Timestamp?, end: Timestamp?) {
        let (lower, upper) = (start ?? range.lowerBound, end ?? range.upperBound)
        range = lower..<max(lower, upper)
    }

    private func day(_ item: QueryItem, _ reader: QueryReader) -> Timestamp? {
        if item.value.utf8.count == 10, let time = Timestamp(rfc3339: item.value + "T00:00:00Z") { return time }
        reader.fault("day", at: item.name, "\(item.name) is a day in UTC such as 2026-11-21")
        return nil
    }
}
