internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Messages that no client can ever see, because of the combination of their triggers and exclusions.
extension DocumentCheck {
    /// A trigger with its expression.
    private struct Condition {
        let name: LocatedName
        let expression: CompiledExpression
    }

    func checkEligibility(of message: LocatedMessage, in value: LocatedMessaging) {
        let lists = ["trigger-if-all", message.dialect.exclusionKey].compactMap { message.field($0)?.pointer }
        guard let location = lists.first else { return }
        let triggers = conditions(message.triggers, in: value)
        let exclusions = conditions(message.exclusions, in: value)
        let analysis = expressions.analysis
        if let never = triggers.first(where: { !analysis.mayHold(all: [$0.expression]) }) {
            guard !isReported(never, in: value) else { return }
            return warn(never.name.pointer, "\"\(never.name.name)\" is never true")
        }
        if let always = exclusions.first(where: { !analysis.mayHold(all: [], none: [$0.expression]) }) {
            return warn(always.name.pointer, "\"\(always.name.name)\" is never false")
        }
        guard !analysis.mayHold(all: triggers.map(\.expression), none: exclusions.map(\.expression)) else { return }
        warn(location, contradiction(triggers, exclusions) ?? "its triggers and exclusions contradict one another")
    }

    private func warn(_ location: JSONPointer, _ reason: String) {
        findings.warn("never_true", at: location, "\(reason): the message is never eligible")
    }

    /// Whether the condition already has a finding at its own definition in the document. The literals `true` and
    /// `false` have none.
    private func isReported(_ condition: Condition, in value: LocatedMessaging) -> Bool {
        if case .literal = condition.expression.root.kind { return false }
        return value.names.patch["triggers"]?.object?[condition.name.name] != nil
    }

    private func conditions(_ names: [LocatedName], in value: LocatedMessaging) -> [Condition] {
        names.compactMap { name in
            guard let source = value.names.trigger(name.name)?.string else { return nil }
            return expressions.compiled(source).map { Condition(name: name, expression: $0) }
        }
    }

    /// The two conditions that contradict each other; nil if no two do.
    private func contradiction(_ triggers: [Condition], _ exclusions: [Condition]) -> String? {
        let few = triggers.prefix(16)
        for (index, one) in few.enumerated() {
            for other in few.dropFirst(index + 1)
            where !expressions.analysis.mayHold(all: [one.expression, other.expression]) {
                return "\"\(one.name.name)\" and \"\(other.name.name)\" are never true at once"
            }
            for exclusion in exclusions.prefix(16)
            where !expressions.analysis.mayHold(all: [one.expression], none: [exclusion.expression]) {
                return "wherever \"\(one.name.name)\" is true, \"\(exclusion.name.name)\" excludes"
            }
        }
        return nil
    }

    /// The expressions of a message that can be analysed.
    func conditions(
        of message: LocatedMessage, in value: LocatedMessaging
    ) -> (all: [CompiledExpression], none: [CompiledExpression]) {
        (
            conditions(message.triggers, in: value).map(\.expression),
            conditions(message.exclusions, in: value).map(\.expression)
        )
    }
}
