internal import BellwetherJSON

extension Edition {
    /// Decides what a client may see now (api.md 2.1): its enrollments are brought up to date, then each surface's
    /// message is selected. Pure: the same function runs on a worker, inside the store's transaction when it has
    /// effects, and on a device.
    ///
    /// `verdicts` holds what is known of the query's context already; it must be of this catalog and that context.
    /// `validity` is told until when the decision holds while the state stays as it is.
    public func decide(
        _ query: PollQuery, state: ClientState, standing: EnrollmentStanding = .unsettled, verdicts: ContextVerdicts,
        validity: Validity? = nil
    ) -> Delivery {
        var effects = DeliveryEffects()
        if case .unsettled = standing {
            effects.enrollments = evolved(query, state: state, verdicts: verdicts, validity: validity)
        }
        let packed = effects.enrollments.map { state.enrollments.replacing($0) } ?? state.enrollments
        let environment = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: state.behavior,
            branches: ClientBranches(experiments, packed), now: query.now, validity: validity)
        let selector = Selector(verdicts: verdicts, environment: environment, ledger: state.ledger)
        var offers: [Offer] = []
        for surface in query.surfaces {
            let selection = selector.select(surface: surface)
            effects.controls += selection.controls.map(\.facts)
            if let message = selection.message {
                offers.append(
                    Offer(message: message, displayCount: Int(state.ledger[message.key].displayCount)))
            }
        }
        if !catalog.malformed.isEmpty, state.reportedRevision != catalog.revision {
            effects.malformed = catalog.malformed(for: selector.forms).map(\.facts)
        }
        return Delivery(offers: offers, effects: effects)
    }

    /// What has become of a client's enrollments; nil when nothing has that would be remembered or told.
    ///
    /// `verdicts`, of this edition's catalog and the query's context, holds what is known of that context already.
    public func evolved(
        _ query: PollQuery, state: ClientState, verdicts: ContextVerdicts? = nil, validity: Validity? = nil
    ) -> EvolvedEnrollments? {
        guard !experiments.isEmpty || !state.enrollments.isEmpty else { return nil }
        let known = state.enrollments.unpacked
        let environment = TriggerEnvironment(
            context: query.context, clientID: query.clientID, behavior: state.behavior,
            branches: ClientBranches(experiments, state.enrollments), now: query.now, validity: validity)
        let context = verdicts?.gates(in: self) ?? ContextTruths().gates(in: self, query.context)
        let subject = subject(known, ids: context.ids(of: query.clientID))
        if known.participation == .full {
            let gates = EnrollmentGates(subject: subject, environment: environment)
            var recheck = EnrollmentRecheck(context, gates: gates, now: query.now)
            if recheck.changesNothing(about: known.enrollments) { return nil }
        }
        let evolved = evolve(known, subject, environment).memorable(under: known.participation)
        return evolved.changes.isEmpty && evolved.enrollments == known.enrollments ? nil : evolved
    }

    func subject(_ known: ClientEnrollments, ids: RandomizationIDs) -> EnrollmentSubject {
        EnrollmentSubject(
            appName: manifest.appName, channel: manifest.channel, ids: ids, participation: known.participation)
    }

    func evolve(
        _ known: ClientEnrollments, _ subject: EnrollmentSubject, _ environment: TriggerEnvironment
    ) -> EvolvedEnrollments {
        var hashes = BucketHashes()
        return EnrollmentEvolution(
            recipes: experiments, subject: subject, environment: environment, now: environment.now
        ).evolve(known.enrollments, hashes: &hashes)
    }
}

extension PackedEnrollments {
    /// The same client's, after an evolution.
    func replacing(_ evolved: EvolvedEnrollments) -> PackedEnrollments {
        PackedEnrollments(
            ClientEnrollments(enrollments: evolved.enrollments, participation: unpacked.participation))
    }
}
