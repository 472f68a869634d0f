public import BellwetherBase
public import BellwetherJSON
public import JEXL

/// The values that a trigger's expression can read: the context, the client's event counters and branches, and the
/// clock.
public struct TriggerEnvironment: JEXLEnvironment {
    public let context: TargetingContext
    /// The client's id; nil in a hypothetical query without a client.
    public let clientID: Identifier?
    public let behavior: BehaviorHistory
    public private(set) var branches: ClientBranches
    public let clock: DecisionClock
    /// The app's derived events.
    var events = DerivedEvents.none
    /// The client's facts; nil where no answers are known, as on a device. Then `answer.NAME` is undefined.
    var answers: RespondentFacts?
    /// The app's lists; nil if it has none.
    var lists: AudienceLists?
    /// The user that the client was identified with, for lists of users.
    var userID: Identifier?
    /// The app's session, which session caps read. No expression reads it.
    var sessionID: Identifier?

    public init(
        context: TargetingContext, clientID: Identifier?, behavior: BehaviorHistory, branches: ClientBranches,
        clock: DecisionClock
    ) {
        self.context = context
        self.clientID = clientID
        self.behavior = behavior
        self.branches = branches
        self.clock = clock
    }

    /// Creates an environment for decisions that are not cached. The time until which they hold is not recorded.
    public init(
        context: TargetingContext, clientID: Identifier?, behavior: BehaviorHistory, branches: ClientBranches,
        now: Timestamp
    ) {
        self.init(
            context: context, clientID: clientID, behavior: behavior, branches: branches, clock: DecisionClock(at: now))
    }

    public func value(of identifier: String) -> JSONValue? {
        if let (word, name) = AudienceScope.parts(of: identifier) { return audience(word, name) }
        guard SDKAttributes.derivedPerClient.contains(identifier), context.attributes[identifier] == nil else {
            return context.value(of: identifier)
        }
        return switch identifier {
        case "current_date": .integer(clock.time().seconds)
        case "nimbus_id", "user_id": clientID.map(JSONValue.string) ?? .null
        case "is_already_enrolled": false
        case "active_experiments": .array(branches.all.map { .string($0.slug) })
        case "enrollments": .array(presentAndPast.map { .string($0.slug) })
        default: .object(JSONObject(presentAndPast.map { (key: $0.slug.text, value: .string($0.branch)) }))
        }
    }

    /// The value of a list or a fact; nil for one that does not exist. No attribute can say it.
    private func audience(_ word: AudienceScope.Word, _ name: String) -> JSONValue? {
        switch word {
        case .list: lists?.contains(name, clientID: clientID, userID: userID).map(JSONValue.bool)
        case .answer: answers.map { $0[name] ?? .null }
        case .segment: nil
        }
    }

    /// The branches as the SDK has them in `enrollments` and `enrollments_map`. They distinguish a client that left a
    /// recipe, or whose recipe ended, from a client that was never in it.
    private var presentAndPast: [EnrolledBranch] {
        let present = branches.all
        let slugs = Set(present.map(\.slug))
        return present + branches.past.filter { !slugs.contains($0.slug) }
    }

    public func result(of query: EventQuery) -> Double { clock.result(of: query, in: behavior, events) }

    public func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}

extension TriggerEnvironment: EvolvingEnvironment {
    public func with(_ branches: ClientBranches) -> TriggerEnvironment {
        var environment = self
        environment.branches = branches
        return environment
    }
}
