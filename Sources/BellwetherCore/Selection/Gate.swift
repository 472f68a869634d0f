public import BellwetherBase
package import BellwetherJSON
public import JEXL

/// One condition that a message must meet to be eligible. Selection, explanations, `blocked_by` and forecasts use the
/// same list. Gates are independent: their order determines the reported reason, but not whether a message is eligible.
package enum Gate: Sendable, CaseIterable {
    case surface
    /// The state of the recipe that the message presents.
    case content
    case schedule
    case optOut
    case displayCap
    case interaction
    case triggers
    case exclusions
    case responded
    case displayLimit
    case cooldown
    case cooldownAny
    case caps
    case quietHours
    case quotas
    case responseLimit
    case sampling

    /// The order in which reasons are reported.
    package static let inOrder = allCases
    /// The gates for messages of the requested surface, the cheapest first.
    static let ofSurface: [Gate] = [.triggers, .exclusions, .displayCap, .interaction]
    /// The gates for candidates with pacing.
    static let ofSurfacePaced: [Gate] =
        ofSurface + [
            .content, .schedule, .optOut, .responded, .displayLimit, .cooldown, .cooldownAny, .caps, .quietHours,
            .quotas, .responseLimit, .sampling,
        ]

    package enum Judgement: Sendable, Hashable {
        case holds
        case doesNotHold(Verdict)
        /// The result depends on facts that are not known about the client.
        case unknown
    }

    @inline(__always)
    func judge(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        switch self {
        case .surface: judgeSurface(candidate, facts)
        case .displayCap: judgeDisplayCap(candidate, facts)
        case .interaction: judgeInteraction(candidate, facts)
        case .triggers: judgeTriggers(candidate, facts)
        case .exclusions: judgeExclusions(candidate, facts)
        case .content, .schedule, .optOut, .responded, .displayLimit, .cooldown, .cooldownAny, .caps, .quietHours,
            .quotas, .responseLimit, .sampling:
            judgePacing(candidate, facts)
        }
    }

    private func judgeSurface(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        guard let asked = facts.askedSurface else { return .holds }
        return facts.message(of: candidate).facts.surface == asked ? .holds : .doesNotHold(.wrongSurface)
    }

    private func judgeDisplayCap(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        let message = facts.message(of: candidate)
        let cap = message.facts.maxDisplayCount
        let isExpired = facts.ledgerEntry(of: message)?.isExpired(cap: cap) ?? (cap <= 0)
        return isExpired ? .doesNotHold(.expired) : .holds
    }

    private func judgeInteraction(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        let entry = facts.ledgerEntry(of: facts.message(of: candidate))
        return entry?.isInteracted == true ? .doesNotHold(.interacted) : .holds
    }

    /// Each trigger must hold. The first one that does not hold gives the reason.
    private func judgeTriggers(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        var judgement = Judgement.holds
        for index in candidate.triggers.range {
            switch facts.truth(of: facts.catalog.candidates.trigger(at: index)) {
            case .holds: continue
            case .doesNotHold, .neverHolds: return .doesNotHold(.triggerFalse)
            case .failed: return .doesNotHold(.triggerError)
            case .unknown: judgement = .unknown
            }
        }
        guard candidate.isPaced, judgement == .holds,
            let trigger = facts.message(of: candidate).definition.launchTrigger
        else {
            return judgement
        }
        guard let respondent = facts.respondent else { return .unknown }
        return trigger.holds(for: respondent.counters, facts.reportedCounters, facts.clock)
            ? .holds : .doesNotHold(.triggerFalse)
    }

    /// Each exclusion must be false. An error excludes the message too.
    private func judgeExclusions(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        var judgement = Judgement.holds
        for index in candidate.exclusions.range {
            switch facts.truth(of: facts.catalog.candidates.trigger(at: index)) {
            case .holds: return .doesNotHold(.excluded)
            case .failed: return .doesNotHold(.excludeError)
            case .doesNotHold: continue
            case .neverHolds, .unknown: judgement = .unknown
            }
        }
        return judgement
    }
}

/// The facts that gates read. A poll knows all of them, while a forecast knows only a context.
package protocol GateFacts: AnyObject {
    var catalog: Catalog { get }
    /// The requested surface; nil: each message is judged on its own surface.
    var askedSurface: Identifier? { get }
    /// The truth of a trigger, by its index in the catalog.
    func truth(of trigger: Int) -> PartialTruth
    /// The part of the client's entry for the message that counts now; nil if it has no entry.
    func ledgerEntry(of message: Message) -> LedgerEntry?
    /// The time at which the message may be offered again after an asking that has ended; nil if none has.
    func askingEnds(of message: Message) -> Timestamp?
    /// The stored state of the client; nil if it is not known.
    var respondent: ClientState? { get }
    /// The id whose hash decides about a sample; nil if it is not known.
    var respondentID: Identifier? { get }
    var clock: DecisionClock { get }
    /// The app's session, if the client names it.
    var sessionID: Identifier? { get }
    var reportedCounters: ReportedCounters? { get }
    /// The messages that this decision has already offered.
    var offered: [Message] { get }
    func attribute(_ name: String) -> JSONValue?
    /// The number of steps that conditions of full quotas may still use.
    var quotaSteps: Int { get set }
}

extension GateFacts {
    package var sessionID: Identifier? { nil }
    package var reportedCounters: ReportedCounters? { nil }

    func message(of candidate: Candidate) -> Message { catalog.messages[Int(candidate.message)] }

    /// The judgement of the first gate that does not hold. If all hold, the result says whether all are known.
    @inline(__always)
    package func judgement(of candidate: Candidate, by gates: [Gate]) -> Gate.Judgement {
        var judgement = Gate.Judgement.holds
        for gate in gates {
            switch gate.judge(candidate, self) {
            case .holds: continue
            case .doesNotHold(let verdict): return .doesNotHold(verdict)
            case .unknown: judgement = .unknown
            }
        }
        return judgement
    }
}

/// The reason why a surface shows, or does not show, a message: the first one in the order of selection.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    case malformed
    case wrongSurface = "wrong_surface"
    /// The recipe that the message presents is paused or has ended.
    case inactive
    case notStarted = "not_started"
    case ended
    /// The respondent opted out of questionnaires and surveys.
    case optedOut = "opted_out"
    case expired
    case interacted
    case triggerFalse = "trigger_false"
    case triggerError = "trigger_error"
    case excluded
    case excludeError = "exclude_error"
    case alreadyResponded = "already_responded"
    case displayLimit = "display_limit"
    case cooldown
    case cooldownAny = "cooldown_any"
    case globalCap = "global_cap"
    case quietHours = "quiet_hours"
    case quotaFull = "quota_full"
    case responseLimit = "response_limit"
    case sampledOut = "sampled_out"
    /// The message is eligible and shown.
    case selected
    /// A control was selected: it counts as shown but is never displayed.
    case control
    /// The message is eligible, but another message of its surface comes first.
    case outranked
    /// The message is eligible, but an earlier control with `show-none` ends the selection (`on-control`).
    case blockedByControl = "blocked_by_control"
    /// The message is eligible, and its rank was not determined.
    case eligible
}

/// One reason why a message is not eligible.
public enum Blocker: Sendable, Hashable {
    case malformed(Malformation)
    case surface(String, asked: String)
    /// The displays so far, and the cap of the style. A message whose expiry is latched stays expired under a higher
    /// cap.
    case displayCap(count: Int, cap: Int, isLatched: Bool, until: Timestamp? = nil)
    case interaction(dismissals: Int, isClicked: Bool, until: Timestamp? = nil)
    /// The part of a trigger that would have to be true.
    case trigger(String, FailingLeaf)
    /// The app was started too few times, or its first start is too recent.
    case launches(LaunchCounters, wanted: LaunchTrigger)
    /// The part of an exclusion that would have to be false.
    case exclusion(String, FailingLeaf)
    /// An obstacle of pacing, or of the recipe that the message presents.
    case pacing(PacingObstacle)
}

extension Gate {
    /// The blockers of this gate for the client's message; empty if the gate holds.
    func blockers(of candidate: Candidate, _ facts: ClientFacts) -> [Blocker] {
        guard judge(candidate, facts) != .holds else { return [] }
        let message = facts.message(of: candidate)
        switch self {
        case .surface: return [.surface(message.facts.surface.text, asked: facts.askedSurface?.text ?? "")]
        case .displayCap:
            let entry = facts.entry(of: message)
            return [
                .displayCap(
                    count: Int(entry.displayCount), cap: message.facts.maxDisplayCount, isLatched: entry.isExpired,
                    until: facts.askingEnds(of: message))
            ]
        case .interaction:
            let entry = facts.entry(of: message)
            return [
                .interaction(
                    dismissals: Int(entry.dismissals), isClicked: entry.isClicked,
                    until: facts.askingEnds(of: message))
            ]
        case .triggers:
            let leaves: [Blocker] = message.triggers.flatMap { use in
                facts.failingLeaves(of: use, wanted: true).map { .trigger(use.name.text, $0) }
            }
            guard let trigger = message.definition.launchTrigger, let counters = facts.respondent?.counters,
                !trigger.holds(for: counters, facts.reportedCounters, facts.clock)
            else { return leaves }
            return leaves + [.launches(counters, wanted: trigger)]
        case .exclusions:
            return message.exclusions.flatMap { use in
                facts.failingLeaves(of: use, wanted: false).map { .exclusion(use.name.text, $0) }
            }
        case .content, .schedule, .optOut, .responded, .displayLimit, .cooldown, .cooldownAny, .caps, .quietHours,
            .quotas, .responseLimit, .sampling:
            return obstacles(of: candidate, facts).map { .pacing($0) }
        }
    }
}
