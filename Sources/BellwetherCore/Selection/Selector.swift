/// Decides what one client may see now (nimbus-messaging.md B). A pure function of what it holds.
public struct Selector {
    public let verdicts: ContextVerdicts
    public let environment: TriggerEnvironment
    public let ledger: DisplayLedger
    /// What the client's branches make of the catalog.
    public let forms: ClientForms
    private let poll: UInt32

    public init(verdicts: ContextVerdicts, environment: TriggerEnvironment, ledger: DisplayLedger) {
        self.verdicts = verdicts
        self.environment = environment
        self.ledger = ledger
        forms = environment.branches.forms(of: verdicts.catalog)
        poll = verdicts.beginPoll()
    }

    private var catalog: Catalog { verdicts.catalog }

    /// What a surface shows: the first eligible message, and the controls that were reached before it.
    public func select(surface: String) -> SurfaceSelection {
        let scan = verdicts.scan(of: surface)
        var controls: [Message] = []
        var index = 0
        while let candidate = scan.candidate(index, verdicts, environment, poll: poll) {
            index += 1
            guard isEligible(candidate) else { continue }
            guard candidate.message.facts.isControl else {
                return SurfaceSelection(message: candidate.message, controls: controls)
            }
            controls.append(candidate.message)
            if catalog.onControl(for: forms) == .showNone { break }
        }
        return SurfaceSelection(message: nil, controls: controls)
    }

    /// As `eligibility`, for a message that the context does not rule out.
    private func isEligible(_ candidate: Candidate) -> Bool {
        forms.meets(candidate.message.requirements) && standing(of: candidate.message) == nil
            && candidate.isOpen(verdicts, environment, poll: poll)
    }

    /// The first reason for which the message is out, in the order of B: display cap, interaction, triggers,
    /// exclusions. Each list is judged up to the first value that decides it.
    public func eligibility(of message: Message) -> Eligibility {
        if let standing = standing(of: message) { return standing }
        for use in message.triggers {
            switch verdicts.outcome(of: use.expression, in: environment, poll: poll) {
            case .holds: continue
            case .fails: return .triggerFalse
            case .failed: return .triggerError
            }
        }
        for use in message.exclusions {
            switch verdicts.outcome(of: use.expression, in: environment, poll: poll) {
            case .holds: return .excluded
            case .fails: continue
            case .failed: return .excludeError
            }
        }
        return .eligible
    }

    /// What the client's own history says against the message.
    private func standing(of message: Message) -> Eligibility? {
        guard let entry = ledger.entry(of: message.key) else {
            return message.facts.maxDisplayCount > 0 ? nil : .expired
        }
        if entry.isExpired(cap: message.facts.maxDisplayCount) { return .expired }
        return entry.isInteracted ? .interacted : nil
    }

    /// Every trigger's own verdict, for explanations.
    public func verdict(of use: TriggerUse) -> TriggerVerdict {
        catalog.triggers[use.expression].verdict(in: environment)
    }
}

/// The outcome of a selection on one surface.
public struct SurfaceSelection: Sendable {
    public let message: Message?
    /// Controls that count as shown by this selection, in order.
    public let controls: [Message]
}
