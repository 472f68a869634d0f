internal import BellwetherJSON

/// A client's enrollments while they evolve, and what is to be told of it.
///
/// What was there keeps its place, what is new comes behind: so evolving twice gives the same order.
struct EnrollmentBook {
    private var records: [Enrollment?]
    private var positions: [ByteKey: Int]
    private(set) var changes: [EnrollmentChange] = []
    var hashes: BucketHashes

    /// Of several enrollments with one slug, which no evolution makes, the first counts.
    init(_ previous: [Enrollment], hashes: BucketHashes) {
        self.hashes = hashes
        records = []
        positions = [:]
        for enrollment in previous where positions[ByteKey(text: enrollment.slug)] == nil {
            positions[ByteKey(text: enrollment.slug)] = records.count
            records.append(enrollment)
        }
    }

    /// In stored order.
    var enrollments: [Enrollment] { records.compactMap(\.self) }

    func status(_ slug: String) -> EnrollmentStatus? { positions[ByteKey(text: slug)].flatMap { records[$0]?.status } }

    mutating func set(_ slug: String, _ status: EnrollmentStatus) {
        let enrollment = Enrollment(slug: slug, status: status)
        if let position = positions[ByteKey(text: slug)] {
            records[position] = enrollment
        } else {
            positions[ByteKey(text: slug)] = records.count
            records.append(enrollment)
        }
    }

    mutating func remove(_ slug: String) {
        if let position = positions[ByteKey(text: slug)] { records[position] = nil }
    }

    mutating func enroll(_ slug: String, _ reason: EnrolledReason, branch: String) {
        set(slug, .enrolled(reason, branch: branch))
        changes.append(EnrollmentChange(.enrollment, slug: slug, branch: branch))
    }

    mutating func disqualify(_ slug: String, _ reason: DisqualifiedReason, branch: String) {
        set(slug, .disqualified(reason, branch: branch))
        changes.append(EnrollmentChange(.disqualification, slug: slug, branch: branch, reason: reason.changeReason))
    }

    mutating func end(_ slug: String, branch: String, at time: Timestamp) {
        // The SDK keeps whole seconds.
        set(slug, .wasEnrolled(branch: branch, endedAt: Timestamp(seconds: time.seconds)))
        changes.append(EnrollmentChange(.unenrollment, slug: slug, branch: branch))
    }

    /// Told once, not at every evolution that finds it so: only where the status was another before.
    mutating func fail(_ status: EnrollmentStatus, telling change: EnrollmentChange, before: EnrollmentStatus?) {
        set(change.slug, status)
        if before != status { changes.append(change) }
    }
}
