public import BellwetherJSON

/// The quotas that are full and the response limits that are reached, by message key
/// (docs/reference/messaging.md#quotas). They belong to the published state: when a quota becomes full, every worker is
/// informed.
public struct ReachedLimits: Sendable {
    /// The current count and the maximum of a quota or limit.
    public struct Level: Sendable, Hashable {
        public let taken: Int
        public let limit: Int

        public init(taken: Int, limit: Int) { (self.taken, self.limit) = (taken, limit) }
    }

    /// A quota that is full.
    public struct Quota: Sendable {
        public let name: Identifier
        public let level: Level
        /// Whether the quota excludes every respondent with these attributes, whatever the answers are. It uses up the
        /// remaining steps. A condition that the attributes do not decide excludes no respondent.
        public typealias Exclusion = @Sendable (_ attribute: (String) -> JSONValue?, _ steps: inout Int) -> Bool
        /// The condition; nil if responses that the quota would count are still accepted.
        let excludes: Exclusion?

        public init(_ name: Identifier, _ level: Level, excludes: Exclusion?) {
            (self.name, self.level, self.excludes) = (name, level, excludes)
        }
    }

    public struct Reached: Sendable {
        /// The count of submitted responses, if the limit is reached.
        public let responses: Level?
        public let quotas: [Quota]

        public init(responses: Level?, quotas: [Quota]) { (self.responses, self.quotas) = (responses, quotas) }
    }

    /// The maximum number of steps of all conditions in one decision (docs/reference/surveys.md#budget).
    package static let maximumSteps = 500_000

    private var byKey: [Identifier: Reached] = [:]

    public init() {}

    public subscript(key: Identifier) -> Reached? {
        get { byKey.isEmpty ? nil : byKey[key] }
        set { byKey[key] = newValue }
    }

    public var isEmpty: Bool { byKey.isEmpty }
}
