public import BellwetherCore

/// Decides what a client may see now (api.md 2.1). Pure: the same function runs on a worker, and again inside the
/// store's transaction when it has effects.
public enum DeliverMessages {
    /// `verdicts` holds what is known of the poll's context already; it must be of the poll's catalog and context.
    /// `validity` is told until when the decision holds while the state stays as it is.
    public static func decide(
        _ poll: Poll, state: ClientState, verdicts: ContextVerdicts, validity: Validity? = nil
    ) -> Delivery {
        let catalog = poll.app.catalog
        let environment = TriggerEnvironment(
            context: poll.context, clientID: poll.client.id, behavior: state.behavior,
            enrollments: catalog.enrollments, now: poll.now, validity: validity)
        let selector = Selector(verdicts: verdicts, environment: environment, ledger: state.ledger)
        var effects = DeliveryEffects()
        var offers: [Offer] = []
        for surface in poll.surfaces {
            let selection = selector.select(surface: surface)
            effects.controls += selection.controls.map(\.facts)
            if let message = selection.message {
                offers.append(
                    Offer(message: message, displayCount: Int(state.ledger[message.key].displayCount)))
            }
        }
        if !catalog.malformed.isEmpty, state.reportedRevision != catalog.revision {
            effects.malformed = catalog.malformed.map(\.facts)
        }
        return Delivery(offers: offers, effects: effects)
    }

    /// The change that a poll with effects, or with events of its own, makes: events first, so that a message they
    /// trigger is in this very answer.
    public static func change(_ poll: Poll, events: [ResolvedEvent]?, policy: EventPolicy) -> ClientChange {
        let eventIDs = events?.map(\.id) ?? []
        return ClientChange(client: poll.client, eventIDs: eventIDs, now: poll.now) { state, input in
            var journal = ClientJournal(state: state, clientID: poll.client.id, at: poll.now)
            let tally = events.map { RecordEvents.apply($0, input, policy, poll.now, to: &journal) }
            let verdicts = ContextVerdicts(catalog: poll.app.catalog, context: poll.context)
            let delivery = decide(poll, state: journal.state, verdicts: verdicts)
            journal.apply(delivery.effects, revision: poll.app.catalog.revision)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: .delivered(delivery, tally))
        }
    }
}

extension ClientJournal {
    mutating func apply(_ effects: DeliveryEffects, revision: UInt64) {
        if !effects.malformed.isEmpty {
            for message in effects.malformed { reportMalformed(message) }
            reportedMalformed(revision: revision)
        }
        for control in effects.controls { reachedControl(control) }
    }
}
