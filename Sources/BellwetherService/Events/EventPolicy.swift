/// The settings that events are judged by.
public struct EventPolicy: Sendable, Hashable {
    /// How long event ids are remembered, and so how old an event may be.
    public var dedupSeconds: Int64 = 90 * 86_400
    /// Whether behaviour events enter the telemetry log (`telemetry.behavior`).
    public var recordsBehavior = false
    /// Whether the record of a submission has the answers (`telemetry.answers`).
    public var recordsAnswers = true

    /// An event dated within 5 minutes of now happens now; one further ahead is refused
    /// (docs/reference/events.md#event-times).
    static let toleranceSeconds: Int64 = 300

    public init() {}
}
