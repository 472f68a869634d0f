public import BellwetherBase
public import BellwetherJSON

/// The outcome of a run of a flow (docs/reference/flows.md#outcomes).
public struct FlowOutcome: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The respondent completed the last step.
        case finished
        /// The last step has rules, and no rule held.
        case fallback
        case endNode = "end_node"
        /// The run visited too many steps.
        case loopGuard = "loop_guard"
        case paywall
        case permissionRequest = "permission_request"
        case screenPresent = "screen_present"
        case subFlow = "sub_flow"
        /// The respondent dismissed the flow before its end.
        case dismissed
        /// A quota was full.
        case screenedOut = "screened_out"
    }

    public let reason: Reason
    /// The target that the app presents next.
    public let target: Identifier?

    public init(_ reason: Reason, target: Identifier? = nil) { (self.reason, self.target) = (reason, target) }

    public var json: JSONValue {
        var json: JSONObject = ["reason": .string(reason.rawValue)]
        json["target"] = target.map { .string($0) }
        return .object(json)
    }
}

/// A respondent's path through a flow, and the answers. It is the state that `advance` needs in addition to the
/// definition.
public struct FlowRun: Sendable, Hashable {
    /// The steps from the first to the current one; `back` returns along them.
    public internal(set) var path: [Identifier] = []
    /// The number of steps that the run has entered forwards.
    public internal(set) var visits = 0
    /// The answers to the steps on the path, by step and field, without secrets.
    public internal(set) var responses: JSONObject = [:]
    /// The answers to steps that left the path, and to skipped steps. They count nowhere. The respondent sees them
    /// again at the step, until the run ends.
    public internal(set) var asideResponses: JSONObject = [:]
    /// The files to which the responses refer, each once.
    public internal(set) var files: [FileReference] = []
    /// The data that hooks have returned.
    public internal(set) var computed: JSONObject = [:]
    public internal(set) var outcome: FlowOutcome?
    /// The context that the app sent at the start: source, campaign and so on.
    public let context: JSONObject
    /// The attributes of the respondent: `user` in templates and conditions.
    public var attributes: JSONObject
    public let locale: String?
    public let platform: String?
    public let startedAt: Timestamp
    /// The overrides of render hooks, by step.
    public internal(set) var overrides: JSONObject = [:]
    /// The conversations that the respondent has not left by `next`, by step.
    public internal(set) var chats: JSONObject = [:]
    /// The counts of the respondent's actions, by step.
    public internal(set) var counts: [Identifier: FlowStepCounts] = [:]
    /// The time at which the current step was shown.
    var viewedAt: Timestamp?

    public enum Status: String, Sendable, Hashable {
        case active
        case completed
        case dismissed
    }

    public var status: Status {
        guard let outcome else { return .active }
        return outcome.reason == .dismissed ? .dismissed : .completed
    }

    public var stepID: Identifier? { outcome == nil ? path.last : nil }

    init(_ start: FlowStart, at now: Timestamp) {
        (context, attributes, locale, platform) = (start.context, start.attributes, start.locale, start.platform)
        startedAt = now
    }

    /// Stores the override of the step's hook when the step is shown. Members of an earlier override stay if the new
    /// one has none.
    public mutating func override(_ step: Identifier, with override: FlowOverride) {
        if !override.isEmpty { overrides[step] = .object(override.json) }
    }

    /// The override of a step from its render hook.
    func override(of step: FlowStep) -> FlowOverride { FlowOverride(overrides[step.id]?.object ?? [:]) }

    /// Sets the answers to a step aside, unless these visits include the step.
    mutating func setAside(_ step: Identifier, unlessIn visits: ArraySlice<Identifier>) {
        guard let answers = responses[step], !visits.contains(step) else { return }
        (responses[step], asideResponses[step]) = (nil, answers)
    }

    /// Drops the answers and conversations of steps that the path does not have, at the end of the run.
    mutating func keepPathOnly() {
        asideResponses = [:]
        chats = JSONObject(chats.filter { chat in path.contains(Identifier(chat.key)) })
    }

    /// The answers to a step on the path.
    func answers(of step: Identifier) -> JSONObject { responses[step]?.object ?? [:] }

    /// The answers that the respondent sees at a step: also those that were set aside.
    func shownAnswers(of step: Identifier) -> JSONObject { (responses[step] ?? asideResponses[step])?.object ?? [:] }

    /// The answers that the respondent sees at the current step, and those to the other steps on the path.
    var shownResponses: JSONObject {
        var shown = responses
        if let step = stepID, let answers = asideResponses[step], shown[step] == nil { shown[step] = answers }
        return shown
    }

    /// The value of `user` in conditions and templates.
    var user: JSONObject {
        var user = context["userProperties"]?.object ?? [:]
        for member in attributes { user[member.key] = member.value }
        return user
    }

    /// The values that conditions can read.
    public var facts: ConditionFacts {
        var facts = ConditionFacts(steps: responses, attributes: attributes)
        (facts.user, facts.hookData, facts.context) = (user, computed, context)
        (facts.platform, facts.locale) = (platform, locale)
        facts.previousStep = path.dropLast().last
        return facts
    }
}

/// The values with which a run starts.
public struct FlowStart: Sendable, Hashable {
    public var context: JSONObject = [:]
    public var attributes: JSONObject = [:]
    public var locale: String?
    public var platform: String?

    public init() {}
}

/// The stored form of a run without its responses: one JSON object.
extension FlowRun {
    public var json: JSONObject {
        var json: JSONObject = [
            "path": .array(path.map { .string($0) }), "visits": .integer(Int64(visits)),
            "started_at": .integer(startedAt.milliseconds),
        ]
        json["viewed_at"] = viewedAt.map { .integer($0.milliseconds) }
        json["counts"] = .object(
            JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.json) }))
        for (key, object) in parts where !object.isEmpty { json[key] = .object(object) }
        if !files.isEmpty { json["files"] = .array(files.map(\.json)) }
        json["locale"] = locale.map { .string($0) }
        json["platform"] = platform.map { .string($0) }
        json["outcome"] = outcome?.json
        return json
    }

    private var parts: [(String, JSONObject)] {
        [
            ("computed", computed), ("context", context), ("attributes", attributes), ("overrides", overrides),
            ("chats", chats), ("aside", asideResponses),
        ]
    }

    /// Reads a stored run; nil for JSON that no version of the daemon has written.
    public init?(_ json: JSONObject, responses: JSONObject) {
        guard let path = json["path"]?.array?.compactMap(\.identifier), let visits = json["visits"]?.integer,
            let started = json["started_at"]?.integer
        else { return nil }
        func object(_ key: String) -> JSONObject { json[key]?.object ?? [:] }
        var start = FlowStart()
        (start.context, start.attributes) = (object("context"), object("attributes"))
        (start.locale, start.platform) = (json["locale"]?.string, json["platform"]?.string)
        self.init(start, at: Timestamp(milliseconds: started))
        (self.path, self.visits, self.responses) = (path, Int(visits), responses)
        (computed, overrides, chats) = (object("computed"), object("overrides"), object("chats"))
        viewedAt = json["viewed_at"]?.integer.map { Timestamp(milliseconds: $0) }
        files = json["files"]?.array?.compactMap { FileReference($0) } ?? []
        for step in object("counts") { counts[Identifier(step.key)] = FlowStepCounts(step.value) }
        outcome = json["outcome"]?.object.flatMap { outcome in
            outcome["reason"]?.string.flatMap(FlowOutcome.Reason.init(rawValue:))
                .map { FlowOutcome($0, target: outcome["target"]?.identifier) }
        }
        asideResponses = object("aside")
        // An earlier version of the daemon stored all answers of an open run together.
        if outcome == nil { for step in responses.keys { setAside(Identifier(step), unlessIn: path[...]) } }
    }
}

/// The number of times that a run entered a step, and the ways in which it left the step
/// (docs/reference/flows.md#results).
public struct FlowStepCounts: Sendable, Hashable {
    public var viewed = 0
    public var completed = 0
    public var skipped = 0
    public var back = 0
    /// The total time from showing the step to its completion or skip.
    public var milliseconds: Int64 = 0

    public init() {}

    var json: JSONValue {
        .array([viewed, completed, skipped, back].map { .integer(Int64($0)) } + [.integer(milliseconds)])
    }

    /// Reads stored counts; nil for JSON that no version of the daemon has written.
    init?(_ json: JSONValue) {
        guard let numbers = json.array?.compactMap(\.integer), numbers.count == 5 else { return nil }
        (viewed, completed, skipped) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
        (back, milliseconds) = (Int(numbers[3]), numbers[4])
    }

    public static func += (left: inout FlowStepCounts, right: FlowStepCounts) {
        left.viewed += right.viewed
        left.completed += right.completed
        left.skipped += right.skipped
        left.back += right.back
        left.milliseconds += right.milliseconds
    }
}
