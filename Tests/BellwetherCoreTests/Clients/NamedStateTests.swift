import BellwetherBase
import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// A client's state in the form of the client table, with numbers instead of names, compared with the stored form.
@Suite struct NamedStateTests {
    private func packed(_ state: ClientState, _ names: inout PackedNames) -> [UInt8] {
        names.bytes { state.encode(into: &$0) }
    }

    private func state(_ bytes: [UInt8], _ names: PackedNames) -> ClientState? {
        ClientState(encoded: bytes[...], names: names.all)
    }

    @Test(arguments: [0, PackedNames.clientBound, PackedNames.bound])
    func roundTripsWithNoneSomeAndNoNumbersLeft(_ taken: Int) throws {
        var names = PackedNames()
        for number in 0..<taken { _ = names.number(of: "taken-\(number)", by: .owner) }
        for seed in 0..<50 as Range<UInt64> {
            let state = StateGenerator.enrolledState(seed: seed)
            let bytes = packed(state, &names)
            let copy = try #require(self.state(bytes, names))
            #expect(copy == state && state == copy)
            #expect(copy.hashValue == state.hashValue)
            #expect(copy.encoded() == state.encoded())
            let again = self.state(packed(copy, &names), names)
            #expect(again == state && again == copy)
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func aStateGoesFromTableToTable(_ seed: UInt64) throws {
        var (names, others) = (PackedNames(), PackedNames())
        for key in ["other", "treatment", "x"] { _ = others.number(of: Identifier(key), by: .owner) }
        let state = StateGenerator.enrolledState(seed: seed)
        let one = try #require(self.state(packed(state, &names), names))
        let other = try #require(self.state(packed(one, &others), others))
        #expect(one == other)
        #expect(one.enrollments.unpacked == state.enrollments.unpacked)
        #expect(other.enrollments.unpacked == state.enrollments.unpacked)
        #expect(other.encoded() == state.encoded())
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func enrollmentsAreWalkedTheSame(_ seed: UInt64) throws {
        func walked(_ enrollments: PackedEnrollments) -> [[UInt8]] {
            var found: [[UInt8]] = []
            enrollments.forEachEnrolled { slug, branch in
                for text in [slug, branch].compactMap(enrollments.text) { found.append(Array(text.text.utf8)) }
            }
            return found
        }
        var names = PackedNames()
        let state = StateGenerator.enrolledState(seed: seed)
        let copy = try #require(self.state(packed(state, &names), names))
        let enrolled = state.enrollments.unpacked.enrollments.compactMap(\.enrolledBranch)
        #expect(
            walked(state.enrollments) == enrolled.flatMap { [Array($0.slug.text.utf8), Array($0.branch.text.utf8)] })
        #expect(walked(copy.enrollments) == walked(state.enrollments))
    }

    @Test func whatDiffersIsNotEqualInAnotherForm() throws {
        func state(_ slug: Identifier) -> ClientState {
            var state = ClientState()
            state.enrollments = PackedEnrollments(
                ClientEnrollments(enrollments: [Enrollment(slug: slug, status: .enrolled(.qualified, branch: "b"))]))
            return state
        }
        var names = PackedNames()
        let one = try #require(self.state(packed(state("e\u{301}"), &names), names))
        #expect(one == state("e\u{301}"))
        #expect(one != state("\u{E9}"))
        #expect(one != ClientState())
        let second = try #require(self.state(packed(state("\u{E9}"), &names), names))
        #expect(one != second)
    }

    @Test func theStoredFormIsWhatItWas() {
        var state = ClientState()
        state.reportedRevision = 7
        state.ledger["m"] = LedgerEntry(message: "m", displayCount: 3, isClicked: true)
        state.behavior.record("x", count: 1, at: instant("2026-01-01T00:05:00Z"))
        state.enrollments = PackedEnrollments(
            ClientEnrollments(
                enrollments: [
                    Enrollment(slug: "e", status: .enrolled(.qualified, branch: "b")),
                    Enrollment(slug: "f", status: .wasEnrolled(branch: "b", endedAt: Timestamp(milliseconds: -1))),
                    Enrollment(slug: "g", status: .error("no")),
                ], participation: Participation(optedOut: ["o"], optedIn: [EnrolledBranch(slug: "p", branch: "q")])))
        let ledger: [UInt8] = [1, 1, 0x6D, 1, 3, 0]
        let behavior: [UInt8] = [1, 1, 1, 0x78, 0xD4, 0x1F, 5, 0, 1, 0, 1]
        let enrollments: [UInt8] =
            [0, 1, 1, 0x6F, 1, 1, 0x70, 1, 0x71, 3]
            + [1, 0x65, 0, 1, 0x62, 1, 0x66, 30, 1, 0x62, 1, 1, 0x67, 31, 2, 0x6E, 0x6F]
        let sections = [1, 1, 7] + [2, 6] + ledger + [3, 11] + behavior + [4, 27] + enrollments
        // A digest of the counters, and no milliseconds after the minute.
        let times: [UInt8] = [12, 4, 80, 75, 0, 0]
        #expect(state.encoded() == [2, 5] + sections + times)
        #expect(ClientState(encoded: [2, 5] + sections + times) == state)
        #expect(ClientState(encoded: [2, 4] + sections) == state, "the format without the times of events")
        #expect(ClientState(encoded: [1, 7] + ledger + behavior + enrollments) == state, "the format before")
    }

    @Test func theTablesFormOfACounterNamesTheYearOnce() {
        var history = BehaviorHistory()
        for (name, at) in [("a", "2026-01-01T00:05:00Z"), ("b", "2026-01-01T00:06:00Z"), ("c", "2025-01-01T00:05:00Z")]
        {
            history.record(Identifier(name), count: 1, at: instant(at))
        }
        var names = PackedNames()
        let bytes = names.bytes { history.encode(into: &$0) }
        #expect(
            bytes == [1, 3] + [1, 0, 0xD4, 0x1F, 5, 1, 0, 1] + [3, 64, 6, 1, 0, 1] + [5, 0, 0xD2, 0x1F, 5, 1, 0, 1])
        var reader = PackedReader(bytes[...], names: names.all)
        #expect(BehaviorHistory(from: &reader) == history)
        var first = PackedReader([1, 1, 1, 64, 5, 1, 0, 1][...], names: names.all)
        #expect(BehaviorHistory(from: &first) == nil, "the first has no neighbour")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func cutBytesDoNotTrap(_ seed: UInt64) {
        var names = PackedNames()
        let state = StateGenerator.enrolledState(seed: seed)
        let bytes = packed(state, &names)
        for count in 0..<bytes.count {
            // Bytes that end before the enrollments give a state without enrollments.
            guard let cut = ClientState(encoded: bytes[..<count], names: names.all) else { continue }
            #expect(cut.enrollments.isEmpty && !state.enrollments.isEmpty)
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func changedBytesNeverTrap(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (names, others) = (PackedNames(), PackedNames())
        let whole = packed(StateGenerator.enrolledState(seed: seed), &names)
        for _ in 0..<100 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let state = self.state(bytes, names) else { continue }
            state.enrollments.forEachEnrolled { _, _ in }
            _ = state.enrollments.unpacked
            let stored = try #require(ClientState(encoded: state.encoded()))
            #expect(stored == state)
            #expect(self.state(packed(state, &others), others) == state)
        }
    }

    @Test func numbersWithoutNamesAreRefused() {
        var names = PackedNames()
        let bytes = packed(StateGenerator.enrolledState(seed: 1), &names)
        for count in 0..<names.all.count {
            #expect(ClientState(encoded: bytes[...], names: Array(names.all.prefix(count))) == nil)
        }
    }
}

extension StateGenerator {
    private static let slugs = [
        "e-1", "e-2", "ein Experiment mit einem Namen, der viel länger ist als die Grenze für Namen", "e\u{301}",
        "\u{E9}",
        "", "other",
    ]

    /// A random state that also has enrollments.
    static func enrolledState(seed: UInt64) -> ClientState {
        var random = SeededGenerator(seed: seed &+ 1 << 32)
        var state = state(seed: seed)
        for number in 0..<Int.random(in: 0...40, using: &random) {
            let years = Int64.random(in: 0...2, using: &random)
            let at = Sample.now.adding(seconds: years * 31_536_000)
            state.behavior.record("event.\(seed)-\(number)", count: 1, at: at)
        }
        let enrollments = slugs.shuffled(using: &random).filter { _ in Bool.random(using: &random) }.map { slug in
            let status = EnrollmentPackingTests.statuses.randomElement(using: &random)
            return Enrollment(slug: Identifier(slug), status: status ?? .notEnrolled(.optOut))
        }
        let optedOut = slugs.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
        let optedIn = slugs.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
        let participation = Participation(
            experiments: Bool.random(using: &random), rollouts: Bool.random(using: &random),
            optedOut: optedOut.map { Identifier($0) },
            optedIn: optedIn.map { EnrolledBranch(slug: Identifier($0), branch: "treatment") })
        state.enrollments = PackedEnrollments(
            ClientEnrollments(enrollments: enrollments, participation: participation))
        return state
    }
}
