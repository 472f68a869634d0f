internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The query of a telemetry read.
struct TelemetryRequest {
    /// How many values all filters may have together.
    private static let valueBound = 100
    private static let repeatable: Set<String> = ["category", "name", "message", "experiment"]

    let query: TelemetryQuery
    /// The latest time of the response to a waiting request, in milliseconds since 1970.
    private(set) var deadline: Int64
    let form: TelemetryForm
    let isGzipAccepted: Bool

    init(_ call: Call) throws(APIError) {
        let reader = try QueryReader(call, repeatable: Self.repeatable.contains)
        var reading = Reading(reader: reader)
        for item in reader.items { reading.read(item.name, item.value) }
        if reading.last != nil, reading.after != .start {
            reader.fault("conflict", at: "last", "a read begins after a cursor or with the last records")
        }
        try reader.finish()
        guard reading.valueCount <= Self.valueBound else {
            throw .invalid("too_many", "a read filters by at most \(Self.valueBound) values")
        }
        let app = call.parameter("app")
        var query = TelemetryQuery(app: app, after: reading.after, limit: reading.limit, filter: reading.filter)
        query.last = reading.last
        self.query = query
        deadline = call.now.milliseconds + reading.waitSeconds * 1000
        isGzipAccepted = Compression.isAccepted(call.request.header(.acceptEncoding))
        form =
            switch reading.format {
            case .ndjson: .records
            case .glean: .pings(GleanPings(app: app, channel: call.worker.snapshot.apps[app]?.manifest.channel))
            case .parquet: .file(app: app, call.services.compressor)
            }
    }
}

/// Reads one parameter after another, and collects the faults.
private struct Reading {
    let reader: QueryReader
    var after = TelemetryCursor.start
    var last: Int?
    var limit = 1000
    var waitSeconds: Int64 = 0
    var format = TelemetryFormat.ndjson
    var filter = TelemetryFilter()
    var valueCount = 0

    mutating func read(_ name: String, _ value: String) {
        switch name {
        case "after":
            if let cursor = TelemetryCursor(text: value) {
                after = cursor
            } else {
                reader.fault("cursor", at: name, "this is no cursor that the daemon gave")
            }
        case "last": last = Int(reader.integer(name, value, in: 0...10_000))
        case "limit": limit = Int(reader.integer(name, value, in: 1...10_000))
        case "wait": waitSeconds = reader.integer(name, value, in: 0...60)
        case "format":
            if let format = TelemetryFormat(rawValue: value) {
                self.format = format
            } else {
                reader.fault("choice", at: name, "format is ndjson, glean or parquet")
            }
        case "category": add(name, value, to: \.categories)
        case "name": add(name, value, to: \.names)
        case "message": add(name, value, to: \.messages)
        case "experiment": add(name, value, to: \.experiments)
        default: reader.refuse(name)
        }
    }

    private mutating func add(_ name: String, _ value: String, to kind: WritableKeyPath<TelemetryFilter, [Identifier]>)
    {
        // A store may compare texts only up to a NUL.
        guard !value.isEmpty, !value.utf8.contains(0) else {
            return reader.fault("value", at: name, "\(name) is a text without NUL, and not empty")
        }
        filter[keyPath: kind].append(Identifier(value))
        valueCount += 1
    }
}
