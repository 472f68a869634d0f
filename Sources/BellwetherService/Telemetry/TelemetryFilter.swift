public import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Which records of a log are meant: of each kind that is named, one of its values
/// (docs/reference/http-api.md#filters). Nothing named: all.
public struct TelemetryFilter: Sendable, Hashable {
    public var categories: [String] = []
    public var names: [String] = []
    /// Keys of messages: `extra.message_key`, and `extra.survey_id` of a microsurvey's records.
    public var messages: [String] = []
    /// Slugs, of the recipe that a record belongs to.
    public var experiments: [String] = []
    /// When the store received a record, by its own clock.
    public var received: Range<Timestamp>?

    public init() {}

    public var isEmpty: Bool {
        categories.isEmpty && names.isEmpty && messages.isEmpty && experiments.isEmpty && received == nil
    }
}

extension TelemetryFilter {
    /// Whether a record is one of them.
    func means(_ row: TelemetryRow) -> Bool {
        guard categories.isEmpty || categories.contains(where: row.category.hasSameBytes),
            names.isEmpty || names.contains(where: row.name.hasSameBytes),
            received?.contains(row.receivedAt) ?? true
        else { return false }
        if !experiments.isEmpty {
            guard let slug = row.experiment, experiments.contains(where: slug.hasSameBytes) else { return false }
        }
        guard !messages.isEmpty else { return true }
        // Most records are of no message, and need not be parsed.
        guard row.extra.utf8.contains(UInt8(ascii: "_")), let extra = try? JSONValue(parsing: row.extra, limits: .kept)
        else {
            return false
        }
        let keys = ["message_key", "survey_id"].compactMap { extra.object?[$0]?.string }
        return messages.contains { message in keys.contains { $0.hasSameBytes(as: message) } }
    }
}
