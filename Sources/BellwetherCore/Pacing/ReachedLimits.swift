public import BellwetherJSON

/// The quotas that are full and the response limits that are reached, of messages by their keys
/// (docs/reference/messaging.md#quotas). Part of what is published: when a quota is filled, every worker is informed.
public struct ReachedLimits: Sendable {
    /// How full a quota or limit is.
    public struct Level: Sendable, Hashable {
        public let taken: Int
        public let limit: Int

        public init(taken: Int, limit: Int) { (self.taken, self.limit) = (taken, limit) }
    }

    /// A quota that is full.
    public struct Quota: Sendable {
        public let name: String
        public let level: Level
        /// Whether it turns every respondent with these attributes away, whatever the answers are. It takes steps from
        /// those that are left; a condition that cannot be judged with them turns no respondent away.
        public typealias Exclusion = @Sendable (_ attribute: (String) -> JSONValue?, _ steps: inout Int) -> Bool
        /// Nil: the responses that it would count are accepted.
        let excludes: Exclusion?

        public init(_ name: String, _ level: Level, excludes: Exclusion?) {
            (self.name, self.level, self.excludes) = (name, level, excludes)
        }
    }

    public struct Reached: Sendable {
        /// The count of submitted responses, if the limit is reached.
        public let responses: Level?
        public let quotas: [Quota]

        public init(responses: Level?, quotas: [Quota]) { (self.responses, self.quotas) = (responses, quotas) }
    }

    /// Steps of all conditions of one decision (docs/reference/surveys.md#budget).
    package static let maximumSteps = 500_000

    private var byKey: [ByteKey: Reached] = [:]

    public init() {}

    public subscript(key: String) -> Reached? {
        get { byKey.isEmpty ? nil : byKey[ByteKey(text: key)] }
        set { byKey[ByteKey(text: key)] = newValue }
    }

    public var isEmpty: Bool { byKey.isEmpty }
}
