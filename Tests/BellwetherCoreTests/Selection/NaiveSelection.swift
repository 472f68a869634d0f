import BellwetherJSON
import JEXL

@testable import BellwetherCore

/// Selection exactly as in docs/reference/messaging.md#selection, without caches.
struct NaiveSelection {
    let catalog: Catalog
    let environment: TriggerEnvironment
    let ledger: DisplayLedger

    private var variants: ClientVariants { environment.branches.variants(of: catalog) }

    /// The selected message, and the controls that are recorded on the way to it.
    func next(_ surface: Identifier) -> (key: Identifier?, controls: [Identifier]) {
        let sorted = catalog.messages.reversed().filter { variants.meets($0.requirements) && !isExpired($0) }.sorted {
            one, other in
            one.style.priority == other.style.priority
                ? one.key.utf8.lexicographicallyPrecedes(other.key.utf8) : one.style.priority > other.style.priority
        }
        let candidates = sorted.filter { $0.definition.surface == surface && !isExpired($0) && !isInteracted($0) }
        var excluded: [Identifier] = []
        while true {
            let found = candidates.first { message in !excluded.contains(message.key) && isEligible(message) }
            guard let found else { return (nil, excluded) }
            guard found.definition.isControl else { return (found.key, excluded) }
            excluded.append(found.key)
            if catalog.onControl(for: variants) == .showNone { return (nil, excluded) }
        }
    }

    private func isExpired(_ message: Message) -> Bool {
        let entry = ledger.entries.first { $0.message == message.key }
        return entry?.isExpired == true || Int(entry?.displayCount ?? 0) >= message.style.maxDisplayCount
    }

    /// Whether the client clicked or dismissed the message. Clicks latch too, but they are separate from the cap here.
    private func isInteracted(_ message: Message) -> Bool {
        let entry = ledger.entries.first { $0.message == message.key }
        return entry?.isExpired == true || entry?.isClicked == true || (entry?.dismissals ?? 0) > 0
    }

    private func isEligible(_ message: Message) -> Bool {
        do {
            for use in message.triggers {
                guard try isTrue(use) else { return false }
            }
            for use in message.exclusions {
                guard try !isTrue(use) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    private func isTrue(_ use: TriggerUse) throws(JEXLError) -> Bool {
        let expression = try CompiledExpression(catalog.triggers[use.expression].source)
        return try expression.isTrue(in: environment)
    }
}
