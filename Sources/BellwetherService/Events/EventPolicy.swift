/// The settings for the judgement of events.
public struct EventPolicy: Sendable, Hashable {
    /// The time for which event ids are stored, and so the maximum age of an event.
    public var dedupSeconds: Int64 = 90 * 86_400
    /// Whether behaviour events enter the telemetry log (`telemetry.behavior`).
    public var recordsBehavior = false
    /// Whether the record of a submission contains the answers (`telemetry.answers`).
    public var recordsAnswers = true

    public init() {}
}
