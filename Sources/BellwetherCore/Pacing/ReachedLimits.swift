public import BellwetherJSON

/// The quotas that are full and the response limits that are reached, of messages by their keys
/// (docs/reference/messaging.md#quotas). Part of what is published: whoever fills a quota tells every worker.
public struct ReachedLimits: Sendable {
    public struct Reached: Sendable {
        /// As many responses were submitted as may be.
        public var isResponseLimit: Bool
        /// Names of quotas that are full.
        public var quotas: [String]
        /// Whether one of them turns everybody away of whom the attributes are known, whatever the answers are. It
        /// takes steps from those that are left; what cannot be told with them turns nobody away.
        public typealias Exclusion = @Sendable (_ attribute: (String) -> JSONValue?, _ steps: inout Int) -> Bool
        public var excludes: Exclusion

        public init(isResponseLimit: Bool, quotas: [String], excludes: @escaping Exclusion) {
            (self.isResponseLimit, self.quotas, self.excludes) = (isResponseLimit, quotas, excludes)
        }
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
