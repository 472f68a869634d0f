internal import BellwetherBase
internal import BellwetherJSON

/// A client's enrollments while they evolve, and the changes to record.
///
/// Existing enrollments keep their order and new ones are appended, so evolving twice gives the same order.
struct EnrollmentLedger {
    private var records: [Enrollment?] = []
    /// The positions of the members' records, by the members' ranks in the set; nil if there is no record.
    private var positions: [Int?]
    /// The positions of records whose recipe is gone.
    private(set) var orphans: [Int] = []
    private(set) var changes: [EnrollmentChange] = []

    /// Creates a ledger from the previous enrollments. No evolution creates several enrollments with one slug; if there
    /// are several, the first one counts.
    init(_ previous: [Enrollment], of recipes: ExperimentSet) {
        positions = Array(repeating: nil, count: recipes.members.count)
        records.reserveCapacity(previous.count + 8)
        var gone: Set<Identifier> = []
        // Clients usually have enrollments in the order of recipes, so the search for the next one starts after the
        // last one.
        var expected = 0
        for enrollment in previous {
            if let rank = recipes.rank(of: enrollment.slug, near: expected) {
                expected = rank + 1
                guard positions[rank] == nil else { continue }
                positions[rank] = records.count
            } else {
                guard gone.insert(enrollment.slug).inserted else { continue }
                orphans.append(records.count)
            }
            records.append(enrollment)
        }
    }

    /// The enrollments, in stored order.
    var enrollments: [Enrollment] { records.compactMap(\.self) }

    /// The ranks of the members that the client is in, in stored order.
    var enrolledRanks: [Int] {
        // Stored order is usually the order of the members, so the sort is cheap.
        positions.indices.filter { isEnrolled(at: $0) }.sorted { (positions[$0] ?? 0) < (positions[$1] ?? 0) }
    }

    func orphan(_ position: Int) -> Enrollment? { records[position] }

    func status(_ member: ExperimentSet.Member) -> EnrollmentStatus? { status(at: member.rank) }

    func isEnrolled(_ member: ExperimentSet.Member) -> Bool { isEnrolled(at: member.rank) }

    private func isEnrolled(at rank: Int) -> Bool {
        guard let position = positions[rank] else { return false }
        return records[position]?.status.isEnrolled == true
    }

    private func status(at rank: Int) -> EnrollmentStatus? { positions[rank].flatMap { records[$0]?.status } }

    mutating func set(_ member: ExperimentSet.Member, _ status: EnrollmentStatus) {
        let enrollment = Enrollment(slug: member.slug, status: status)
        if let position = positions[member.rank] {
            records[position] = enrollment
        } else {
            positions[member.rank] = records.count
            records.append(enrollment)
        }
    }

    /// Removes the record of a recipe that is gone.
    mutating func remove(orphan position: Int) { records[position] = nil }

    mutating func enroll(_ member: ExperimentSet.Member, _ reason: EnrolledReason, branch: Identifier) {
        set(member, .enrolled(reason, branch: branch))
        changes.append(EnrollmentChange(.enrollment, slug: member.slug, branch: branch))
    }

    mutating func disqualify(_ member: ExperimentSet.Member, _ reason: DisqualifiedReason, branch: Identifier) {
        set(member, .disqualified(reason, branch: branch))
        changes.append(
            EnrollmentChange(.disqualification, slug: member.slug, branch: branch, reason: reason.changeReason))
    }

    mutating func end(orphan position: Int, branch: Identifier, at time: Timestamp) {
        guard let slug = records[position]?.slug else { return }
        // The SDK keeps whole seconds.
        records[position]?.status = .wasEnrolled(branch: branch, endedAt: Timestamp(seconds: time.seconds))
        changes.append(EnrollmentChange(.unenrollment, slug: slug, branch: branch))
    }

    /// Records a failure once: only if the status was different before.
    mutating func fail(
        _ member: ExperimentSet.Member, _ status: EnrollmentStatus, telling change: EnrollmentChange,
        before: EnrollmentStatus?
    ) {
        set(member, status)
        if before != status { changes.append(change) }
    }
}
