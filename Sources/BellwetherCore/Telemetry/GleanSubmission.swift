public import BellwetherBase
public import BellwetherJSON

/// A ping as it was submitted, as far as it can be read (docs/reference/events.md#submitted-pings).
///
/// Nothing in it is a fault: the edge server does not inspect what it accepts. Unreadable parts are kept as they came.
public struct GleanSubmission: Sendable, Hashable {
    public let address: GleanAddress
    /// `client_info.client_id`; nil: the ping names no client, or none that can be one.
    public let clientID: String?
    /// `client_info.locale`.
    public let locale: LanguageTag?
    /// The records for the log, in order: the events of an `events` ping, any other ping as one record of the category
    /// `GleanPings.rawCategory` under its own name; so is what an `events` ping has beside events that can be read.
    public let records: [SubmittedEvent]
    /// `ping_info.experiments`, as sent.
    private let experiments: JSONObject

    /// The client id of pings without one: the nil UUID (RFC 9562 5.9), which Glean gives to no client.
    public static let nobody = "00000000-0000-0000-0000-000000000000"
    static let eventsPing = "events"

    init(address: GleanAddress, ping: JSONObject, records: [SubmittedEvent]) {
        let client = ping["client_info"]?.object ?? [:]
        self.address = address
        clientID = client["client_id"]?.string.flatMap { $0.isIdentifier ? $0 : nil }
        locale = client["locale"]?.string.flatMap(LanguageTag.init)
        self.records = records
        experiments = ping["ping_info"]?.object?["experiments"]?.object ?? [:]
    }

    /// The branch in which the phone itself is enrolled.
    public func enrollment(in slug: String) -> EnrolledBranch? {
        guard let branch = experiments[slug]?.object?["branch"]?.string, branch.isIdentifier else { return nil }
        return EnrolledBranch(slug: slug, branch: branch)
    }
}

/// How much of a ping is read, and what is believed of its clock.
public struct GleanLimits: Sendable, Hashable {
    public var json: JSONLimits
    /// An `events` ping of more is kept whole: none of them changes anything.
    public var events: Int
    /// Times outside are moved to its nearest end, which is now at the latest.
    public var times: ClosedRange<Timestamp>

    public init(json: JSONLimits, events: Int, times: ClosedRange<Timestamp>) {
        self.json = json
        self.events = events
        self.times = times
    }
}
