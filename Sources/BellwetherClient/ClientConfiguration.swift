public import BellwetherJSON

/// The settings of a client. The defaults suit an app.
public struct ClientConfiguration: Sendable {
    /// The client's id: an installation, or an account if caps are to hold across devices. Without one the client makes
    /// an id at random and keeps it.
    public var clientID: String?
    /// The language of the person, as a tag: `de-AT`.
    public var locale: String?
    /// Whether nothing is stored or sent before `setConsent(true)`.
    public var requiresConsent = false
    /// The bundle that was built into the app: the body of `GET /v1/apps/{app}/bundle`. It is used until the daemon has
    /// given a newer one.
    public var builtInBundle: [UInt8]?
    /// The seconds from an event to its delivery, so that events share requests; nil: only `flush` delivers.
    public var flushSeconds: Double? = 10
    /// The size of the queue on disk in bytes.
    public var queueBytes = 1_000_000
    /// A function that may change or drop an event before it is counted, stored or sent. It gets the event as
    /// `POST /v1/apps/{app}/events` has it, and nil drops it. Answers do not pass through it.
    public var beforeSend: (@Sendable (JSONObject) -> JSONObject?)?

    public init() {}
}
