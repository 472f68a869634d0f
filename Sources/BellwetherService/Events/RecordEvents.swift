public import BellwetherCore

/// Records what clients report: each event once, whatever is sent again.
public enum RecordEvents {
    /// The change that one client's events make.
    public static func change(
        client: ClientReference, events: [ResolvedEvent], policy: EventPolicy, now: Timestamp
    ) -> ClientChange {
        ClientChange(client: client, eventIDs: events.map(\.id), now: now) { state, input in
            var journal = ClientJournal(state: state, clientID: client.id, at: now)
            let tally = apply(events, input, policy, now, to: &journal)
            state = journal.state
            return ChangeOutcome(records: journal.records, result: .recorded(tally))
        }
    }

    static func apply(
        _ events: [ResolvedEvent], _ input: ChangeInput, _ policy: EventPolicy, _ now: Timestamp,
        to journal: inout ClientJournal
    ) -> EventTally {
        var tally = EventTally()
        for (event, isDuplicate) in zip(events, input.isDuplicate) {
            guard !isDuplicate else {
                tally.duplicates += 1
                continue
            }
            journal.at = event.at
            switch journal.apply(event, policy, now) {
            case .accepted: tally.accepted += 1
            case .duplicate: tally.duplicates += 1
            case .rejected(let rejection): tally.rejected.append(rejection)
            }
        }
        journal.at = now
        return tally
    }
}

private enum EventFate {
    case accepted, duplicate
    case rejected(EventRejection)
}

extension ClientJournal {
    fileprivate mutating func apply(_ event: ResolvedEvent, _ policy: EventPolicy, _ now: Timestamp) -> EventFate {
        switch event.kind {
        case .behavior(let name, let count, let then):
            guard state.behavior.count < Self.maximumEventNames || state.behavior.contains(name) else {
                return .rejected(
                    EventRejection(
                        index: event.index, code: "too_many_names", message: "the client has too many event names"))
            }
            guard behaved(name, count: count, at: then, now: now) else {
                return .rejected(
                    EventRejection(index: event.index, code: "time", message: "the event's time can not be counted"))
            }
            if policy.recordsBehavior { recordBehavior(name, count: count) }
        case .message(.displayed, let facts, _): displayed(facts)
        case .message(.clicked, let facts, let uuid): clicked(facts, actionUUID: uuid)
        case .message(.dismissed, let facts, _): dismissed(facts)
        case .microsurvey(.confirmationShown, let facts) where state.ledger[facts.key].isAnswered: return .duplicate
        case .microsurvey(let step, let facts): microsurvey(step, facts)
        case .exposure(let enrollment, let featureID):
            if let enrollment { exposed(enrollment, featureID: featureID) }
        }
        return .accepted
    }

    /// A bound on what one client can make the daemon remember.
    private static let maximumEventNames = 500
}
