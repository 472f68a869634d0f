internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import JEXL

extension Explanation {
    /// The response to an explain request (docs/reference/http-api.md#explain).
    public var json: JSONValue {
        var members: JSONObject = [
            "selected": selected.map(JSONValue.string) ?? .null, "enrollments": .array(enrollments.map(json(of:))),
            "messages": .array(messages.map(\.json)),
            "not_served": .array(
                unserved.map { recipe in
                    var members: JSONObject = ["slug": .string(recipe.slug)]
                    for (name, value) in recipe.members { members[name] = value }
                    return .object(members)
                }),
        ]
        if isOfFirstPoll { members["first_poll"] = true }
        var audience: JSONObject = [:]
        if !segments.isEmpty {
            let values = segments.map { (key: $0.name, value: $0.isMember.map(JSONValue.bool) ?? "error") }
            audience["segments"] = .object(JSONObject(values))
        }
        if !facts.isEmpty {
            let values = facts.map { fact in
                (key: fact.name.text, value: ["value": fact.value, "at": .string(fact.at.rfc3339)] as JSONValue)
            }
            audience["answers"] = .object(JSONObject(values))
        }
        if !lists.isEmpty {
            audience["lists"] = .object(JSONObject(lists.map { (key: $0.name, value: .bool($0.isMember)) }))
        }
        if !eventTimes.isEmpty {
            let events = JSONObject(eventTimes.map { (key: $0.event.text, value: .string($0.time.rfc3339)) })
            audience["events"] = .object(events)
        }
        if !audience.isEmpty { members["audience"] = .object(audience) }
        if let feature { members["feature"] = feature.json }
        return .object(members)
    }

    private func json(of enrollment: Enrollment) -> JSONValue {
        guard var members = enrollment.json.object, let gates = enrollmentGates[enrollment.slug] else {
            return enrollment.json
        }
        members["gates"] = .array(gates.map(\.json))
        return .object(members)
    }
}

extension GateOutcome {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["gate": .string(gate), "holds": .bool(holds), "values": .object(values)]
        if !blockers.isEmpty { members["blocked_by"] = .array(blockers.map(\.json)) }
        return .object(members)
    }
}

extension FeatureExplanation {
    fileprivate var json: JSONValue {
        ["id": .string(id), "flags": .array(flags.map(\.json)), "recipes": .array(recipes.map(\.json))]
    }
}

extension FlagEvaluation {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["key": .string(key)]
        if let value { members["value"] = value }
        members["source"] = .string(source.rawValue)
        members["reason"] = .string(reason.rawValue)
        members["variant"] = .string(variant)
        members["recipe"] = recipe.map(JSONValue.string) ?? .null
        return .object(members)
    }
}

extension FeatureRecipe {
    fileprivate var json: JSONValue {
        [
            "slug": .string(slug), "kind": isRollout ? "rollout" : "experiment",
            "state": isPaused ? "paused" : "live",
            "status": (enrollment?.status.name).map(JSONValue.string) ?? .null,
            "reason": (enrollment?.status.reason).map(JSONValue.string) ?? .null,
            "branch": (enrollment?.status.branch).map(JSONValue.string) ?? .null,
            "value": value.map(JSONValue.object) ?? .null, "gates": .array(gates.map(\.json)),
        ]
    }
}

extension EnrollmentGateOutcome {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["gate": .string(gate), "holds": .bool(holds), "values": .object(values)]
        if let error { members["error"] = .string(error) }
        if !leaves.isEmpty { members["blocked_by"] = .array(leaves.map { $0.json(gate: gate, of: nil) }) }
        return .object(members)
    }
}

extension UnservedRecipe {
    /// The members without the slug.
    var members: JSONObject {
        var members: JSONObject = [
            "reason": .string(reason.rawValue), "date": date.map { .string($0.rfc3339) } ?? .null,
        ]
        if let pausedBy { members["guard"] = ["goal": .string(pausedBy.goal), "branch": .string(pausedBy.branch)] }
        return members
    }
}

extension Enrollment {
    var json: JSONValue {
        var members: JSONObject = [
            "slug": .string(slug), "status": .string(status.name),
            "reason": status.reason.map(JSONValue.string) ?? .null,
            "branch": status.branch.map(JSONValue.string) ?? .null,
        ]
        if case .notEnrolled(.featureConflict(let other)) = status { members["conflict_slug"] = .string(other) }
        return .object(members)
    }
}

extension MessageExplanation {
    var json: JSONValue {
        var members: JSONObject = [
            "key": .string(key), "eligible": .bool(isEligible), "reason": .string(verdict.rawValue),
            "priority": priority.map { .integer(Int64($0)) } ?? .null, "surface": .string(surface),
            "is_control": .bool(isControl), "display_count": .integer(Int64(displayCount)),
            "max_display_count": maxDisplayCount.map { .integer(Int64($0)) } ?? .null,
            "triggers": .array(triggers.map(\.json)), "exclusions": .array(exclusions.map(\.json)),
            "blocked_by": .array(blockers.map(\.json)), "gates": .array(gates.map(\.json)),
        ]
        if let malformation { members["malformed"] = .string(malformation.sentence) }
        return .object(members)
    }
}

extension TriggerExplanation {
    var json: JSONValue {
        var members: JSONObject = ["name": .string(name), "expression": .string(expression)]
        switch verdict {
        case .holds: members["value"] = true
        case .doesNotHold: members["value"] = false
        case .failed(let error): members["error"] = error.json
        }
        return .object(members)
    }
}

extension Blocker {
    /// - Parameter until: the time at which a new asking begins; nil for a recipe that does not repeat.
    private static func json(_ gate: String, _ values: JSONObject, until: Timestamp?) -> JSONValue {
        var values = values
        values["until"] = until.map { .string($0.rfc3339) }
        return ["gate": .string(gate), "values": .object(values)]
    }

    /// The gate's name, and the values that it examined.
    var json: JSONValue {
        switch self {
        case .malformed(let reason): ["gate": "malformed", "message": .string(reason.sentence), "values": [:]]
        case .surface(let own, let asked):
            ["gate": "surface", "values": ["surface": .string(own), "asked": .string(asked)]]
        case .displayCap(let count, let cap, let isLatched, let until):
            Self.json(
                "display_cap",
                [
                    "display_count": .integer(Int64(count)),
                    "max_display_count": cap == .max ? .null : .integer(Int64(cap)),
                    "expired": .bool(isLatched),
                ], until: until)
        case .interaction(let dismissals, let isClicked, let until):
            Self.json(
                "interaction", ["dismissals": .integer(Int64(dismissals)), "clicked": .bool(isClicked)], until: until)
        case .trigger(let name, let leaf): leaf.json(gate: "trigger", of: name)
        case .launches(let counters, let wanted):
            [
                "gate": "launches",
                "values": [
                    "launches": .integer(Int64(clamping: counters.launches)),
                    "foregrounds": .integer(Int64(clamping: counters.foregrounds)),
                    "first_launch_at": counters.firstLaunchAt.map { .string($0.rfc3339) } ?? .null,
                ],
                "wanted": [
                    "launches": .integer(Int64(clamping: wanted.launches)),
                    "foregrounds": .integer(Int64(clamping: wanted.foregrounds)),
                    "seconds_since_first_launch": .integer(wanted.seconds),
                ],
            ]
        case .exclusion(let name, let leaf): leaf.json(gate: "exclusion", of: name)
        case .pacing(let obstacle): obstacle.json
        }
    }
}

extension PacingObstacle {
    var json: JSONValue { ["gate": .string(verdict.rawValue), "values": .object(values)] }
}

extension FailingLeaf {
    /// Undefined attributes are listed outside the values, because null is a value.
    fileprivate func json(gate: String, of trigger: String?) -> JSONValue {
        let known = values.compactMap { reading in reading.value.map { (key: reading.name, value: $0) } }
        var members: JSONObject = ["gate": .string(gate)]
        if let trigger { members["trigger"] = .string(trigger) }
        members["expression"] = .string(expression)
        members["values"] = .object(JSONObject(known))
        let undefined = values.filter { $0.value == nil }.map { JSONValue.string($0.name) }
        if !undefined.isEmpty { members["undefined"] = .array(undefined) }
        if let error { members["error"] = error.json }
        return .object(members)
    }
}
