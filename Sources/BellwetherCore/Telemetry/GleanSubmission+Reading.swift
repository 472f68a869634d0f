internal import BellwetherBase
internal import BellwetherJSON

extension GleanSubmission {
    /// Reads a ping's body. A body that is no JSON object, or exceeds the JSON limits, is stored as text, or in base64
    /// if it is no text either.
    public init(_ address: GleanAddress, body: ArraySlice<UInt8>, limits: GleanLimits) {
        guard let ping = (try? JSONValue(parsing: body, limits: limits.json))?.object else {
            let record = Self.whole(address, Self.unread(body), at: limits.times.upperBound)
            self.init(address: address, ping: [:], records: [record])
            return
        }
        var reading = PingReading(address: address, ping: ping, limits: limits)
        reading.read()
        self.init(address: address, ping: ping, records: reading.records)
    }

    private static func unread(_ body: ArraySlice<UInt8>) -> (key: String, value: JSONValue) {
        if let text = String(utf8: body.span) { return ("text", .string(text)) }
        return ("base64", .string(Base64.encode(body)))
    }

    fileprivate static func whole(
        _ address: GleanAddress, _ content: (key: String, value: JSONValue), at time: Timestamp
    ) -> SubmittedEvent {
        var extra: JSONObject = [
            "document_id": .string(address.documentID), "application_id": .string(address.applicationID),
            "version": .string(address.version),
        ]
        extra[content.key] = content.value
        return SubmittedEvent(category: GleanPings.rawCategory, name: Identifier(address.ping), extra: extra, at: time)
    }
}

/// Makes records of a ping that is a JSON object.
private struct PingReading {
    let address: GleanAddress
    let ping: JSONObject
    let limits: GleanLimits
    var records: [SubmittedEvent] = []

    /// Reads the ping. The ping's own information is stored only beside data that is in no event: metrics, or events
    /// that cannot be read.
    mutating func read() {
        guard address.ping == GleanSubmission.eventsPing, let events = ping["events"]?.array,
            events.count <= limits.events
        else { return keep(ping) }
        var unread: [JSONValue] = []
        let start = time("start_time")
        records.reserveCapacity(events.count)
        for value in events {
            if let event = event(value, start: start) { records.append(event) } else { unread.append(value) }
        }
        var rest = ping
        rest["events"] = unread.isEmpty ? nil : .array(unread)
        let isMore = rest.contains { $0.key != "ping_info" && $0.key != "client_info" }
        if records.isEmpty || isMore { keep(rest) }
    }

    private mutating func keep(_ ping: JSONObject) {
        let time = time("end_time") ?? limits.times.upperBound
        records.append(GleanSubmission.whole(address, ("ping", .object(ping)), at: believed(time)))
    }

    /// Reads an event; nil for a value that is no event, or whose names are invalid for a metric.
    private func event(_ value: JSONValue, start: Timestamp?) -> SubmittedEvent? {
        guard let members = value.object, let category = members["category"]?.string, category.isIdentifier,
            let name = members["name"]?.string, name.isIdentifier, let extra = extra(members["extra"])
        else { return nil }
        let offset = max(0, members["timestamp"]?.integer ?? 0)
        let time = start?.adding(milliseconds: offset) ?? limits.times.upperBound
        return SubmittedEvent(category: Identifier(category), name: Identifier(name), extra: extra, at: believed(time))
    }

    /// The maximum number of keys, twice the number that Glean allows.
    private static let maximumKeys = 100

    private func extra(_ value: JSONValue?) -> JSONObject? {
        guard let value, value != .null else { return [:] }
        guard let members = value.object, members.count <= Self.maximumKeys,
            members.allSatisfy({ $0.key.isIdentifier })
        else { return nil }
        return members
    }

    private func time(_ name: String) -> Timestamp? {
        (ping["ping_info"]?.object?[name]?.string).flatMap(Timestamp.init(glean:))
    }

    private func believed(_ time: Timestamp) -> Timestamp {
        min(max(time, limits.times.lowerBound), limits.times.upperBound)
    }
}

extension Timestamp {
    /// Reads a time as pings write it: RFC 3339, usually without seconds, and sometimes without minutes
    /// (`2019-03-29T09:50-04:00`, docs/reference/events.md#glean-pings).
    init?(glean text: String) {
        let bytes = Array(text.utf8)
        // The position where the offset begins, and the text that is missing before it.
        let missing = [(16, ":00"), (13, ":00:00")].first { length, _ in
            bytes.count > length && [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "Z")].contains(bytes[length])
        }
        guard let (length, filling) = missing else {
            self.init(rfc3339: text)
            return
        }
        self.init(rfc3339: String(decoding: bytes[..<length] + filling.utf8 + bytes[length...], as: UTF8.self))
    }
}

extension Timestamp {
    /// The minute that contains the instant, as Glean writes times: `2026-11-21T07:00+00:00`. Instants outside of the
    /// years 0000…9999, which the form cannot represent, are moved to the nearest end.
    var gleanMinute: String {
        let written = Timestamp(milliseconds: min(max(milliseconds, Self.firstWritten), Self.lastWritten))
        return String(written.rfc3339.prefix(16)) + "+00:00"
    }

    /// The instants 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z.
    private static let firstWritten: Int64 = -62_167_219_200_000
    private static let lastWritten: Int64 = 253_402_300_799_999
}

/// Prefixes of texts that fit a limit. They end between Unicode scalars, as in glean-core.
extension String {
    /// The longest prefix with at most `limit` bytes of UTF-8.
    func cut(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return String(unicodeScalars[..<end])
    }

    /// The longest prefix with at most `limit` characters, as JSON Schema counts them.
    func cut(scalars limit: Int) -> String {
        // A scalar takes at least one byte.
        guard utf8.count > limit else { return self }
        return String(unicodeScalars.prefix(limit))
    }
}
