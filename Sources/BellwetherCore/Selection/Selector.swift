/// Decides what one client may see now (nimbus-messaging.md B). A pure function of what it holds.
public struct Selector {
    public let verdicts: ContextVerdicts
    public let environment: TriggerEnvironment
    public let ledger: DisplayLedger
    private let poll: UInt64

    public init(verdicts: ContextVerdicts, environment: TriggerEnvironment, ledger: DisplayLedger) {
        self.verdicts = verdicts
        poll = verdicts.beginPoll()
        self.environment = environment
        self.ledger = ledger
    }

    private var catalog: Catalog { verdicts.catalog }

    /// What a surface shows: the first eligible message, and the controls that were reached before it.
    public func select(surface: String) -> SurfaceSelection {
        var controls: [Message] = []
        let scan = verdicts.scan(of: surface)
        var index = 0
        while let message = verdicts.candidate(index, in: scan, environment, poll: poll) {
            index += 1
            guard eligibility(of: message) == .eligible else { continue }
            guard message.facts.isControl else { return SurfaceSelection(message: message, controls: controls) }
            controls.append(message)
            if catalog.onControl == .showNone { break }
        }
        return SurfaceSelection(message: nil, controls: controls)
    }

    /// The first reason for which the message is out, in the order of B: display cap, interaction, triggers,
    /// exclusions. Each list is judged up to the first value that decides it.
    public func eligibility(of message: Message) -> Eligibility {
        let entry = ledger[message.key]
        if entry.isExpired(cap: message.facts.maxDisplayCount) { return .expired }
        if entry.isInteracted { return .interacted }
        for use in message.triggers {
            switch verdict(of: use) {
            case .holds: continue
            case .fails: return .triggerFalse
            case .failed: return .triggerError
            }
        }
        for use in message.exclusions {
            switch verdict(of: use) {
            case .holds: return .excluded
            case .fails: continue
            case .failed: return .excludeError
            }
        }
        return .eligible
    }

    /// A trigger's own verdict.
    public func verdict(of use: TriggerUse) -> TriggerVerdict {
        verdicts.verdict(of: use.expression, in: environment, poll: poll)
    }
}

/// The outcome of a selection on one surface.
public struct SurfaceSelection: Sendable {
    public let message: Message?
    /// Controls that count as shown by this selection, in order.
    public let controls: [Message]
}
