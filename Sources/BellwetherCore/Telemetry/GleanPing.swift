internal import BellwetherBase
internal import BellwetherJSON

/// One Glean `events` ping: records of one client, in the form of the public schema glean/1
/// (docs/reference/events.md#glean-pings).
///
/// Texts that are too long for the schema, or for Glean itself, are cut between characters. Values of `extra` are cut
/// at 500 bytes, as in glean-core. Their keys are cut at 40 characters; if two keys become equal, the first keeps its
/// value. Slugs and branches of experiments are cut at 100 characters. An object becomes one extra for each value
/// inside it, with a dot between the keys: `answers.q2`. Other values that are not texts are written as their JSON
/// text. An array whose text is too long loses its last elements. Nulls and empty objects are left out.
struct GleanPing: Sendable {
    /// The number of queued events at which Glean sends the ping.
    static let capacity = 500
    static let valueBytes = 500
    static let keyLength = 40
    static let experimentLength = 100
    /// The word that Glean's server libraries use for a value that a server cannot know.
    private static let unknown = "Unknown"
    /// A valid date that belongs to no client, because the daemon does not know when the app was first started.
    private static let firstRunDate = "1970-01-01+00:00"

    private var records: [TelemetryRecord] = []
    /// The branches by slug, both cut.
    private var experiments = JSONObject()
    /// The position of the last record in the log. It grows from one ping of a client to the next, over all pages.
    private var sequence: Int64 = 0

    var clientID: Identifier? { records.first?.clientID }
    private var isFull: Bool { records.count >= Self.capacity }

    func hasRoom(for record: TelemetryRecord) -> Bool {
        guard !isFull else { return false }
        guard let (slug, branch) = Self.experiment(of: record), let known = experiments[slug] else { return true }
        return known == branch
    }

    mutating func append(_ record: TelemetryRecord, cursor: Int64) {
        records.append(record)
        sequence = cursor
        if let (slug, branch) = Self.experiment(of: record) { experiments[slug] = branch }
    }

    /// The entry of a record in `experiments`; nil for an experiment without a branch.
    private static func experiment(of record: TelemetryRecord) -> (slug: Identifier, branch: JSONValue)? {
        guard let slug = record.experiment, let branch = record.branch else { return nil }
        return (
            Identifier(slug.text.cut(scalars: experimentLength)), .string(branch.text.cut(scalars: experimentLength))
        )
    }

    func json(clientID: Identifier, channel: String?) -> JSONValue {
        let records = inOrderOfTime
        guard let first = records.first, let last = records.last else { return .null }
        return [
            "ping_info": .object(pingInformation(from: first.at, to: last.at)),
            "client_info": .object(clientInformation(clientID, channel)),
            "events": .array(records.map { Self.event($0, after: first.at) }),
        ]
    }

    /// The records in order of time; records of the same time stay in the order of the log.
    private var inOrderOfTime: [TelemetryRecord] {
        records.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private func pingInformation(from start: Timestamp, to end: Timestamp) -> JSONObject {
        var information: JSONObject = [
            "seq": .integer(sequence), "start_time": .string(start.gleanMinute), "end_time": .string(end.gleanMinute),
        ]
        if isFull { information["reason"] = "max_capacity" }
        if !experiments.isEmpty {
            let branches = experiments.map { (key: $0.key, value: JSONValue.object(["branch": $0.value])) }
            information["experiments"] = .object(JSONObject(branches))
        }
        return information
    }

    private func clientInformation(_ clientID: Identifier, _ channel: String?) -> JSONObject {
        var information: JSONObject = ["client_id": .string(clientID)]
        for name in ["app_build", "app_display_version", "architecture", "os", "os_version", "telemetry_sdk_build"] {
            information[name] = .string(Self.unknown)
        }
        information["first_run_date"] = .string(Self.firstRunDate)
        if let channel { information["app_channel"] = .string(channel) }
        if let locale { information["locale"] = .string(locale) }
        return information
    }

    /// The language of the client's last answer. No other field of the log contains a language.
    private var locale: String? {
        let answer = records.last { $0.category == "microsurvey" && $0.name == "submit_button_tapped" }
        guard let locale = answer?.extra["locale"]?.string, !locale.isEmpty else { return nil }
        return locale.cut(utf8: Self.valueBytes)
    }

    private static func event(_ record: TelemetryRecord, after start: Timestamp) -> JSONValue {
        let (distance, overflow) = record.at.milliseconds.subtractingReportingOverflow(start.milliseconds)
        var event: JSONObject = [
            "timestamp": .integer(overflow ? .max : distance), "category": .string(record.category),
            "name": .string(record.name),
        ]
        let extra = extra(record.extra)
        if !extra.isEmpty { event["extra"] = .object(extra) }
        return .object(event)
    }

    private static func extra(_ members: JSONObject) -> JSONObject {
        var extra = JSONObject()
        add(members, below: "", to: &extra)
        return extra
    }

    private static func add(_ members: JSONObject, below path: String, to extra: inout JSONObject) {
        for (name, value) in members where value != .null {
            if let object = value.object {
                add(object, below: "\(path)\(name).", to: &extra)
                continue
            }
            let key = "\(path)\(name)".cut(scalars: keyLength)
            guard extra[key] == nil else { continue }
            extra[key] = .string(text(of: value).cut(utf8: valueBytes))
        }
    }

    private static func text(of value: JSONValue) -> String {
        guard var elements = value.array else { return value.string ?? value.text }
        // The loop does not remove elements one by one, because an array may be long.
        var length = 2
        let fitting = elements.prefix { element in
            length += element.text.utf8.count + 1
            return length - 1 <= valueBytes
        }
        if fitting.count < elements.count { elements = Array(fitting) }
        return JSONValue.array(elements).text
    }
}
