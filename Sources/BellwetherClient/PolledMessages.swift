internal import BellwetherBase
internal import BellwetherJSON

/// The daemon's answer to a poll, with its time.
struct PolledMessages {
    static let file = "messages.json"

    let at: Timestamp
    let messages: [OfferedMessage]
    /// The number of changes at the client when it was made; nil if it is not of this process, or if something happened
    /// while the poll was under way.
    var changes: Int?
    private let body: JSONValue

    init?(_ response: TransportResponse, at now: Timestamp, changes: Int) {
        guard let body = try? JSONValue(parsing: response.body, limits: .queue) else { return nil }
        self.init(body, at: now)
        self.changes = changes
    }

    init?(saved: [UInt8]) {
        guard let json = try? JSONValue(parsing: saved, limits: .queue), let at = json["at"].integer else { return nil }
        self.init(json["answer"], at: Timestamp(milliseconds: at))
    }

    private init?(_ body: JSONValue, at: Timestamp) {
        guard let messages = body["messages"].array else { return nil }
        (self.body, self.at) = (body, at)
        self.messages = messages.compactMap { OfferedMessage($0) }
    }

    var saved: [UInt8] { JSONValue.object(["at": .integer(at.milliseconds), "answer": body]).encoded }
}
