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
        let scan = verdicts.scan(of: surface)
        return withOutcomes { outcomes in
            guard scan.index.isUniform else { return select(scan.index, &scan.marks, &outcomes) }
            return select(scan, &outcomes)
        }
    }

    /// Where all clients go through the same run.
    private func select(_ scan: SurfaceScan, _ outcomes: inout PollOutcomes) -> SurfaceSelection {
        var selection = SurfaceSelection()
        let table = catalog.candidates
        var known = scan.candidates
        var index = 0
        while true {
            if index == known.count {
                guard scan.goOn(table, verdicts.truths, environment) else { break }
                known = scan.candidates
            }
            let candidate = table.candidates[Int(known[index])]
            index += 1
            guard hasForm(candidate), isEligible(candidate, table, &outcomes) else { continue }
            if ends(candidate, &selection) { break }
        }
        return selection
    }

    /// Where it depends on the client's events what it goes through.
    private func select(
        _ index: SurfaceIndex, _ marks: inout ContextMarks, _ outcomes: inout PollOutcomes
    ) -> SurfaceSelection {
        var selection = SurfaceSelection()
        let table = catalog.candidates
        var walk = CandidateWalk(of: index, for: environment.behavior)
        while let place = walk.next(marks) {
            let candidate = table.candidates[Int(index.order[place])]
            if !marks.isJudged(place) {
                let isRuledOut = table.isRuledOut(candidate, verdicts.truths, environment)
                marks.note(place, isRuledOut: isRuledOut)
                guard !isRuledOut else { continue }
            }
            guard hasForm(candidate), isOpen(&walk, &outcomes), isEligible(candidate, table, &outcomes) else {
                continue
            }
            if ends(candidate, &selection) { break }
        }
        return selection
    }

    /// Takes an eligible message into the selection. Whether nothing comes after it: it is shown, or a control that
    /// keeps back the others.
    private func ends(_ eligible: Candidate, _ selection: inout SurfaceSelection) -> Bool {
        let message = catalog.messages[Int(eligible.message)]
        guard message.facts.isControl else {
            selection.message = message
            return true
        }
        selection.controls.append(message)
        return catalog.onControl(for: forms) == .showNone
    }

    /// Whether the client has the message in this form.
    private func hasForm(_ candidate: Candidate) -> Bool {
        !candidate.isConditional || forms.meets(catalog.messages[Int(candidate.message)].requirements)
    }

    /// Whether the group that the walk has come to, if it is in one, lets the client through. If not, it has left it.
    private func isOpen(_ walk: inout CandidateWalk, _ outcomes: inout PollOutcomes) -> Bool {
        guard let gate = walk.gate else { return true }
        let isOpen = outcomes.outcome(of: gate.trigger, in: environment) == gate.wanted
        if isOpen { walk.openGroup() } else { walk.leaveGroup() }
        return isOpen
    }

    /// As `eligibility`, for a message in the client's form that the context does not rule out.
    private func isEligible(
        _ candidate: Candidate, _ table: CandidateTable, _ outcomes: inout PollOutcomes
    ) -> Bool {
        table.isOpen(candidate, &outcomes, environment)
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
    public fileprivate(set) var message: Message?
    /// Controls that count as shown by this selection, in order.
    public fileprivate(set) var controls: [Message] = []
}
