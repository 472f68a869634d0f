internal import BellwetherJSON

extension Edition {
    /// Why each message is, or is not, what a client sees. An `unsettled` client's enrollments are brought up to date
    /// first, as a poll would; a `settled` one's stand as they are (api.md 3, explain).
    public func explain(
        _ query: PollQuery, state: ClientState, standing: EnrollmentStanding
    ) -> Explanation {
        let environment = { [experiments] (packed: PackedEnrollments) in
            TriggerEnvironment(
                context: query.context, clientID: query.clientID, behavior: state.behavior,
                branches: ClientBranches(experiments, packed), now: query.now)
        }
        let known = state.enrollments.unpacked
        let ids = RandomizationIDs(clientID: query.clientID, context: query.context)
        let evolved = evolve(known, subject(known, ids: ids), environment(state.enrollments))
        var packed = state.enrollments
        if case .unsettled = standing {
            packed = PackedEnrollments(
                ClientEnrollments(enrollments: evolved.enrollments, participation: known.participation))
        }
        let verdicts = ContextVerdicts(catalog: catalog, context: query.context)
        let selector = Selector(verdicts: verdicts, environment: environment(packed), ledger: state.ledger)
        let enrollments = standings(packed.unpacked.enrollments, outlook: evolved.enrollments)
        return Explanation(selector: selector, surface: query.surfaces.first, enrollments: enrollments)
    }

    /// Where a client stands with each recipe. A recipe that it has no record of is one that it has not met, or one
    /// that keeps it out: then the reason is the one that the next poll would find.
    private func standings(_ known: [Enrollment], outlook: [Enrollment]) -> [Enrollment] {
        func bySlug(_ enrollments: [Enrollment]) -> [ByteKey: Enrollment] {
            Dictionary(enrollments.map { (ByteKey(text: $0.slug), $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (own, next) = (bySlug(known), bySlug(outlook))
        let members = experiments.members.compactMap { member -> (CanonicalPlace, Enrollment)? in
            let key = ByteKey(text: member.slug)
            if let enrollment = own[key] { return (member.experiment.place, enrollment) }
            guard let enrollment = next[key], !enrollment.status.isEnrolled else { return nil }
            return (member.experiment.place, enrollment)
        }
        let universal = experiments.universal.map { slug in
            (
                CanonicalPlace(isRollout: true, published: nil, slug: slug),
                Enrollment(slug: slug, status: .enrolled(.qualified, branch: Recipe.rolloutBranch))
            )
        }
        let gone = known.filter { experiments.member($0.slug) == nil }
        return (members + universal).sorted { $0.0 < $1.0 }.map(\.1) + gone
    }
}
