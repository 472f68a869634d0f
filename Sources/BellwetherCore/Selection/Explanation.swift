/// Why each message of a catalog is, or is not, what a client sees (api.md 3, explain).
public struct Explanation: Sendable {
    /// The message that the asked surface shows.
    public let selected: String?
    /// Where the client stands with each recipe, in canonical order; those that are gone last.
    public let enrollments: [Enrollment]
    /// In the order of selection, malformed ones last.
    public let messages: [MessageExplanation]
    /// The app's other recipes, in byte order of their slugs. No decision reads them, so the caller adds them.
    public var unserved: [UnservedRecipe] = []
}

/// A recipe of which nothing is offered to anyone, and why.
public struct UnservedRecipe: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It was never live.
        case draft
        /// Its start is in the future.
        case scheduled
        case paused
        case ended
    }

    public let slug: String
    public let reason: Reason
    /// When it starts, if it is scheduled; else since when it is so. Nil where that is not known.
    public let date: Timestamp?

    public init(slug: String, reason: Reason, date: Timestamp?) {
        self.slug = slug
        self.reason = reason
        self.date = date
    }
}

public struct MessageExplanation: Sendable {
    public let key: String
    public let surface: String
    public let isControl: Bool
    public let verdict: Verdict
    /// Nil when the message's style is not known.
    public let priority: Int?
    public let maxDisplayCount: Int
    public let displayCount: Int
    public let malformation: Malformation?
    public let triggers: [TriggerExplanation]
    public let exclusions: [TriggerExplanation]
    /// Everything that would have to be otherwise for the message to be eligible, in the order of selection.
    public let blockers: [Blocker]

    /// Whether the client could see it: it is shown, or only its rank keeps it back.
    public var isEligible: Bool {
        switch verdict {
        case .selected, .eligible, .control, .outranked, .blockedByControl: true
        case .malformed, .wrongSurface, .expired, .interacted, .triggerFalse, .triggerError, .excluded, .excludeError:
            false
        }
    }
}

public struct TriggerExplanation: Sendable {
    public let name: String
    public let expression: String
    public let verdict: TriggerVerdict
}

extension Explanation {
    /// Explains one surface; with none, each message is judged on its own.
    public init(selector: Selector, surface: String?, enrollments: [Enrollment] = []) {
        let catalog = selector.verdicts.catalog
        let asked = surface.map { [$0] } ?? Array(catalog.positionsBySurface.keys)
        let rankings = Dictionary(uniqueKeysWithValues: asked.map { ($0, Ranking(selector.select(surface: $0))) })
        let seen = catalog.messages.filter { selector.forms.meets($0.requirements) }
        let explained = seen.map { message in
            let blockers = selector.blockers(of: message)
            guard let ranking = rankings[message.facts.surface] else {
                let gate = Blocker.surface(message.facts.surface, asked: surface ?? "")
                return MessageExplanation(
                    message, verdict: .wrongSurface, blockers: [gate] + blockers, selector: selector)
            }
            let eligibility = selector.eligibility(of: message)
            let verdict = eligibility == .eligible ? ranking.verdict(on: message) : eligibility.verdict
            return MessageExplanation(message, verdict: verdict, blockers: blockers, selector: selector)
        }
        self.enrollments = enrollments
        selected = explained.first { $0.verdict == .selected }?.key
        messages = explained + catalog.malformed(for: selector.forms).map { MessageExplanation($0, selector: selector) }
    }
}

/// Where a selection ended, and which controls it met.
struct Ranking {
    private let selected: Message?
    private let controls: Set<ObjectIdentifier>

    init(_ selection: SurfaceSelection) {
        selected = selection.message
        controls = Set(selection.controls.map { ObjectIdentifier($0) })
    }

    /// The verdict on an eligible message of the surface. One that is neither shown nor a counted control stands
    /// behind what ended the selection.
    func verdict(on eligible: Message) -> Verdict {
        if eligible === selected { return .selected }
        if controls.contains(ObjectIdentifier(eligible)) { return .control }
        return selected == nil ? .blockedByControl : .outranked
    }
}

extension MessageExplanation {
    init(_ message: Message, verdict: Verdict, blockers: [Blocker], selector: Selector) {
        func explain(_ uses: [TriggerUse]) -> [TriggerExplanation] {
            uses.map {
                TriggerExplanation(
                    name: $0.name, expression: selector.verdicts.catalog.triggers[$0.expression].source,
                    verdict: selector.verdict(of: $0))
            }
        }
        self.init(
            key: message.key, surface: message.facts.surface, isControl: message.facts.isControl, verdict: verdict,
            priority: message.style.priority, maxDisplayCount: message.style.maxDisplayCount,
            displayCount: Int(selector.ledger[message.key].displayCount), malformation: nil,
            triggers: explain(message.triggers), exclusions: explain(message.exclusions),
            blockers: blockers)
    }

    init(_ malformed: MalformedMessage, selector: Selector) {
        self.init(
            key: malformed.facts.key, surface: malformed.facts.surface, isControl: malformed.facts.isControl,
            verdict: .malformed, priority: malformed.priority, maxDisplayCount: malformed.facts.maxDisplayCount,
            displayCount: Int(selector.ledger[malformed.facts.key].displayCount), malformation: malformed.reason,
            triggers: [], exclusions: [], blockers: [.malformed(malformed.reason)])
    }
}
