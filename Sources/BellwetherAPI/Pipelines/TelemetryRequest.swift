internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The query of a telemetry read.
struct TelemetryRequest {
    /// How many values all filters may have together.
    private static let valueBound = 100

    let query: TelemetryQuery
    /// When a waiting request is answered at the latest, in milliseconds since 1970.
    private(set) var deadline: Int64
    /// What the page's records are put into, where Glean's form is asked for.
    private(set) var pings: GleanPings?
    let isGzipAccepted: Bool
    private let afterText: String

    init(_ call: Call) throws(APIError) {
        let findings = Findings()
        var reading = Reading(findings: findings)
        for (name, value) in try call.query() { reading.read(name, value) }
        if reading.last != nil, !reading.afterText.isEmpty {
            findings.fault("conflict", at: .parameter("last"), "a read begins after a cursor or with the last records")
        }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        guard reading.valueCount <= Self.valueBound else {
            throw .invalid("too_many", "a read filters by at most \(Self.valueBound) values")
        }
        let app = call.parameter("app")
        var query = TelemetryQuery(app: app, after: reading.after, limit: reading.limit, filter: reading.filter)
        query.last = reading.last
        self.query = query
        afterText = reading.afterText
        deadline = call.now.milliseconds + reading.waitSeconds * 1000
        isGzipAccepted = Compression.isAccepted(call.request.header(.acceptEncoding))
        if reading.format == .glean {
            pings = GleanPings(app: app, channel: call.worker.snapshot.app(app)?.manifest.channel)
        }
    }

    /// The cursor to go on with; where nothing was looked at, the caller's own as it was written.
    func next(_ through: Int64) -> String { through == query.after ? afterText : TelemetryCursor.text(through) }
}

/// Reads parameter by parameter, and keeps what is wrong.
private struct Reading {
    let findings: Findings
    var afterText = ""
    var after: Int64 = 0
    var last: Int?
    var limit = 1000
    var waitSeconds: Int64 = 0
    var format = TelemetryFormat.ndjson
    var filter = TelemetryFilter()
    var valueCount = 0

    mutating func read(_ name: String, _ value: String) {
        let place = JSONPointer.parameter(name)
        switch name {
        case "after":
            afterText = value
            if let cursor = TelemetryCursor.parse(value) {
                after = cursor
            } else {
                findings.fault("cursor", at: place, "this is no cursor that the daemon gave")
            }
        case "last": last = Int(number(name, value, 0...10_000))
        case "limit": limit = Int(number(name, value, 1...10_000))
        case "wait": waitSeconds = number(name, value, 0...60)
        case "format":
            if let format = TelemetryFormat(rawValue: value) {
                self.format = format
            } else {
                findings.fault("choice", at: place, "format is ndjson or glean")
            }
        case "category": add(name, value, to: \.categories)
        case "name": add(name, value, to: \.names)
        case "message": add(name, value, to: \.messages)
        case "experiment": add(name, value, to: \.experiments)
        default: findings.fault("unknown_parameter", at: place, "there is no parameter \(name)")
        }
    }

    private mutating func add(_ name: String, _ value: String, to kind: WritableKeyPath<TelemetryFilter, [String]>) {
        // A store may compare texts up to a NUL only.
        guard !value.isEmpty, !value.utf8.contains(0) else {
            return findings.fault("value", at: .parameter(name), "\(name) is a text without NUL, and not empty")
        }
        filter[keyPath: kind].append(value)
        valueCount += 1
    }

    private func number(_ name: String, _ text: String, _ range: ClosedRange<Int64>) -> Int64 {
        if let number = Int64(text), range.contains(number) { return number }
        findings.fault(
            "range", at: .parameter(name),
            "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }
}
