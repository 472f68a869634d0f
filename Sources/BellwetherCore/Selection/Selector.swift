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
        poll = verdicts.outcomes.current.beginPoll()
    }

    private var catalog: Catalog { verdicts.catalog }

    /// What a surface shows: the first eligible message, and the controls that were reached before it.
    public func select(surface: String) -> SurfaceSelection {
        withOutcomes { select(verdicts.scan(of: surface), &$0) }
    }

    private func select(_ scan: SurfaceScan, _ outcomes: inout PollOutcomes) -> SurfaceSelection {
        var controls: [Message] = []
        let table = catalog.candidates
        var known = scan.candidates
        var index = 0
        while true {
            if index == known.count {
                guard scan.goOn(table, &outcomes, environment) else { break }
                known = scan.candidates
            }
            let candidate = table.candidates[Int(known[index])]
            index += 1
            guard isEligible(candidate, table, &outcomes) else { continue }
            let message = catalog.messages[Int(candidate.message)]
            guard message.facts.isControl else { return SurfaceSelection(message: message, controls: controls) }
            controls.append(message)
            if catalog.onControl(for: forms) == .showNone { break }
        }
        return SurfaceSelection(message: nil, controls: controls)
    }

    /// As `eligibility`, for a message that the context does not rule out; what costs least comes first.
    private func isEligible(
        _ candidate: Candidate, _ table: CandidateTable, _ outcomes: inout PollOutcomes
    ) -> Bool {
        if candidate.isConditional, !forms.meets(catalog.messages[Int(candidate.message)].requirements) { return false }
        return table.isOpen(candidate, &outcomes, environment)
            && standing(of: catalog.messages[Int(candidate.message)]) == nil
    }

    /// What triggers came to in this selector's poll; of an older one nothing is known any more.
    private func withOutcomes<Result>(_ body: (inout PollOutcomes) -> Result) -> Result {
        if verdicts.outcomes.current.poll == poll { return body(&verdicts.outcomes.current) }
        var own = PollOutcomes(catalog.triggers)
        _ = own.beginPoll()
        return body(&own)
    }

    /// The first reason for which the message is out, in the order of B: display cap, interaction, triggers,
    /// exclusions. Each list is judged up to the first value that decides it.
    public func eligibility(of message: Message) -> Eligibility {
        if let standing = standing(of: message) { return standing }
        return withOutcomes { outcomes in
            for use in message.triggers {
                switch outcomes.outcome(of: use.expression, in: environment) {
                case .holds: continue
                case .fails: return .triggerFalse
                case .failed: return .triggerError
                }
            }
            for use in message.exclusions {
                switch outcomes.outcome(of: use.expression, in: environment) {
                case .holds: return .excluded
                case .fails: continue
                case .failed: return .excludeError
                }
            }
            return .eligible
        }
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
