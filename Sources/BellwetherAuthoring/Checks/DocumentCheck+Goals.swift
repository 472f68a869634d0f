internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Goals that count other than their author may expect (docs/findings.md#goals).
extension DocumentCheck {
    func checkGoals(of experiment: Experiment, _ goals: RecipeGoals?, _ document: JSONReader) {
        guard let goals else { return }
        if experiment.bucketConfig.randomizationUnit == .userID,
            let unit = document.optional("bucketConfig")?.optional("randomizationUnit")
        {
            findings.warn(
                "goals_user", at: unit.pointer,
                "goals count each client: with users who have several clients intervals are too narrow")
        }
        guard let seen = context.seenEvents else { return }
        for (index, goal) in goals.goals.enumerated() {
            guard case .behavior(let event) = goal.event, manifest.events[event] == nil, !seen.contains(event),
                !isInUse(event)
            else { continue }
            findings.warn(
                "goal_event", at: JSONPointer(tokens: ["goals"]).appending(index).appending("event"),
                "no event \(JSONValue.string(event).text) is declared, in use or was sent in the last 24 hours")
        }
    }

    /// Whether a trigger of the manifest, a live trigger or a live targeting reads the event.
    private func isInUse(_ event: Identifier) -> Bool {
        let declared = manifest.messaging["triggers"]?.object?.compactMap { $0.value.string } ?? []
        let live = context.live?.catalog.triggers.compactMap { try? $0.expression.get() } ?? []
        let triggers = declared.compactMap { try? CompiledExpression($0) } + live
        let targetings = context.live?.live.compactMap { $0.experiment?.targeting } ?? []
        return (triggers + targetings).contains { $0.events.contains(bytesOf: event.text) }
    }
}
