internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// What pacing and presented recipes ask of a respondent, in the order in which reasons are reported
/// (docs/reference/messaging.md#pacing).
extension Gate {
    @inline(__always)
    func judgePacing(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        candidate.isPaced ? judgePacing(facts.message(of: candidate), facts) : .holds
    }

    private func judgePacing(_ message: Message, _ facts: some GateFacts) -> Judgement {
        let pacing = message.facts.pacing
        switch self {
        case .content:
            guard let slug = message.definition.presents else { return .holds }
            return facts.catalog.contents[ByteKey(text: slug)]?.isActive == true ? .holds : .doesNotHold(.inactive)
        case .schedule:
            if let start = pacing?.start, !facts.clock.hasReached(start) { return .doesNotHold(.notStarted) }
            if let end = pacing?.end, facts.clock.hasReached(end) { return .doesNotHold(.ended) }
            return .holds
        case .sampling: return judgeSampling(message, facts)
        case .quietHours: return judgeQuietHours(facts)
        case .quotas:
            guard let reached = facts.catalog.reached[message.key] else { return .holds }
            return reached.excludes(facts.attribute, &facts.quotaSteps) ? .doesNotHold(.quotaFull) : .holds
        case .responseLimit:
            let isReached = facts.catalog.reached[message.key]?.isResponseLimit == true
            return isReached ? .doesNotHold(.responseLimit) : .holds
        default:
            guard let respondent = facts.respondent else { return judgeUnknown(message, facts) }
            return judge(message, respondent, facts)
        }
    }

    /// Of a forecast's client nothing is known.
    private func judgeUnknown(_ message: Message, _ facts: some GateFacts) -> Judgement {
        switch self {
        case .cooldown where message.facts.pacing?.cooldownSeconds != nil: .unknown
        case .cooldownAny where facts.catalog.pacing.map({ $0.cooldownSeconds > 0 }) == true: .unknown
        case .caps where facts.catalog.pacing?.caps.isEmpty == false: .unknown
        default: .holds
        }
    }

    private func judge(_ message: Message, _ respondent: ClientState, _ facts: some GateFacts) -> Judgement {
        let pacing = message.facts.pacing
        switch self {
        case .optOut:
            // Flows go on: only questionnaires and surveys were dismissed.
            guard let slug = message.definition.presents, respondent.surveys.dismissedAt != nil,
                facts.catalog.contents[ByteKey(text: slug)]?.kind != .flow
            else { return .holds }
            return .doesNotHold(.optedOut)
        case .responded:
            guard let slug = message.definition.presents, respondent.surveys.hasSubmitted(slug) else { return .holds }
            return .doesNotHold(.alreadyResponded)
        case .displayLimit:
            guard let limit = pacing?.displayLimit, Int(respondent.ledger[message.key].displayCount) >= limit else {
                return .holds
            }
            return .doesNotHold(.displayLimit)
        case .cooldown:
            guard let seconds = pacing?.cooldownSeconds, let last = respondent.shows.last(of: message.key),
                !facts.clock.hasReached(last.adding(seconds: seconds))
            else { return .holds }
            return .doesNotHold(.cooldown)
        case .cooldownAny: return judgeCooldownAny(respondent, facts)
        case .caps: return judgeCaps(message, respondent, facts)
        default: return .holds
        }
    }

    private func judgeCooldownAny(_ respondent: ClientState, _ facts: some GateFacts) -> Judgement {
        guard let seconds = facts.catalog.pacing?.cooldownSeconds, seconds > 0 else { return .holds }
        guard facts.offered.isEmpty else { return .doesNotHold(.cooldownAny) }
        guard let last = respondent.shows.shows.last?.time, !facts.clock.hasReached(last.adding(seconds: seconds))
        else { return .holds }
        return .doesNotHold(.cooldownAny)
    }

    /// Shows within the cap's time, and what this answer offers already.
    private func judgeCaps(_ message: Message, _ respondent: ClientState, _ facts: some GateFacts) -> Judgement {
        for cap in facts.catalog.pacing?.caps ?? [] where cap.counts(message.facts.pacing?.tags ?? []) {
            var count = facts.offered.count { cap.counts($0.facts.pacing?.tags ?? []) }
            if let seconds = cap.seconds {
                for show in respondent.shows.shows.reversed() where cap.counts(show.tags) {
                    if count >= cap.count { break }
                    if !facts.clock.hasReached(show.time.adding(seconds: seconds)) { count += 1 }
                }
            } else {
                // Without a session the cap does not hold.
                guard let session = facts.sessionID else { continue }
                count += respondent.session.count(cap, in: session)
            }
            if count >= cap.count { return .doesNotHold(.globalCap) }
        }
        return .holds
    }

    /// By the respondent's clock, if an attribute tells how far it is from UTC.
    private func judgeQuietHours(_ facts: some GateFacts) -> Judgement {
        guard let quiet = facts.catalog.pacing?.quietHours, quiet.from != quiet.to else { return .holds }
        let offset = quiet.offsetAttribute.flatMap { facts.attribute($0)?.double }.flatMap(Self.minutes) ?? 0
        let isQuiet = facts.clock.read { now -> (value: Bool, end: Timestamp) in
            let minutes = now.milliseconds.floored(by: 60_000) + offset
            let day = minutes.floored(by: 1440) * 1440
            let minute = minutes - day
            let isQuiet =
                quiet.from < quiet.to
                ? (quiet.from..<quiet.to).contains(minute) : minute >= quiet.from || minute < quiet.to
            let next = [quiet.from, quiet.to].map { $0 > minute ? day + $0 : day + 1440 + $0 }.min() ?? minutes + 1
            return (isQuiet, Timestamp(seconds: (next - offset) * 60))
        }
        return isQuiet ? .doesNotHold(.quietHours) : .holds
    }

    /// What is no distance from UTC counts as none.
    private static func minutes(_ offset: Double) -> Int64? {
        let maximum = 24.0 * 60
        return (-maximum...maximum).contains(offset) ? Int64(offset) : nil
    }

    /// The same respondents as long as the sample stays.
    private func judgeSampling(_ message: Message, _ facts: some GateFacts) -> Judgement {
        guard let sample = message.facts.pacing?.sample else { return .holds }
        guard let id = facts.respondentID else { return .unknown }
        let text = JSONValue.array([.string(id), .string(message.key)]).encoded
        let isIn = BucketSample.contains(
            hash48: Hash48.hash(text), start: 0, count: sample.count, total: sample.total)
        return isIn ? .holds : .doesNotHold(.sampledOut)
    }
}

extension LaunchTrigger {
    /// Whether a client has started the app often enough, and long enough ago.
    ///
    /// - Parameter reported: by the client itself.
    func holds(for counters: LaunchCounters, _ reported: ReportedCounters?, _ clock: DecisionClock) -> Bool {
        guard max(counters.launches, reported?.launches ?? 0) >= launches,
            max(counters.foregrounds, reported?.foregrounds ?? 0) >= foregrounds
        else { return false }
        guard seconds > reported?.seconds ?? 0 else { return true }
        guard let first = counters.firstLaunchAt else { return false }
        return clock.hasReached(first.adding(seconds: seconds))
    }
}
