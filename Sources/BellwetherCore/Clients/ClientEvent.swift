public import BellwetherBase

/// What a client reports (docs/reference/events.md#events).
public struct ClientEvent: Sendable, Hashable {
    /// Unique for the client; nil: the event can not be told from its repetition.
    public let id: String?
    /// When it happened by the client's clock; nil: now.
    public let at: Timestamp?
    public let kind: Kind

    public enum Kind: Sendable, Hashable {
        case behavior(name: String, count: UInt64)
        case message(MessageAction, key: String, actionUUID: String?)
        case microsurvey(MicrosurveyStep, key: String)
        case exposure(experiment: String?, featureID: String?)
    }

    public init(id: String?, at: Timestamp?, kind: Kind) {
        self.id = id
        self.at = at
        self.kind = kind
    }
}

public enum MessageAction: String, Sendable, Hashable, CaseIterable {
    case displayed, clicked, dismissed
}

/// Why one event of a batch was not taken; the others were.
public struct EventRejection: Sendable, Hashable {
    /// The event's place in the request.
    public let index: Int
    public let code: String
    public let message: String

    public init(index: Int, code: String, message: String) {
        self.index = index
        self.code = code
        self.message = message
    }
}
