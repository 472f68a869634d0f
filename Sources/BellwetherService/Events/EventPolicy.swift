/// The settings for the judgement of events.
public struct EventPolicy: Sendable, Hashable {
    /// The time for which event ids are stored, and so the maximum age of an event.
    public var dedupSeconds: Int64 = 90 * 86_400
    /// Whether behaviour events enter the telemetry log (`telemetry.behavior`).
    public var recordsBehavior = false
    /// Whether the record of a submission contains the answers (`telemetry.answers`).
    public var recordsAnswers = true

    /// An event dated within 5 minutes of now counts as happening now; an event further ahead is refused
    /// (docs/reference/events.md#event-times).
    static let toleranceSeconds: Int64 = 300

    public init() {}
}
