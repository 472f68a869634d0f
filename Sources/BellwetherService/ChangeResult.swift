/// What the requester of a change is told once it is durable.
public enum ChangeResult: Sendable {
    case recorded(EventTally)
}

/// How one request's events fared (api.md 2.2).
public struct EventTally: Sendable, Hashable {
    public var accepted: Int
    public var duplicates: Int

    public init(accepted: Int = 0, duplicates: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
    }
}
