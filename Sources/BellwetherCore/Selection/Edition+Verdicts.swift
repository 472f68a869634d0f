extension Edition {
    /// Why the messages of the asked surfaces are, or are not, what a client of this state sees: how many of each
    /// verdict, over the first so many messages in the order of selection. Empty where the surfaces have none.
    /// Enrollments stand as they are.
    public func verdicts(_ query: PollQuery, state: ClientState, bound: Int) -> [Verdict: Int] {
        let environment = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: state.behavior,
            branches: ClientBranches(experiments, state.enrollments), now: query.now)
        let selector = Selector(
            verdicts: ContextVerdicts(catalog: catalog, context: query.context), environment: environment,
            ledger: state.ledger)
        let rankings = Dictionary(
            query.surfaces.map { ($0, Ranking(selector.select(surface: $0))) }, uniquingKeysWith: { first, _ in first })
        var counts: [Verdict: Int] = [:]
        for message in catalog.messages.prefix(bound) where selector.forms.meets(message.requirements) {
            guard let ranking = rankings[message.facts.surface] else { continue }
            let eligibility = selector.eligibility(of: message)
            let verdict = eligibility == .eligible ? ranking.verdict(on: message) : eligibility.verdict
            counts[verdict, default: 0] += 1
        }
        let malformed = catalog.malformed.prefix(bound).count { message in
            rankings[message.facts.surface] != nil && selector.forms.meets(message.requirements)
        }
        if malformed > 0 { counts[.malformed] = malformed }
        return counts
    }
}
