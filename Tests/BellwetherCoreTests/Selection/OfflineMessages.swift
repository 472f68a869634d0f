import BellwetherBase
import BellwetherCore
import BellwetherJSON

/// The messages of one installation.
struct OfflineMessages {
    let compiledApp: CompiledApp
    let clientID: Identifier
    /// What the client has seen and done, and where it is enrolled.
    private(set) var state: ClientState
    /// What telemetry is to have.
    private(set) var records: [TelemetryRecord] = []

    /// `bundle` is the body of `GET /v1/apps/{app}/bundle`; `saved` is what `state.encoded()` was, nil at first.
    init?(bundle: [UInt8], clientID: Identifier, saved: [UInt8]?) {
        guard let bundle = CompiledAppBundle.read(bundle) else { return nil }
        compiledApp = bundle.compiledApp
        self.clientID = clientID
        state = saved.flatMap { ClientState(encoded: $0) } ?? ClientState()
    }

    /// The message that a surface may show now.
    mutating func message(on surface: Identifier, in context: TargetingContext, now: Timestamp) -> Message? {
        let query = PollQuery(clientID: clientID, surfaces: [surface], context: context, now: now)
        let delivery = compiledApp.decide(query, state: state)
        let revision = compiledApp.catalog.revision
        // Enrollments that have changed, and controls, which count as shown.
        note(at: now) { $0.apply(delivery.effects, revision: revision) }
        return delivery.offers.first?.message
    }

    /// The message is on the screen.
    mutating func displayed(_ message: Message, now: Timestamp) {
        note(at: now) { $0.displayed(message.facts) }
    }

    /// It was pressed; the URL is to be opened.
    mutating func pressed(
        _ message: Message, in context: TargetingContext, now: Timestamp, uuid: () -> String
    ) -> String? {
        let query = PollQuery(clientID: clientID, surfaces: [], context: context, now: now)
        let action = compiledApp.action(of: message, for: query, uuid: uuid)
        note(at: now) { $0.clicked(message.facts, actionUUID: action?.uuid) }
        return action?.url
    }

    mutating func dismissed(_ message: Message, now: Timestamp) {
        note(at: now) { $0.dismissed(message.facts) }
    }

    /// Something happened that triggers count.
    mutating func happened(_ event: Identifier, now: Timestamp) {
        note(at: now) { _ = $0.behaved(BehaviorEvent(name: event, count: 1), at: nil) }
    }

    private mutating func note(at now: Timestamp, _ change: (inout ClientJournal) -> Void) {
        var journal = ClientJournal(state: state, clientID: clientID, at: now, catalog: compiledApp.catalog)
        change(&journal)
        state = journal.state
        records += journal.records
    }
}
