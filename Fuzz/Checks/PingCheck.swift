import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Gzip

/// Any body of `/submit`: inflated within its limit, read as a ping, and written again as Glean's pings.
///
/// The first byte chooses: bit 0 whether the rest is gzip, bit 1 whether the ping's name differs from `events`.
public enum PingCheck: FuzzCheck {
    /// The limit of the inflated size: a few chunks of zlib, so that compression bombs of the corpus exceed it.
    private static let inflatedBytes = 200_000
    private static let times = Timestamp(seconds: 1_765_000_000)...Timestamp(seconds: 1_773_144_000)
    private static let limits = GleanLimits(json: JSONLimits(bytes: inflatedBytes), events: 8, times: times)

    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        guard let choice = bytes.first else { return .refused }
        let body = bytes.dropFirst()
        readAddress(body)
        guard let content = choice & 1 == 0 ? body : try inflated(body) else { return .refused }
        let address = GleanAddress(
            applicationID: "org-example", ping: choice & 2 == 0 ? "events" : "metrics", version: "1",
            documentID: "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab")
        let submission = GleanSubmission(address, body: content, limits: limits)
        try require(submission == GleanSubmission(address, body: content, limits: limits), "read twice, another ping")
        try judge(submission)
        try giveOut(submission)
        return submission.records.contains { $0.category != "glean" } ? .taken : .refused
    }

    /// The inflated body. The limit is exact to the byte, and a body that was compressed here is read.
    private static func inflated(_ body: ArraySlice<UInt8>) throws(Violation) -> ArraySlice<UInt8>? {
        if let own = Deflation.gzip(Array(body), level: 1) {
            try require(Inflation.gunzip(own[...], limit: body.count) == .success(Array(body)), "not what was deflated")
        }
        let bound = max(Inflation.freeBytes, Inflation.ratio * body.count)
        guard case .success(let bytes) = Inflation.expand(body, limit: inflatedBytes) else {
            let all = Inflation.gunzip(body, limit: min(inflatedBytes, bound))
            if case .success = all { throw Violation("refused within the bounds") }
            return nil
        }
        try require(bytes.count <= min(inflatedBytes, bound), "more than the bound")
        try require(Inflation.gunzip(body, limit: bytes.count) == .success(bytes), "refused at its own size")
        if !bytes.isEmpty {
            let less = Inflation.gunzip(body, limit: bytes.count - 1)
            try require(less == .failure(.tooLarge), "taken beyond the bound")
        }
        return bytes[...]
    }

    /// Uses the beginning of the body as each part of a path.
    private static func readAddress(_ body: ArraySlice<UInt8>) {
        let text = String(decoding: body.prefix(64), as: UTF8.self)
        GleanAddress(applicationID: Identifier(text), ping: text, version: text, documentID: Identifier(text)).check(
            Findings())
    }

    private static func judge(_ submission: GleanSubmission) throws(Violation) {
        try require(submission.clientID?.text.isIdentifier ?? true, "a client id that is none")
        try require((1...limits.events + 1).contains(submission.records.count), "too few records, or too many")
        for record in submission.records {
            try require(times.contains(record.at), "a time that nobody believes")
            try require(record.category.text.isIdentifier && record.name.text.isIdentifier, "a name that is none")
            try require(record.category == "glean" || record.extra.count <= 100, "too many keys")
            _ = (record.effect, record.messageKey.map(submission.enrollment))
            let extra = JSONValue.object(record.extra)
            let back = try? JSONValue(parsing: extra.encoded, limits: JSONLimits(depth: 100))
            try require(back == extra, "a record that is not read back")
        }
    }

    /// Checks that the output has all events, that each line is JSON, and that no value is longer than Glean allows.
    private static func giveOut(_ submission: GleanSubmission) throws(Violation) {
        var pings = GleanPings(app: "app", channel: nil)
        for (index, record) in submission.records.enumerated() {
            let enrollment = record.messageKey.flatMap(submission.enrollment)
            pings.append(
                TelemetryRecord(
                    at: record.at, clientID: submission.clientID ?? GleanSubmission.nobody, category: record.category,
                    name: record.name, extra: record.extra, experiment: enrollment?.slug, branch: enrollment?.branch),
                cursor: Int64(index))
        }
        var output: [UInt8] = []
        pings.write(to: &output)
        var count = 0
        for line in output.split(separator: 0x0A) { count += try eventCount(line) }
        let taken = submission.records.filter { GleanPings.takes(category: $0.category) }.count
        try require(count == taken, "\(taken) events went in, \(count) came out")
    }

    private static func eventCount(_ line: ArraySlice<UInt8>) throws(Violation) -> Int {
        guard let ping = try? JSONValue(parsing: line), let events = ping.object?["events"]?.array else {
            throw Violation("a ping that is no JSON")
        }
        for event in events {
            for (key, value) in event.object?["extra"]?.object ?? [:] {
                let isShort = key.unicodeScalars.count <= 40 && (value.string?.utf8.count ?? .max) <= 500
                try require(isShort, "longer than Glean takes")
            }
        }
        return events.count
    }
}
