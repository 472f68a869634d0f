internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// The gates of pacing and of presented recipes (docs/reference/messaging.md#pacing).
extension Gate {
    /// A gate's judgement, with the obstacle if the gate is closed.
    private enum PacingJudgement {
        case holds
        case unknown
        case closed(PacingObstacle)

        init(_ obstacle: PacingObstacle?) { self = obstacle.map { .closed($0) } ?? .holds }
    }

    @inline(__always)
    func judgePacing(_ candidate: Candidate, _ facts: some GateFacts) -> Judgement {
        guard candidate.isPaced else { return .holds }
        return switch judge(facts.message(of: candidate), facts) {
        case .holds: .holds
        case .unknown: .unknown
        case .closed(let obstacle): .doesNotHold(obstacle.verdict)
        }
    }

    /// All obstacles of this gate: each cap that is reached, and each quota that is full. The list is empty if the gate
    /// holds, or if it depends on unknown facts.
    package func obstacles(of candidate: Candidate, _ facts: some GateFacts) -> [PacingObstacle] {
        guard candidate.isPaced else { return [] }
        let message = facts.message(of: candidate)
        if self == .quotas {
            return (facts.catalog.reached[message.key]?.quotas ?? []).compactMap { obstacle(of: $0, facts) }
        }
        if self == .caps, let respondent = facts.respondent {
            return (facts.catalog.pacing?.caps ?? []).compactMap { obstacle(of: $0, message, respondent, facts) }
        }
        guard case .closed(let obstacle) = judge(message, facts) else { return [] }
        return [obstacle]
    }

    private func judge(_ message: Message, _ facts: some GateFacts) -> PacingJudgement {
        switch self {
        // These gates are judged for every candidate, with or without pacing.
        case .surface, .displayCap, .interaction, .triggers, .exclusions: return .holds
        case .content:
            guard let slug = message.definition.presents,
                facts.catalog.contents[slug]?.isActive != true
            else { return .holds }
            return .closed(.inactive(presents: slug.text))
        case .schedule:
            let pacing = message.facts.pacing
            if let start = pacing?.start, !facts.clock.hasReached(start) { return .closed(.notStarted(until: start)) }
            if let end = pacing?.end, facts.clock.hasReached(end) { return .closed(.ended(since: end)) }
            return .holds
        case .sampling: return judgeSampling(message, facts)
        case .quietHours: return PacingJudgement(obstacleOfQuietHours(facts))
        case .quotas:
            guard let reached = facts.catalog.reached[message.key] else { return .holds }
            for quota in reached.quotas { if let full = obstacle(of: quota, facts) { return .closed(full) } }
            return .holds
        case .responseLimit:
            return PacingJudgement(facts.catalog.reached[message.key]?.responses.map { .responseLimit($0) })
        case .optOut, .responded, .displayLimit, .cooldown, .cooldownAny, .caps:
            guard let respondent = facts.respondent else { return judgeUnknown(message, facts) }
            return PacingJudgement(obstacle(of: message, respondent, facts))
        }
    }

    /// Judges a forecast's client, which has seen and answered nothing yet. Its displays of other messages are not
    /// known (docs/reference/http-api.md#forecasts).
    private func judgeUnknown(_ message: Message, _ facts: some GateFacts) -> PacingJudgement {
        let isUnknown =
            switch self {
            case .cooldown: message.facts.pacing?.cooldownSeconds != nil
            case .cooldownAny: facts.catalog.pacing.map { $0.cooldownSeconds > 0 } ?? false
            case .caps: facts.catalog.pacing?.caps.isEmpty == false
            case .surface, .content, .schedule, .sampling, .displayCap, .interaction, .triggers, .exclusions, .optOut,
                .responded, .displayLimit, .quietHours, .quotas, .responseLimit:
                false
            }
        return isUnknown ? .unknown : PacingJudgement(obstacle(of: message, ClientState(), facts))
    }

    private func obstacle(
        of message: Message, _ respondent: ClientState, _ facts: some GateFacts
    ) -> PacingObstacle? {
        switch self {
        case .optOut:
            // Flows are not affected: a respondent dismisses only questionnaires and surveys.
            guard let slug = message.definition.presents, let time = respondent.surveys.dismissedAt,
                facts.catalog.contents[slug]?.kind?.isDismissible != false
            else { return nil }
            return .optedOut(since: time)
        case .responded:
            return message.definition.presents.flatMap { obstacle(ofAnswersTo: $0, respondent.surveys, facts) }
        case .displayLimit:
            let count = Int(facts.ledgerEntry(of: message)?.displayCount ?? 0)
            guard let limit = message.facts.pacing?.displayLimit, count >= limit else { return nil }
            return .displayLimit(count: count, limit: limit, until: facts.askingEnds(of: message))
        case .cooldown:
            guard let seconds = message.facts.pacing?.cooldownSeconds else { return nil }
            return end(of: seconds, after: respondent.shows.last(of: message.key), facts).map { .cooldown(until: $0) }
        case .cooldownAny:
            guard let seconds = facts.catalog.pacing?.cooldownSeconds, seconds > 0 else { return nil }
            guard facts.offered.isEmpty else { return .cooldownAny(until: nil) }
            return end(of: seconds, after: respondent.shows.shows.last?.time, facts).map { .cooldownAny(until: $0) }
        case .caps:
            for cap in facts.catalog.pacing?.caps ?? [] {
                if let obstacle = obstacle(of: cap, message, respondent, facts) { return obstacle }
            }
            return nil
        case .surface, .content, .schedule, .sampling, .displayCap, .interaction, .triggers, .exclusions, .quietHours,
            .quotas, .responseLimit:
            return nil
        }
    }

    private func obstacle(
        ofAnswersTo slug: Identifier, _ surveys: SurveyStanding, _ facts: some GateFacts
    ) -> PacingObstacle? {
        guard let submission = surveys.submission(of: slug) else { return nil }
        let rule = facts.catalog.contents[slug]?.repeats
        guard case .answered(let round) = surveys.state(of: slug, rule, hasReached: { facts.clock.hasReached($0) })
        else { return nil }
        return .responded(since: submission.at, rule.map { _ in round })
    }

    /// The time at which a period ends; nil if it has already ended.
    private func end(of seconds: Int64, after time: Timestamp?, _ facts: some GateFacts) -> Timestamp? {
        guard let end = time?.adding(seconds: seconds), !facts.clock.hasReached(end) else { return nil }
        return end
    }

    /// Counts displays within the cap's time, and the offers of this decision.
    private func obstacle(
        of cap: AppPacing.Cap, _ message: Message, _ respondent: ClientState, _ facts: some GateFacts
    ) -> PacingObstacle? {
        guard cap.counts(message.facts.pacing?.tags ?? []) else { return nil }
        var count = facts.offered.count { cap.counts($0.facts.pacing?.tags ?? []) }
        var until: Timestamp?
        if let seconds = cap.seconds {
            // The newest display comes first. The cap is reached only if the oldest display that it counts is recent
            // enough.
            for show in respondent.shows.shows.reversed() where cap.counts(show.tags) {
                if count >= cap.count { break }
                guard let end = end(of: seconds, after: show.time, facts) else { continue }
                (count, until) = (count + 1, end)
            }
        } else if let session = facts.sessionID {
            count += respondent.session.count(cap, in: session)
        } else {
            // Without a session the cap does not apply.
            return nil
        }
        return count >= cap.count ? .cap(cap, count: count, until: until) : nil
    }

    private func obstacle(of quota: ReachedLimits.Quota, _ facts: some GateFacts) -> PacingObstacle? {
        let isClosed = quota.excludes?(facts.attribute, &facts.quotaSteps) == true
        return isClosed ? .quota(quota.name.text, quota.level) : nil
    }

    /// Judges by the respondent's local time, if an attribute contains the offset from UTC.
    private func obstacleOfQuietHours(_ facts: some GateFacts) -> PacingObstacle? {
        guard let quiet = facts.catalog.pacing?.quietHours, quiet.from != quiet.to else { return nil }
        let offset = quiet.offsetAttribute.flatMap { facts.attribute($0)?.double }.flatMap(Self.minutes) ?? 0
        return facts.clock.read { now -> (value: PacingObstacle?, end: Timestamp) in
            let minutes = now.milliseconds.floored(by: 60_000) + offset
            let day = minutes.floored(by: 1440) * 1440
            let minute = minutes - day
            let isQuiet =
                quiet.from < quiet.to
                ? (quiet.from..<quiet.to).contains(minute) : minute >= quiet.from || minute < quiet.to
            let next = [quiet.from, quiet.to].map { $0 > minute ? day + $0 : day + 1440 + $0 }.min() ?? minutes + 1
            let end = Timestamp(seconds: (next - offset) * 60)
            return (isQuiet ? .quietHours(until: end) : nil, end)
        }
    }

    /// The offset in minutes; nil for a value that is no offset from UTC.
    private static func minutes(_ offset: Double) -> Int64? {
        let maximum = 24.0 * 60
        return (-maximum...maximum).contains(offset) ? Int64(offset) : nil
    }

    /// Judges whether the respondent is in the sample. The sample contains the same respondents as long as it does not
    /// change.
    private func judgeSampling(_ message: Message, _ facts: some GateFacts) -> PacingJudgement {
        guard let sample = message.facts.pacing?.sample else { return .holds }
        guard let id = facts.respondentID else {
            return sample.count > 0 ? .unknown : .closed(.sampledOut(sample, bucket: nil))
        }
        let hash = Hash48.hash(JSONValue.array([.string(id), .string(message.key)]).encoded)
        if BucketSample.contains(hash48: hash, start: 0, count: sample.count, total: sample.total) { return .holds }
        return .closed(.sampledOut(sample, bucket: BucketSample.bucket(of: hash, total: sample.total)))
    }
}

extension LaunchTrigger {
    /// Whether a client has started the app often enough, and long enough ago.
    ///
    /// - Parameter reported: the numbers that the client reported itself.
    func holds(for counters: LaunchCounters, _ reported: ReportedCounters?, _ clock: DecisionClock) -> Bool {
        guard max(counters.launches, reported?.launches ?? 0) >= launches,
            max(counters.foregrounds, reported?.foregrounds ?? 0) >= foregrounds
        else { return false }
        guard seconds > reported?.seconds ?? 0 else { return true }
        guard let first = counters.firstLaunchAt else { return false }
        return clock.hasReached(first.adding(seconds: seconds))
    }
}
