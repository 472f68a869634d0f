import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// Stored enrollments are the same after they are read.
@Suite struct EnrollmentPackingTests {
    static let statuses: [EnrollmentStatus] =
        EnrolledReason.allCases.map { .enrolled($0, branch: "treatment") }
        + DisqualifiedReason.allCases.map { .disqualified($0, branch: "") }
        + [
            .differentAppName, .differentChannel, .enrollmentsPaused, .featureConflict(slug: "other"),
            .featureConflict(slug: ""), .notSelected, .notTargeted, .experimentsOptOut, .rolloutsOptOut, .firefoxLabs,
            .optOut,
        ].map { .notEnrolled($0) }
        + [
            .wasEnrolled(branch: "Zoë", endedAt: Timestamp(milliseconds: -1)), .error("No randomization unit"),
            .wasEnrolled(branch: "a", endedAt: .distantFuture),
        ]

    private func bytes(_ state: ClientEnrollments) -> [UInt8] {
        var writer = PackedWriter()
        state.encode(into: &writer)
        return writer.bytes
    }

    private func decoded(_ bytes: [UInt8]) -> ClientEnrollments? {
        var reader = PackedReader(bytes)
        return ClientEnrollments(from: &reader)
    }

    @Test(arguments: statuses)
    func statusesComeBack(_ status: EnrollmentStatus) {
        let state = ClientEnrollments(enrollments: [Enrollment(slug: "e", status: status)])
        #expect(decoded(bytes(state)) == state)
    }

    @Test func codesAreWhatTheStoreHas() {
        let state = ClientEnrollments(enrollments: [
            Enrollment(slug: "e", status: .enrolled(.qualified, branch: "b")),
            Enrollment(slug: "f", status: .notEnrolled(.optOut)),
            Enrollment(slug: "g", status: .disqualified(.error, branch: "b")),
        ])
        #expect(bytes(state) == [0, 0, 0, 3, 1, 0x65, 0, 1, 0x62, 1, 0x66, 13, 1, 0x67, 20, 1, 0x62])
    }

    @Test func nothingIsNoBytes() {
        #expect(bytes(ClientEnrollments()).isEmpty)
        #expect(decoded([]) == ClientEnrollments())
    }

    @Test(arguments: [
        Participation(experiments: false), Participation(rollouts: false),
        Participation(optedOut: ["b", "a", "b"], optedIn: [EnrolledBranch(slug: "a", branch: "x")]),
    ])
    func participationComesBack(_ participation: Participation) {
        let state = ClientEnrollments(participation: participation)
        #expect(decoded(bytes(state)) == state)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func brokenBytesAreRefusedOrMeanSomething(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let state = ClientEnrollments(
            enrollments: Self.statuses.shuffled(using: &random).enumerated().map {
                Enrollment(slug: "e\($0.offset)", status: $0.element)
            }, participation: Participation(optedOut: ["b", "a"]))
        let whole = bytes(state)
        #expect(decoded(whole) == state)
        #expect(decoded(Array(whole.prefix(Int.random(in: 1..<whole.count, using: &random)))) == nil)
        #expect(decoded(whole + [0]) == nil)
        var broken = whole
        broken[Int.random(in: whole.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        // Bytes that can be read are the only encoding of their value.
        if let other = decoded(broken) { #expect(bytes(other) == broken) }
    }

    @Test func ofTwoEnrollmentsWithOneSlugTheFirstCounts() {
        let first = Enrollment(slug: "e", status: .notEnrolled(.optOut))
        let second = Enrollment(slug: "e", status: .notEnrolled(.notSelected))
        let twice = decoded(bytes(ClientEnrollments(enrollments: [first, second])))
        let ledger = EnrollmentLedger(twice?.enrollments ?? [], of: ExperimentSet(live: [Experiment]()))
        #expect(ledger.enrollments == [first])
    }
}

/// The names of docs/reference/experiments.md#enrollment-statuses.
@Suite struct EnrollmentNameTests {
    @Test(
        arguments: [
            (.enrolled(.firefoxLabsOptIn, branch: "b"), "Enrolled", "FirefoxLabsOptIn", "b"),
            (.notEnrolled(.featureConflict(slug: "s")), "NotEnrolled", "FeatureConflict", nil),
            (.disqualified(.rolloutsOptOut, branch: "b"), "Disqualified", "RolloutsOptOut", "b"),
            (.wasEnrolled(branch: "b", endedAt: Timestamp(seconds: 0)), "WasEnrolled", nil, "b"),
            (.error("text"), "Error", "text", nil),
        ] as [(EnrollmentStatus, String, String?, Identifier?)])
    func names(status: EnrollmentStatus, name: String, reason: String?, branch: Identifier?) {
        #expect(status.name == name)
        #expect(status.reason == reason)
        #expect(status.branch == branch)
    }

    @Test func disqualificationsInTheWordsOfEvents() {
        #expect(
            DisqualifiedReason.allCases.map(\.changeReason) == [
                "error", "optout", "experiments-opt-out", "rollouts-opt-out", "targeting", "bucketing", "pref_changed",
                "FirefoxLabsOptOut",
            ])
    }
}
