public import BellwetherAuthoring
internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// A guard that has paused its recipe (docs/reference/goals.md#guards).
public struct FiredGuard: Sendable, Hashable {
    public let bound: GoalGuard
    public let firing: GuardFiring
    /// Whether an owner has put the recipe live again since.
    public internal(set) var isOff = false

    init(_ bound: GoalGuard, _ firing: GuardFiring) { (self.bound, self.firing) = (bound, firing) }

    /// `{kind, goal, branch, at}`: what paused the recipe.
    public var pausedBy: JSONObject {
        [
            "kind": "guard", "goal": .string(bound.goal), "branch": .string(firing.branch),
            "at": .string(firing.at.rfc3339),
        ]
    }

    /// The member `guard` of the audit's record.
    var facts: JSONObject {
        var facts: JSONObject = ["goal": .string(bound.goal), "branch": .string(firing.branch)]
        for (name, value) in bound.boundJSON { facts[name] = value }
        for name in ["lift", "interval"] { facts[name] = firing.numbers[name] }
        facts["exposed"] = .integer(firing.exposed)
        return facts
    }

    /// The body of the webhook.
    func notice(of slug: Identifier, revision: Int, in app: Identifier) -> JSONValue {
        var notice: JSONObject = [
            "type": "guard", "app": .string(app), "recipe": .string(slug), "revision": .integer(Int64(revision)),
            "goal": .string(bound.goal), "branch": .string(firing.branch), "at": .string(firing.at.rfc3339),
            "verdict": "worse",
        ]
        for (name, value) in firing.numbers { notice[name] = value }
        return .object(notice)
    }

    var json: JSONValue {
        var guarding: JSONObject = ["goal": .string(bound.goal)]
        for (name, value) in bound.boundJSON { guarding[name] = value }
        guarding["branch"] = bound.branch.map { .string($0) }
        return ["guard": .object(guarding), "fired": .object(firing.json), "off": .bool(isOff)]
    }

    /// Nil for a value of another form.
    init?(_ json: JSONValue) {
        let findings = Findings()
        guard let object = json.object, let fired = object["fired"]?.object, let guarding = object["guard"],
            let bound = GoalGuard(JSONReader(guarding, findings: findings)), let firing = GuardFiring(fired)
        else { return nil }
        self.init(bound, firing)
        isOff = object["off"]?.bool ?? false
    }
}

extension RecipePeriods {
    /// The guards of the newest period, with their states.
    func standings(of guards: [GoalGuard]) -> [GuardStanding] {
        let fired = periods.last?.fired ?? []
        return guards.map { bound in
            guard let fired = fired.last(where: { $0.bound == bound }) else { return GuardStanding(bound, .armed, nil) }
            return GuardStanding(bound, fired.isOff ? .off : .fired, fired.firing)
        }
    }

    /// The guard that keeps a paused recipe from being live; nil if an owner has paused it.
    var pausing: FiredGuard? { periods.flatMap(\.fired).last { !$0.isOff } }
}

extension GoalQuery {
    /// The guards of the newest period that are judged, with the goals that they read.
    var armed: [GuardStanding] {
        guard let recipe = app.recipes[slug], recipe.isLive, let goals = recipe.recipe.goals else { return [] }
        return (app.periods[slug]?.stored.standings(of: goals.guards) ?? []).filter { $0.state == .armed }
    }
}

extension GoalResults {
    /// The guards that fire by these counts.
    func firing(_ armed: [GuardStanding], at now: Timestamp) -> [FiredGuard] {
        armed.compactMap { standing in
            let report = reports.first { $0.goal.name == standing.bound.goal }
            return report?.firing(of: standing.bound, at: now).map { FiredGuard(standing.bound, $0) }
        }
    }

    /// Whether these guards hold by these counts.
    func holds(_ armed: [GuardStanding]) -> Bool {
        armed.allSatisfy { standing in
            reports.first { $0.goal.name == standing.bound.goal }?.holds(standing.bound) ?? false
        }
    }
}
