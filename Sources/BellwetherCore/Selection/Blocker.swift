public import JEXL

/// One thing that keeps a message from being eligible (api.md 3, "what would make it eligible").
public enum Blocker: Sendable, Hashable {
    case malformed(Malformation)
    case surface(String, asked: String)
    /// The displays so far, and the cap of the style. Latched displays stay out under a higher cap.
    case displayCap(count: Int, cap: Int, isLatched: Bool)
    case interaction(dismissals: Int, isClicked: Bool)
    /// The part of a trigger that would have to be true.
    case trigger(String, FailingLeaf)
    /// The part of an exclusion that would have to be false.
    case exclusion(String, FailingLeaf)
}

extension Selector {
    /// Everything that is in the way, rank and surface left out; empty for an eligible message.
    func blockers(of message: Message) -> [Blocker] {
        var blockers: [Blocker] = []
        let entry = ledger[message.key]
        let cap = message.facts.maxDisplayCount
        if entry.isExpired(cap: cap) {
            blockers.append(
                .displayCap(count: Int(entry.displayCount), cap: cap, isLatched: entry.isExpired))
        }
        if entry.isInteracted {
            blockers.append(.interaction(dismissals: Int(entry.dismissals), isClicked: entry.isClicked))
        }
        for use in message.triggers {
            blockers += leaves(of: use, wanted: true).map { .trigger(use.name, $0) }
        }
        for use in message.exclusions {
            blockers += leaves(of: use, wanted: false).map { .exclusion(use.name, $0) }
        }
        return blockers
    }

    private func leaves(of use: TriggerUse, wanted: Bool) -> [FailingLeaf] {
        let trigger = verdicts.catalog.triggers[use.expression]
        switch trigger.expression {
        case .success(let expression): return expression.failingLeaves(in: environment, wanted: wanted)
        case .failure(let error): return [FailingLeaf(expression: trigger.source, values: [], error: error)]
        }
    }
}
