public import BellwetherBase
public import BellwetherJSON

/// The reasons why a client sees, or does not see, each message of a catalog.
public struct Explanation: Sendable {
    /// The message that the requested surface shows.
    public let selected: Identifier?
    /// The client's status in each recipe, in canonical order; recipes that are gone come last.
    public let enrollments: [Enrollment]
    /// The messages in the order of selection, malformed ones last.
    public let messages: [MessageExplanation]
    /// The app's other recipes, in byte order of their slugs. No decision reads them, so the caller adds them.
    public var unserved: [UnservedRecipe] = []
    /// Whether the client was never enrolled, and this is what its first poll would decide.
    public var isOfFirstPoll = false
    /// The client's facts that live triggers, targeting and segments name, by name in byte order.
    public var facts: [RespondentFacts.Fact] = []
    /// The newest times of the events whose order in time live triggers and targeting read.
    public var eventTimes: [(event: Identifier, time: Timestamp)] = []
    /// The segments that live triggers, targeting and segments name, by name in byte order: whether the client is in
    /// each; nil after an error.
    public var segments: [(name: String, isMember: Bool?)] = []
    /// The lists that these name, by name in byte order: whether each contains the client.
    public var lists: [(name: String, isMember: Bool)] = []
    /// The explanation of the requested feature.
    public var feature: FeatureExplanation?
    /// The verdict of each gate of a recipe, by slug, whatever the client's enrollment is.
    package var enrollmentGates: [Identifier: [EnrollmentGateOutcome]] = [:]
}

/// A recipe that offers nothing to any client, and the reason.
public struct UnservedRecipe: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The recipe was never live.
        case draft
        /// The recipe's start is in the future.
        case scheduled
        case paused
        /// A guard of the recipe's goals has paused it.
        case pausedByGuard = "paused_by_guard"
        case ended
    }

    public let slug: Identifier
    public let reason: Reason
    /// For a scheduled recipe, its start. Otherwise the time since which the reason has applied; nil if it is not
    /// known.
    public let date: Timestamp?
    /// The guard that has paused the recipe.
    public let pausedBy: PausingGuard?

    public init(slug: Identifier, reason: Reason, date: Timestamp?, pausedBy: PausingGuard? = nil) {
        self.slug = slug
        self.reason = reason
        self.date = date
        self.pausedBy = pausedBy
    }
}

/// The goal whose guard has paused a recipe, and the branch that was worse.
public struct PausingGuard: Sendable, Hashable {
    public let goal: Identifier
    public let branch: Identifier

    public init(goal: Identifier, branch: Identifier) { (self.goal, self.branch) = (goal, branch) }
}

public struct MessageExplanation: Sendable {
    public let key: Identifier
    public let surface: Identifier
    public let isControl: Bool
    public let verdict: Verdict
    /// The priority; nil if the message's style is not known.
    public let priority: Int?
    /// Nil if the displays are not capped.
    public let maxDisplayCount: Int?
    public let displayCount: Int
    public let malformation: Malformation?
    public let triggers: [TriggerExplanation]
    public let exclusions: [TriggerExplanation]
    /// Everything that would have to change for the message to be eligible, in the order of selection.
    public let blockers: [Blocker]
    /// Each gate that the message has, whether or not it holds, in the order of selection.
    public let gates: [GateOutcome]

    /// Whether the message is eligible: it is shown, or another message comes first.
    public var isEligible: Bool {
        switch verdict {
        case .selected, .eligible, .control, .outranked, .blockedByControl: true
        case .malformed, .wrongSurface, .expired, .interacted, .triggerFalse, .triggerError, .excluded, .excludeError,
            .inactive, .notStarted, .ended, .optedOut, .alreadyResponded, .displayLimit, .cooldown, .cooldownAny,
            .globalCap, .quietHours, .quotaFull, .responseLimit, .sampledOut:
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
    /// Explains one surface. If it is nil, each message is judged on its own surface.
    public init(selector: Selector, surface: Identifier?, enrollments: [Enrollment] = []) {
        let selector = selector.asking(surface)
        let catalog = selector.catalog
        let asked = surface.map { [$0] } ?? Array(catalog.candidates.surfaceNames)
        let rankings = Dictionary(uniqueKeysWithValues: asked.map { ($0, Ranking(selector.select(surface: $0))) })
        let explained = selector.candidates.map { candidate in
            MessageExplanation(candidate, verdict: rankings.verdict(on: candidate, selector), selector: selector)
        }
        self.enrollments = enrollments
        selected = explained.first { $0.verdict == .selected }?.key
        messages =
            explained + catalog.malformed(for: selector.variants).map { MessageExplanation($0, selector: selector) }
    }
}

extension [Identifier: Ranking] {
    /// The first gate that does not hold; if all hold, the result of the ranking on the message's surface.
    fileprivate func verdict(on candidate: Candidate, _ selector: Selector) -> Verdict {
        let eligibility = selector.eligibility(of: candidate)
        guard eligibility == .eligible else { return eligibility }
        let message = selector.facts.message(of: candidate)
        return self[message.facts.surface]?.verdict(on: message) ?? .eligible
    }
}

/// The message at which a selection ended, and the controls that it counted.
struct Ranking {
    private let selected: Message?
    private let controls: Set<ObjectIdentifier>

    init(_ selection: SurfaceSelection) {
        selected = selection.message
        controls = Set(selection.controls.map { ObjectIdentifier($0) })
    }

    /// The verdict on an eligible message of the surface. A message that is neither shown nor a counted control comes
    /// after the one that ended the selection.
    func verdict(on eligible: Message) -> Verdict {
        if eligible === selected { return .selected }
        if controls.contains(ObjectIdentifier(eligible)) { return .control }
        return selected == nil ? .blockedByControl : .outranked
    }
}

extension MessageExplanation {
    init(_ candidate: Candidate, verdict: Verdict, selector: Selector) {
        let message = selector.facts.message(of: candidate)
        func explain(_ uses: [TriggerUse]) -> [TriggerExplanation] {
            uses.map {
                TriggerExplanation(
                    name: $0.name.text, expression: selector.catalog.triggers[$0.expression].source,
                    verdict: selector.verdict(of: $0))
            }
        }
        self.init(
            key: message.key, surface: message.facts.surface, isControl: message.facts.isControl, verdict: verdict,
            priority: message.style.priority, maxDisplayCount: message.facts.cap,
            displayCount: Int(selector.facts.entry(of: message).displayCount), malformation: nil,
            triggers: explain(message.triggers), exclusions: explain(message.exclusions),
            blockers: Gate.inOrder.flatMap { $0.blockers(of: candidate, selector.facts) },
            gates: Gate.inOrder.compactMap { $0.outcome(of: candidate, selector.facts) })
    }

    init(_ malformed: MalformedMessage, selector: Selector) {
        self.init(
            key: malformed.facts.key, surface: malformed.facts.surface, isControl: malformed.facts.isControl,
            verdict: .malformed, priority: malformed.priority, maxDisplayCount: malformed.facts.cap,
            displayCount: Int(selector.facts.ledger[malformed.facts.key].displayCount), malformation: malformed.reason,
            triggers: [], exclusions: [], blockers: [.malformed(malformed.reason)], gates: [])
    }
}

/// How an explanation treats the stored enrollments of its client.
public enum EnrollmentTreatment: Sendable {
    /// Evolve them first, as a poll does.
    case update
    /// Use them as they are stored.
    case keep
}

extension CompiledApp {
    /// Explains why a client sees, or does not see, each message.
    public func explain(_ query: PollQuery, state: ClientState, enrollments treatment: EnrollmentTreatment)
        -> Explanation
    {
        let standing = standing(query, state: state, treatment, clock: DecisionClock(at: query.now))
        let environment = environment(
            of: query, state, enrollments: standing.packed, clock: DecisionClock(at: query.now))
        let enrollments = allStatuses(standing.packed.unpacked.enrollments, outlook: standing.outlook)
        var explanation = Explanation(
            selector: Selector(catalog, environment: environment, state: state), surface: query.surfaces.first,
            enrollments: enrollments)
        explanation.enrollmentGates = enrollmentGates(query, state, standing.packed, environment)
        return explanation
    }

    /// Explains the enrollments alone, for a request without a message.
    public func explainEnrollments(
        _ query: PollQuery, state: ClientState, enrollments treatment: EnrollmentTreatment
    ) -> Explanation {
        let standing = standing(query, state: state, treatment, clock: DecisionClock(at: query.now))
        let environment = environment(
            of: query, state, enrollments: standing.packed, clock: DecisionClock(at: query.now))
        let enrollments = allStatuses(standing.packed.unpacked.enrollments, outlook: standing.outlook)
        var explanation = Explanation(selected: nil, enrollments: enrollments, messages: [])
        explanation.enrollmentGates = enrollmentGates(query, state, standing.packed, environment)
        return explanation
    }

    /// The enrollments that an explanation uses, and the ones that the next poll would compute.
    func standing(
        _ query: PollQuery, state: ClientState, _ treatment: EnrollmentTreatment, clock: DecisionClock
    ) -> (packed: PackedEnrollments, outlook: [Enrollment]) {
        let known = state.enrollments.unpacked
        let evolved = evolve(known, query, state, clock: clock)
        var packed = state.enrollments
        if case .update = treatment {
            packed = PackedEnrollments(
                ClientEnrollments(enrollments: evolved.enrollments, participation: known.participation))
        }
        return (packed, evolved.enrollments)
    }

    /// The client's status in each recipe. For a recipe without a stored status, it is the status that the next poll
    /// would compute.
    func allStatuses(_ known: [Enrollment], outlook: [Enrollment]) -> [Enrollment] {
        func bySlug(_ enrollments: [Enrollment]) -> [Identifier: Enrollment] {
            Dictionary(enrollments.map { ($0.slug, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (own, next) = (bySlug(known), bySlug(outlook))
        let members = experiments.members.compactMap { member -> (MergeOrder, Enrollment)? in
            if let enrollment = own[member.slug] { return (member.experiment.mergeOrder, enrollment) }
            guard let enrollment = next[member.slug], !enrollment.status.isEnrolled else { return nil }
            return (member.experiment.mergeOrder, enrollment)
        }
        let universal = experiments.universal.map { slug in
            (
                MergeOrder(isRollout: true, published: nil, slug: slug),
                Enrollment(slug: slug, status: .enrolled(.qualified, branch: Recipe.rolloutBranch))
            )
        }
        let gone = known.filter { experiments.member($0.slug) == nil }
        return (members + universal).sorted { $0.0 < $1.0 }.map(\.1) + gone
    }

    /// The number of messages with each verdict on the requested surfaces, for a client of this state. Only the first
    /// `bound` messages in the order of selection are counted. The result is empty if the surfaces have no messages.
    /// Enrollments are not evolved.
    public func verdicts(_ query: PollQuery, state: ClientState, bound: Int) -> [Verdict: Int] {
        let environment = environment(
            of: query, state, enrollments: state.enrollments, clock: DecisionClock(at: query.now))
        let selector = Selector(catalog, environment: environment, state: state)
        let rankings = Dictionary(
            query.surfaces.map { ($0, Ranking(selector.select(surface: $0))) }, uniquingKeysWith: { first, _ in first })
        var counts: [Verdict: Int] = [:]
        for candidate in catalog.candidates.all.prefix(bound) where selector.hasForm(candidate) {
            guard rankings[selector.facts.message(of: candidate).facts.surface] != nil else { continue }
            counts[rankings.verdict(on: candidate, selector), default: 0] += 1
        }
        let malformed = catalog.malformed.prefix(bound).count { message in
            rankings[message.facts.surface] != nil && selector.variants.meets(message.requirements)
        }
        if malformed > 0 { counts[.malformed] = malformed }
        return counts
    }
}
