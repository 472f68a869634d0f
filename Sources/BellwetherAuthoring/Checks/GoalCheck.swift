internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Warnings about goals that count other than their author may expect (docs/findings.md#goals).
struct GoalCheck {
    let manifest: Manifest
    let context: CheckContext
    let findings: Findings

    func check(_ goals: RecipeGoals, of experiment: Experiment, _ document: JSONReader) {
        if experiment.bucketConfig.randomizationUnit == .userID,
            let unit = document.optional("bucketConfig")?.optional("randomizationUnit")
        {
            findings.warn(
                "goals_user", at: unit.pointer,
                "goals count each client: with users who have several clients intervals are too narrow")
        }
        guard let seen = context.seenEvents else { return }
        let read = eventsOfExpressions
        for (index, goal) in goals.goals.enumerated() {
            guard case .behavior(let event) = goal.event, manifest.events[event] == nil, !seen.contains(event),
                !read.contains(event)
            else { continue }
            findings.warn(
                "goal_event", at: JSONPointer(tokens: ["goals"]).appending(index).appending("event"),
                "no event \(JSONValue.string(event).text) is declared, in use or was sent in the last 24 hours")
        }
    }

    /// The events that triggers of the manifest, live triggers and live targeting read.
    private var eventsOfExpressions: Set<Identifier> {
        let declared = manifest.messaging["triggers"]?.object?.compactMap { $0.value.string } ?? []
        let triggers = context.live?.catalog.triggers.compactMap { try? $0.expression.get() } ?? []
        let targetings = context.live?.live.compactMap { $0.experiment?.targeting } ?? []
        let expressions =
            declared.compactMap { try? CompiledExpression($0, in: manifest.audienceScope) } + triggers + targetings
        return Set(expressions.flatMap(\.events).map { Identifier($0) })
    }
}
