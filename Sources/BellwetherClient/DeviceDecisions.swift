internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The decisions of the device: the compiled app of the last bundle, and what this client has seen and done.
struct DeviceDecisions {
    private(set) var compiledApp: CompiledApp?
    /// The time at which the daemon published the bundle.
    private(set) var generatedAt: Timestamp?
    var state = ClientState()

    /// Takes a bundle if it can be read. An older bundle than the present one is not taken.
    mutating func take(bundle: [UInt8]) {
        guard let read = CompiledAppBundle.read(bundle) else { return }
        if let generatedAt, read.generatedAt < generatedAt { return }
        (compiledApp, generatedAt) = (read.compiledApp, read.generatedAt)
    }

    func query(
        _ surfaces: [Identifier], _ context: JSONObject, clientID: Identifier, session: Identifier, now: Timestamp
    ) -> PollQuery? {
        guard let compiledApp else { return nil }
        var query = PollQuery(
            clientID: clientID, surfaces: surfaces.isEmpty ? compiledApp.manifest.surfaces : surfaces,
            context: compiledApp.context(.object(context)), now: now)
        query.sessionID = session
        return query
    }

    /// The messages that the client may see now. Enrollments that change are kept, and controls count as shown, as in a
    /// poll.
    mutating func offers(for query: PollQuery, clientID: Identifier, uuid: () -> String) -> [OfferedMessage] {
        guard let compiledApp else { return [] }
        let decision = compiledApp.decide(query, state: state)
        if !decision.effects.isEmpty {
            note(for: clientID, at: query.now) {
                $0.apply(decision.effects, revision: compiledApp.catalog.revision)
            }
        }
        return decision.offers.map { OfferedMessage($0, of: compiledApp, for: query, uuid: uuid) }
    }

    /// Counts an event as the daemon will count it.
    ///
    /// - Parameter offered: the messages that were offered last, for a device without their recipes.
    mutating func record(_ event: ClientEvent, of clientID: Identifier, at now: Timestamp, offered: [OfferedMessage]) {
        let app = compiledApp
        let facts = { (key: Identifier, state: ClientState) -> MessageFacts? in
            let known = app.flatMap { $0.message(key, in: ClientBranches($0.experiments, state.enrollments))?.facts }
            return known ?? offered.first { $0.key == key }?.facts
        }
        note(for: clientID, at: now) { journal in
            switch event.kind {
            case .behavior(let name, let count, let properties):
                let behavior = BehaviorEvent(
                    name: name, count: count, properties: app?.manifest.properties(of: name, in: properties) ?? [:],
                    deriving: app?.catalog.derivedEvents ?? .none)
                _ = journal.behaved(behavior, at: nil)
            case .message(let action, let key, let uuid):
                guard let facts = facts(key, journal.state) else { return }
                switch action {
                case .displayed: journal.displayed(facts, session: event.sessionID)
                case .clicked: journal.clicked(facts, actionUUID: uuid)
                case .dismissed: journal.dismissed(facts)
                }
            case .microsurvey(let step, let key):
                guard let facts = facts(key, journal.state) else { return }
                journal.microsurvey(step, facts)
            case .exposure: break
            }
        }
    }

    /// Counts the answer to a microsurvey.
    mutating func answered(_ message: OfferedMessage, option: Int, of clientID: Identifier, at now: Timestamp) {
        let known = compiledApp.flatMap { app in
            app.message(message.key, in: ClientBranches(app.experiments, state.enrollments))
        }
        let facts = known?.facts ?? message.facts
        let response = SurveyResponse(
            id: "", clientID: clientID, message: message.key, requestID: nil, optionIndex: option, optionStringID: "",
            text: message.microsurvey?.options[option] ?? "", locale: message.locale, revision: message.revision,
            submittedAt: now)
        note(for: clientID, at: now) { $0.answered(facts, response) }
    }

    /// Takes over the daemon's counts, which have the displays on the person's other devices, too.
    mutating func reconcile(with messages: [OfferedMessage]) {
        for message in messages {
            let count = UInt32(clamping: message.displayCount)
            if state.ledger.entry(of: message.key)?.displayCount ?? 0 < count {
                state.ledger[message.key].displayCount = count
            }
        }
    }

    /// Whether a message of an earlier answer has ended here since.
    func hasEnded(_ message: OfferedMessage) -> Bool {
        guard let entry = state.ledger.entry(of: message.key) else { return false }
        return entry.isInteracted || entry.isAnswered || entry.isExpired(cap: message.maxDisplayCount ?? .max)
    }

    /// A recipe of the bundle that is live.
    func recipe(_ slug: Identifier, _ kind: ContentKind) -> Recipe? {
        compiledApp?.live.first { $0.slug == slug && $0.content == kind }
    }

    /// The records of the journal are the daemon's to make.
    private mutating func note(
        for clientID: Identifier, at now: Timestamp, _ change: (inout ClientJournal) -> Void
    ) {
        var journal = ClientJournal(state: state, clientID: clientID, at: now, catalog: compiledApp?.catalog)
        change(&journal)
        state = journal.state
    }
}
