public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A filter of a log's records. A record matches if it has one of the values of each kind that is named
/// (docs/reference/http-api.md#filters). An empty filter matches all records.
public struct TelemetryFilter: Sendable, Hashable {
    public var categories: [Identifier] = []
    public var names: [Identifier] = []
    /// Keys of messages: `extra.message_key`, and `extra.survey_id` of a microsurvey's records.
    public var messages: [Identifier] = []
    /// Slugs of the recipes that records belong to.
    public var experiments: [Identifier] = []
    /// The times at which the store received records, by its own clock.
    public var received: Range<Timestamp>?

    public init() {}

    public var isEmpty: Bool {
        categories.isEmpty && names.isEmpty && messages.isEmpty && experiments.isEmpty && received == nil
    }
}

extension TelemetryFilter {
    /// Whether a record matches the filter.
    func means(_ row: TelemetryRow) -> Bool {
        guard categories.isEmpty || categories.contains(row.category),
            names.isEmpty || names.contains(row.name),
            received?.contains(row.receivedAt) ?? true
        else { return false }
        if !experiments.isEmpty {
            guard let slug = row.experiment, experiments.contains(slug) else { return false }
        }
        guard !messages.isEmpty else { return true }
        // Most records belong to no message, and need not be parsed.
        guard row.extra.utf8.contains(UInt8(ascii: "_")), let extra = try? JSONValue(parsing: row.extra, limits: .kept)
        else {
            return false
        }
        let keys = ["message_key", "survey_id"].compactMap { extra.object?[$0]?.identifier }
        return messages.contains(where: keys.contains)
    }
}
