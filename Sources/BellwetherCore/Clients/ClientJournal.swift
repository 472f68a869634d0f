public import BellwetherBase
public import BellwetherJSON

/// Applies events of a client: changes its state, and collects the records for the telemetry log.
public struct ClientJournal {
    public private(set) var state: ClientState
    public private(set) var records: [TelemetryRecord] = []
    let clientID: Identifier
    /// The time of the events, which is the time of the records.
    public var at: Timestamp

    /// The catalog whose pacing and recipes events are judged by; nil if no event is about a message.
    private let catalog: Catalog?
    /// The goals that events count for.
    private let goals: GoalTable
    /// The time of the request.
    private let now: Timestamp
    /// Whether exposures begin the windows of goals. Those of submitted pings do not.
    public var countsExposures = true

    /// - Parameter at: The time of the request, which is the time of events without another.
    public init(
        state: ClientState, clientID: Identifier, at: Timestamp, catalog: Catalog? = nil, goals: GoalTable = .none
    ) {
        self.state = state
        self.clientID = clientID
        (self.at, now) = (at, at)
        self.catalog = catalog
        self.goals = goals
    }

    /// The pacing of the app.
    private var pacing: AppPacing? { catalog?.pacing }

    /// A client reported that it displayed a message: exposure, then `expired` if the cap is reached, then `shown`
    /// (docs/reference/messaging.md#displayed).
    ///
    /// - Parameter session: the app's session, as the client names it.
    public mutating func displayed(_ message: MessageFacts, session: Identifier? = nil) {
        recordExposure(message)
        countDisplay(message)
        if pacing != nil || message.pacing != nil {
            state.shows.add(message.key, tags: message.pacing?.tags ?? [], at: at, keeping: pacing)
        }
        if let session, pacing?.hasSessionCaps == true {
            state.session.add(tags: message.pacing?.tags ?? [], in: session)
        }
        record("messaging", "shown", message, extra: message.telemetryExtra)
    }

    /// Counts a selected control as shown, without a `shown` event. A control that names no experiment is malformed
    /// (docs/reference/messaging.md#controls).
    public mutating func reachedControl(_ message: MessageFacts) {
        if message.experiment == nil {
            reportMalformed(message)
        } else {
            recordExposure(message)
        }
        countDisplay(message)
    }

    /// A client reported that a message has reached its cap.
    public mutating func expired(_ message: MessageFacts) {
        var entry = state.ledger[message.key]
        entry.isExpired = true
        if message.isPresenting { entry.displayedAt = max(entry.displayedAt ?? at, at) }
        state.ledger[message.key] = entry
    }

    /// Records a press. It ends the message, except if it opens a microsurvey's sheet
    /// (docs/reference/messaging.md#clicked).
    public mutating func clicked(_ message: MessageFacts, actionUUID: String?) {
        if MessageKind.pressEndsMessage(on: message.surface), !message.isPresenting {
            state.ledger[message.key].isClicked = true
        }
        var extra = message.telemetryExtra
        if let actionUUID { extra["action_uuid"] = .string(actionUUID) }
        record("messaging", "clicked", message, extra: extra)
        count(.clicked, of: message)
    }

    public mutating func dismissed(_ message: MessageFacts) {
        dismiss(message)
        count(.dismissed, of: message)
    }

    /// Records a dismissal, also that of a survey that was answered.
    private mutating func dismiss(_ message: MessageFacts) {
        if var entry = entry(of: message, isDisplay: false) {
            if entry.dismissals < .max { entry.dismissals += 1 }
            if message.isPresenting { entry.dismissedAt = max(entry.dismissedAt ?? at, at) }
            state.ledger[message.key] = entry
        }
        record("messaging", "dismissed", message, extra: message.telemetryExtra)
    }

    /// Records a step on the survey's sheet. The sheet's close button closes the prompt too.
    public mutating func microsurvey(_ step: MicrosurveyStep, _ message: MessageFacts) {
        record("microsurvey", Identifier(step.rawValue), message, extra: ["survey_id": .string(message.key)])
        if step == .dismissButtonTapped { dismissed(message) }
    }

    /// Records an answer, with the three events of a submit in their order
    /// (docs/reference/messaging.md#microsurvey-lifecycle).
    public mutating func answered(_ message: MessageFacts, _ response: SurveyResponse) {
        state.ledger[message.key].isAnswered = true
        count(.answered, of: message)
        dismiss(message)
        record(
            "microsurvey", "submit_button_tapped", message,
            extra: [
                "survey_id": .string(message.key), "user_selection": .string(response.text),
                "option_index": .integer(Int64(response.optionIndex)),
                "option_string_id": .string(response.optionStringID), "locale": .string(response.locale),
                "revision": .integer(Int64(response.revision)),
            ])
        microsurvey(.confirmationShown, message)
    }

    /// Records the two events of a malformed message (docs/reference/messaging.md#malformed-messages).
    public mutating func reportMalformed(_ message: MessageFacts) {
        record("messaging", "malformed", message, extra: message.telemetryExtra)
        var extra: JSONObject = ["feature_id": "messaging", "part_id": .string(message.key)]
        if let enrollment = message.enrollment {
            extra["experiment"] = .string(enrollment.slug)
            extra["branch"] = .string(enrollment.branch)
        }
        record("nimbus_events", "malformed_feature", message, extra: extra)
    }

    /// Notes that the malformed messages of a catalog were reported for this client.
    public mutating func reportedMalformed(revision: UInt64) { state.reportedRevision = revision }

    /// Records that the client used a feature under an experiment. The record is dropped unless the client is enrolled
    /// there (docs/reference/experiments.md#exposure).
    ///
    /// - Parameter message: the key of the message that exposed the client; nil if none did.
    public mutating func exposed(_ enrollment: EnrolledBranch, featureID: Identifier, message: Identifier? = nil) {
        records.append(
            TelemetryRecord(
                at: at, clientID: clientID, category: "nimbus_events", name: "exposure",
                extra: [
                    "experiment": .string(enrollment.slug), "branch": .string(enrollment.branch),
                    "feature_id": .string(featureID),
                ],
                experiment: enrollment.slug, branch: enrollment.branch, exposingMessage: message))
        expose(enrollment)
    }

    /// Stores the client's evolved enrollments, and records their change events
    /// (docs/reference/experiments.md#enrollment-events).
    public mutating func evolved(_ evolved: EvolvedEnrollments) {
        state.enrollments = state.enrollments.replacing(evolved)
        place(evolved)
        records += evolved.changes.map { $0.record(at: at, clientID: clientID) }
    }

    /// Stores the client's participation in recipes. The client leaves at once the recipes that it opted out of.
    public mutating func participates(_ participation: Participation, in experiments: ExperimentSet) {
        let known = state.enrollments.unpacked.enrollments
        let evolved = OptOuts(recipes: experiments, participation: participation).apply(to: known)
        state.enrollments = PackedEnrollments(
            ClientEnrollments(enrollments: evolved.enrollments, participation: participation))
        records += evolved.changes.map { $0.record(at: at, clientID: clientID) }
    }

    /// Counts a behaviour event now, or in the past at `time`. Returns false if its time cannot be counted
    /// (docs/reference/events.md#recording-in-the-past).
    public mutating func behaved(_ event: BehaviorEvent, at time: Timestamp?) -> Bool {
        let events = catalog?.derivedEvents ?? .none
        guard state.behavior.record(event, at: time, now: now, of: events) else { return false }
        state.counters.count(event.name, event.count, at: time ?? now)
        count(.behavior(event.name)) { $0.amount(of: event) }
        for derived in event.derived { count(.behavior(derived.event.name)) { $0.amount(of: event) } }
        return true
    }

    /// Records the effects of a poll. Enrollments come first, because messages are selected under the new enrollments.
    public mutating func apply(_ effects: DecisionEffects, revision: UInt64) {
        if let evolved = effects.enrollments { self.evolved(evolved) }
        if !effects.malformed.isEmpty {
            for message in effects.malformed { reportMalformed(message) }
            reportedMalformed(revision: revision)
        }
        for control in effects.controls { reachedControl(control) }
        guard !effects.exposures.isEmpty else { return }
        let enrolled = state.enrollments.unpacked.enrollments
        for exposure in effects.exposures {
            exposed(exposure.branch, featureID: exposure.featureID)
            state.exposures.note(exposure, enrolled: enrolled)
        }
    }

    /// Adds a behaviour event to the log. Callers use it if the setting `telemetry.behavior` is on.
    public mutating func recordBehavior(_ event: BehaviorEvent) {
        var extra: JSONObject = ["count": .integer(Int64(clamping: event.count))]
        if !event.properties.isEmpty {
            let properties = event.properties.sorted { $0.key < $1.key }
            extra["properties"] = .object(JSONObject(properties.map { (key: $0.key.text, value: $0.value) }))
        }
        records.append(
            TelemetryRecord(
                at: at, clientID: clientID, category: "behavior", name: event.name,
                extra: extra))
    }

    private mutating func recordExposure(_ message: MessageFacts) {
        guard let enrollment = message.enrollment else { return }
        exposed(enrollment, featureID: "messaging", message: message.key)
    }

    /// Counts a display. `expired` is recorded once, when a display reaches the cap. It is also recorded for the first
    /// display after a cap was lowered. A message whose cap is 0, or that the client has pressed or dismissed, does not
    /// expire.
    private mutating func countDisplay(_ message: MessageFacts) {
        guard var entry = entry(of: message, isDisplay: true) else { return }
        let wasOut = entry.isExpired || entry.isInteracted || message.maxDisplayCount <= 0
        if entry.displayCount < .max { entry.displayCount += 1 }
        if message.isPresenting { entry.displayedAt = max(entry.displayedAt ?? at, at) }
        if Int(entry.displayCount) >= message.maxDisplayCount {
            entry.isExpired = true
            if !wasOut { record("messaging", "expired", message, extra: message.telemetryExtra) }
        }
        state.ledger[message.key] = entry
    }

    /// The entry to which a display or a dismissal at the time of the event adds; nil if it counts for nothing.
    private func entry(of message: MessageFacts, isDisplay: Bool) -> LedgerEntry? {
        let entry = state.ledger[message.key]
        guard message.isPresenting,
            let asking = catalog.flatMap({ PromptRule(of: message, $0.contents, state.surveys) })
        else { return entry }
        return asking.entry(entry, before: at, isDisplay: isDisplay)
    }

    private mutating func record(_ category: Identifier, _ name: Identifier, _ message: MessageFacts, extra: JSONObject)
    {
        records.append(
            TelemetryRecord(
                at: at, clientID: clientID, category: category, name: name, extra: extra,
                experiment: message.enrollment?.slug, branch: message.enrollment?.branch))
    }
}

/// The goals of experiments (docs/reference/goals.md#what-is-counted).
extension ClientJournal {
    /// The time at which the event happened: now, unless its own time is more than 5 minutes past.
    private var happened: Timestamp? {
        at < now.adding(seconds: -ClientEvent.toleranceSeconds) ? at : nil
    }

    /// Counts clients in the periods in which they are placed. A branch that a person chose does not count.
    private mutating func place(_ evolved: EvolvedEnrollments) {
        guard !goals.isEmpty else { return }
        for change in evolved.changes where change.kind == .enrollment {
            guard let entry = goals[change.slug] else { continue }
            let status = evolved.enrollments.first { $0.slug == change.slug }?.status
            guard case .enrolled(.qualified, let branch)? = status, let period = entry.current else {
                state.goals.unplace(change.slug)
                continue
            }
            let (now, goals) = (now, goals)
            state.goals.enroll(EnrolledBranch(slug: change.slug, branch: branch), period: period) { entry in
                goals.period(of: entry)?.isOver(entry, at: now) ?? (entry.exposedAt != nil)
            }
        }
    }

    /// Begins the windows of the goals, at the first exposure since the client was enrolled.
    private mutating func expose(_ branch: EnrolledBranch) {
        guard countsExposures, !state.goals.isEmpty, goals[branch.slug]?.isLive == true,
            let index = state.goals.waiting(branch), let period = goals.period(of: state.goals.entries[index])
        else { return }
        let values = period.goals.map { GoalValue(x: covariate(of: $0)) }
        let time = happened ?? now
        state.goals.change(index) { ($0.exposedAt, $0.values) = (time, values) }
    }

    /// The number of the goal's events in the 28 days before the exposure, limited like an outcome.
    private func covariate(of goal: Goal) -> Int64 {
        guard goal.usesCovariate, case .behavior(let name) = goal.event else { return 0 }
        let events = catalog?.derivedEvents ?? .none
        let count = state.behavior.events(events.counted(name), days: 28, before: happened, now: now)
        if goal.counts == .converted { return count > 0 ? 1 : 0 }
        return Int64(min(Double(goal.cap ?? 1), count / events.unit(of: name)))
    }

    /// The client answered a message of an experiment, or submitted what it presents.
    public mutating func answered(in experiment: Identifier) { count(.answered, in: experiment) }

    private mutating func count(_ event: Goal.MessageEvent, of message: MessageFacts) {
        if let experiment = message.experiment { count(event, in: experiment) }
    }

    private mutating func count(_ event: Goal.MessageEvent, in experiment: Identifier) {
        count(.message(event), in: experiment) { _ in 1 }
    }

    /// Counts an event for the goals whose windows contain it, of all experiments or of one. An event that happens now
    /// is not before an exposure, whatever the clock of another node says.
    private mutating func count(
        _ event: Goal.Event, in experiment: Identifier? = nil, amount: (Goal) -> Int64
    ) {
        guard !state.goals.isEmpty, !goals.isEmpty else { return }
        for (index, entry) in state.goals.entries.enumerated() {
            guard let exposedAt = entry.exposedAt, entry.slug == experiment ?? entry.slug,
                let period = goals.period(of: entry),
                period.goals.count == entry.values.count
            else { continue }
            let time = happened ?? max(now, exposedAt)
            for (position, goal) in period.goals.enumerated()
            where goal.event == event && exposedAt <= time && time <= goal.windowEnd(after: exposedAt) {
                let value = entry.values[position].y
                let sum = goal.counts == .converted ? 1 : min(goal.limit, value.addingSaturating(amount(goal)))
                if sum != value { state.goals.change(index) { $0.values[position].y = sum } }
            }
        }
    }
}

extension Goal {
    /// The most that one client adds.
    fileprivate var limit: Int64 { (cap ?? 1) * (property == nil ? 1 : 1_000) }

    /// The amount that an event adds to a sum: its count, or a property in thousandths, halves up. A number out of
    /// bounds adds nothing.
    fileprivate func amount(of event: BehaviorEvent) -> Int64 {
        let count = Int64(clamping: event.count)
        guard let property else { return min(count, limit) }
        let amount = EventDerivation.thousandths(event.properties[property]).multipliedSaturating(by: event.count)
        return min(Int64(clamping: amount), limit)
    }
}

/// The steps that a client reports from a survey's sheet (docs/reference/messaging.md#microsurvey-lifecycle).
public enum MicrosurveyStep: String, Sendable, Hashable, CaseIterable {
    case shown
    case privacyNoticeTapped = "privacy_notice_tapped"
    case dismissButtonTapped = "dismiss_button_tapped"
    case confirmationShown = "confirmation_shown"
}

extension MessageFacts {
    var telemetryExtra: JSONObject { ["message_key": .string(key), "message_surface": .string(surface)] }
}
