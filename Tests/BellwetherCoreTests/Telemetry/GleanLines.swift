import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

/// The pings of records, parsed. Cursors count from 1.
enum GleanLines {
    static func of(
        _ records: [TelemetryRecord], app: Identifier = "app", channel: String? = nil, from cursor: Int64 = 1
    ) throws -> [JSONValue] {
        var pings = GleanPings(app: app, channel: channel)
        for (place, record) in records.enumerated() { pings.append(record, cursor: cursor + Int64(place)) }
        var output: [UInt8] = []
        pings.write(to: &output)
        #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
        return try output.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
    }

    /// A record. `seconds` counts from 2026-03-10T12:00:00Z.
    static func record(
        _ name: String = "shown", client: Identifier = "c", seconds: Double = 0, category: String = "messaging",
        extra: JSONObject = [:], in experiment: Identifier? = nil, _ branch: Identifier? = nil
    ) -> TelemetryRecord {
        let at = Timestamp(milliseconds: 1_773_144_000_000 + Int64(seconds * 1000))
        return TelemetryRecord(
            at: at, clientID: client, category: Identifier(category), name: Identifier(name), extra: extra,
            experiment: experiment,
            branch: branch)
    }
}

extension JSONValue {
    /// A missing member is null, so that the following comparison fails with a message.
    subscript(member key: String) -> JSONValue { object?[key] ?? .null }

    var names: [String] { (self[member: "events"].array ?? []).compactMap { $0[member: "name"].string } }
}
