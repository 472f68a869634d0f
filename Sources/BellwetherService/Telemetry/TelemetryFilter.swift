public import BellwetherBase
internal import BellwetherCore

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
