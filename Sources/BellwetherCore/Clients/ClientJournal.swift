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

    public init(state: ClientState, clientID: Identifier, at: Timestamp, catalog: Catalog? = nil) {
        self.state = state
        self.clientID = clientID
        self.at = at
        self.catalog = catalog
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
    }

    public mutating func dismissed(_ message: MessageFacts) {
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
        dismissed(message)
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
    }

    /// Stores the client's evolved enrollments, and records their change events
    /// (docs/reference/experiments.md#enrollment-events).
    public mutating func evolved(_ evolved: EvolvedEnrollments) {
        state.enrollments = state.enrollments.replacing(evolved)
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
    public mutating func behaved(_ name: Identifier, count: UInt64, at time: Timestamp?, now: Timestamp) -> Bool {
        state.counters.count(name, count, at: time ?? now)
        guard let time else {
            state.behavior.record(name, count: count, at: now)
            return true
        }
        return state.behavior.recordPast(name, count: count, at: time, now: now)
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
    public mutating func recordBehavior(_ name: Identifier, count: UInt64) {
        records.append(
            TelemetryRecord(
                at: at, clientID: clientID, category: "behavior", name: name,
                extra: ["count": .integer(Int64(clamping: count))]))
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
