internal import BellwetherJSON
internal import JEXL

/// What a client's enrollments become when recipes, context or participation have changed, or time has passed
/// (nimbus-messaging.md H). Evolving again with the same input changes nothing and tells nothing.
///
/// A branch is chosen once: whoever is in one leaves it only by an opt-out, by not qualifying any more, or because it
/// is gone. A recipe's result depends on another one's where both want the same feature, and where targeting asks what
/// the client is enrolled in: it sees what became of the recipes before it.
public struct EnrollmentEvolution<Environment: EvolvingEnvironment> {
    /// How long a client's branch in a recipe that is gone is remembered: 365 days, as in the SDK.
    static var memorySeconds: Int64 { 365 * Timestamp.secondsPerDay }

    let recipes: ExperimentSet
    let gates: EnrollmentGates<Environment>
    let now: Timestamp

    var participation: Participation { gates.subject.participation }

    /// The environment is what targeting sees; `is_already_enrolled` in it is overruled, recipe by recipe.
    public init(recipes: ExperimentSet, subject: EnrollmentSubject, environment: Environment, now: Timestamp) {
        self.recipes = recipes
        gates = EnrollmentGates(subject: subject, environment: environment)
        self.now = now
    }

    public func evolve(_ previous: [Enrollment], hashes: inout BucketHashes) -> EvolvedEnrollments {
        var book = EnrollmentBook(previous, of: recipes, hashes: hashes)
        for position in book.orphans { end(position, in: &book) }
        evolve(recipes.members.filter(\.experiment.isRollout), in: &book)
        evolve(recipes.members.filter { !$0.experiment.isRollout }, in: &book)
        hashes = book.hashes
        return EvolvedEnrollments(enrollments: book.enrollments, changes: book.changes)
    }

    /// Whether the client passes a member's gates, as it stands by now.
    func outcome(
        for member: ExperimentSet.Member, isAlreadyEnrolled: Bool, in book: inout EnrollmentBook
    ) -> EnrollmentGates<Environment>.Outcome {
        var gates = gates
        if member.experiment.targeting?.readsEnrollments == true {
            let standing = PackedEnrollments(ClientEnrollments(enrollments: book.enrollments))
            gates = gates.with(ClientBranches(recipes, standing))
        }
        return gates.outcome(for: member.experiment, isAlreadyEnrolled: isAlreadyEnrolled, &book.hashes)
    }

    /// The recipe is gone. Who was in it is remembered for a year.
    private func end(_ position: Int, in book: inout EnrollmentBook) {
        switch book.orphan(position)?.status {
        case .enrolled(_, let branch)?, .disqualified(_, let branch)?:
            book.end(orphan: position, branch: branch, at: now)
        case .wasEnrolled(_, let endedAt)?:
            if now >= endedAt.adding(seconds: Self.memorySeconds) { book.remove(orphan: position) }
        case .notEnrolled?, .error?: book.remove(orphan: position)
        case nil: break
        }
    }

    /// All recipes of one kind: first those the client is in, in stored order, then chosen branches, then the rest by
    /// publication. Features are held within a kind.
    private func evolve(_ members: [ExperimentSet.Member], in book: inout EnrollmentBook) {
        guard let isRollout = members.first?.experiment.isRollout else { return }
        let waiting = members.filter { $0.state == .live && book.status($0)?.isEnrolled != true }
        for place in book.enrolledPlaces where recipes.members[place].experiment.isRollout == isRollout {
            let member = recipes.members[place]
            guard case .enrolled(let reason, let branch)? = book.status(member) else { continue }
            update(member, reason, branch: branch, in: &book)
        }
        let before = waiting.map { book.status($0) }
        for member in waiting { optIn(member, in: &book) }
        var holders = FeatureHolders()
        for member in members where book.status(member)?.isEnrolled == true { holders.add(member) }
        for member in waiting where book.status(member)?.isEnrolled != true && holders.holder(of: member) == nil {
            admit(member, in: &book)
            if book.status(member)?.isEnrolled == true { holders.add(member) }
        }
        // Only now is it known who holds what; asked in between, the answer would differ from the next evolution's.
        for (member, before) in zip(waiting, before) {
            settle(member, holder: holders.holder(of: member), before: before, in: &book)
        }
    }
}

/// What an evolution comes to.
public struct EvolvedEnrollments: Sendable, Hashable {
    /// In stored order.
    public let enrollments: [Enrollment]
    /// In the order in which they happened.
    public let changes: [EnrollmentChange]

    /// What of it is to be kept. A status that follows from recipe and context alone is found again at any time, and no
    /// rule asks what it was: nine of ten recipes leave no trace in a client that is in none of their buckets.
    public func memorable(under participation: Participation) -> EvolvedEnrollments {
        EvolvedEnrollments(
            enrollments: enrollments.filter { $0.isMemorable(under: participation) }, changes: changes)
    }
}

extension Enrollment {
    fileprivate func isMemorable(under participation: Participation) -> Bool {
        switch status {
        case .enrolled, .disqualified, .wasEnrolled: true
        // Told once, and so to be remembered.
        case .notEnrolled(.featureConflict): true
        case .error: participation.chosenBranch(of: slug) != nil
        case .notEnrolled: false
        }
    }
}

/// Which recipe holds a feature, among those of one kind.
struct FeatureHolders {
    private var holders: [ByteKey: String] = [:]

    /// A feature that is held already stays with its holder.
    mutating func add(_ member: ExperimentSet.Member) {
        for feature in member.exclusiveFeatures where holders[ByteKey(text: feature)] == nil {
            holders[ByteKey(text: feature)] = member.slug
        }
    }

    /// Another recipe that holds one of the member's features.
    func holder(of member: ExperimentSet.Member) -> String? {
        for feature in member.exclusiveFeatures {
            if let slug = holders[ByteKey(text: feature)], !slug.hasSameBytes(as: member.slug) { return slug }
        }
        return nil
    }
}
