public import BellwetherBase
public import BellwetherJSON

/// A submitted ping, as far as it can be read (docs/reference/events.md#submitted-pings).
///
/// Nothing in it is a fault, because the edge server does not inspect the pings that it accepts. Unreadable parts are
/// stored unchanged.
public struct GleanSubmission: Sendable, Hashable {
    public let address: GleanAddress
    /// `client_info.client_id`; nil if the ping names no client, or if the value is no valid id.
    public let clientID: Identifier?
    /// `client_info.locale`.
    public let locale: LanguageTag?
    /// The records for the log, in order. Each event of an `events` ping is one record. Any other ping is one record of
    /// the category `GleanPings.rawCategory` under its own name. The same applies to the data of an `events` ping that
    /// is in no readable event.
    public let records: [SubmittedEvent]
    /// `ping_info.experiments`, as it was sent.
    private let experiments: JSONObject

    /// The client id of pings without one: the nil UUID (RFC 9562 5.9), which Glean gives to no client.
    public static let nobody: Identifier = "00000000-0000-0000-0000-000000000000"
    static let eventsPing = "events"

    init(address: GleanAddress, ping: JSONObject, records: [SubmittedEvent]) {
        let client = ping["client_info"]?.object ?? [:]
        self.address = address
        clientID = client["client_id"]?.identifier.flatMap { $0.text.isIdentifier ? $0 : nil }
        locale = client["locale"]?.string.flatMap { LanguageTag($0) }
        self.records = records
        experiments = ping["ping_info"]?.object?["experiments"]?.object ?? [:]
    }

    /// The branch of the experiment in which the client says it is enrolled.
    public func enrollment(in slug: Identifier) -> EnrolledBranch? {
        guard let branch = experiments[slug]?.object?["branch"]?.string, branch.isIdentifier else { return nil }
        return EnrolledBranch(slug: slug, branch: Identifier(branch))
    }
}

/// The limits on the parts of a ping that are read, and on the times that are accepted from its clock.
public struct GleanLimits: Sendable, Hashable {
    public var json: JSONLimits
    /// The maximum number of events. An `events` ping with more is stored as a whole, and none of its events changes
    /// anything.
    public var events: Int
    /// The accepted times. A time outside is moved to the nearest end. The upper end is at most now.
    public var times: ClosedRange<Timestamp>

    public init(json: JSONLimits, events: Int, times: ClosedRange<Timestamp>) {
        self.json = json
        self.events = events
        self.times = times
    }
}
