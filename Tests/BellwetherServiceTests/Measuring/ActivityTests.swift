import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// The counts of recipes over the last 24 hours (docs/reference/http-api.md#activity).
@Suite struct ActivityTests {
    private static let hour: Int64 = 3_600_000

    /// Compares the counts with a list of all additions, which is counted at each query.
    @Test(arguments: 0..<50)
    func `Hours are counted as by hand, whatever the clock does`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var counts = HourlyCounts()
        var added: [(hour: Int64, count: Int)] = []
        var hour = Int64.random(in: 0...500_000, using: &generator)
        for _ in 0..<200 {
            // The clock sometimes steps back, or jumps by days.
            hour += [0, 0, 0, 1, 1, 2, 7, 23, 24, 25, 60, -1, -3].randomElement(using: &generator) ?? 0
            if Bool.random(using: &generator) {
                let count = Int.random(in: 0...9, using: &generator)
                let counted = max(hour, added.map(\.hour).max() ?? hour)
                added.append((counted, count))
                counts.add(count, in: hour)
            }
            let end = max(hour, added.map(\.hour).max() ?? hour)
            let naive = ((end - 23)...end).map { at in added.filter { $0.hour == at }.reduce(0) { $0 + $1.count } }
            #expect(counts.values(until: hour) == naive)
            #expect(counts.isRecent(in: end) || naive.allSatisfy { $0 == 0 })
        }
    }

    private static func record(_ category: String, _ name: String, _ extra: JSONObject) -> TelemetryRecord {
        TelemetryRecord(
            at: Timestamp(seconds: 0), clientID: "c", category: Identifier(category), name: Identifier(name),
            extra: extra)
    }

    private static let kinds: [(record: TelemetryRecord, event: Activity.Event, subject: Activity.Subject)] = [
        (record("messaging", "shown", ["message_key": "m"]), .shown, .message("m")),
        (record("messaging", "shown", ["message_key": "n"]), .shown, .message("n")),
        (record("microsurvey", "submit_button_tapped", ["survey_id": "m"]), .answered, .message("m")),
        (record("questionnaire", "started", ["slug": "q"]), .started, .recipe("q")),
        (record("survey", "submitted", ["slug": "q"]), .submitted, .recipe("q")),
        (record("onboarding", "onboarding_flow_started", ["flow_id": "f"]), .started, .recipe("f")),
        (record("onboarding", "onboarding_flow_completed", ["flow_id": "f"]), .submitted, .recipe("f")),
    ]

    /// Commits random batches of two apps, and compares the counts with the submitted changes.
    @Test(arguments: 0..<20)
    func `What commits have written is counted once, in its app and hour`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let time = Mutex(Timestamp(seconds: 1_790_000_000))
        let node = Persistence(TestStore(), threads: .inPlace, clock: Clock { time.withLock(\.self) })
        var naive: [(app: Identifier, kind: Int, hour: Int64)] = []
        for _ in 0..<60 {
            time.withLock { $0 = $0.adding(seconds: Int64.random(in: 0...7_000, using: &generator)) }
            let now = time.withLock(\.self)
            let wanted = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (
                    app: Bool.random(using: &generator) ? "a" : "b" as Identifier,
                    kind: Int.random(in: 0..<Self.kinds.count, using: &generator)
                )
            }
            let transaction = Transaction<Void>(names: [], now: now) { _ in
                var outcome = TransactionOutcome(result: ())
                outcome.records = wanted.map { ($0.app, Self.kinds[$0.kind].record) }
                return .done(outcome)
            }
            node.submit(transaction) { _ in }
            naive += wanted.map { ($0.app, $0.kind, now.milliseconds / Self.hour) }
        }
        let end = time.withLock { $0.milliseconds } / Self.hour
        for app in ["a", "b"] as [Identifier] {
            let report = node.feed.activity.report(of: app)
            for subject in Set(Self.kinds.map(\.subject)) {
                for event in Activity.Event.allCases {
                    let expected = ((end - 23)...end).map { at in
                        naive.count {
                            $0.app == app && $0.hour == at && Self.kinds[$0.kind].event == event
                                && Self.kinds[$0.kind].subject == subject
                        }
                    }
                    let found = report.events[subject]?[event] ?? [Int](repeating: 0, count: 24)
                    #expect(found == expected)
                }
            }
        }
    }

    @Test func `Answers of development are not counted`() {
        let node = Persistence(TestStore(), threads: .inPlace)
        let transaction = Transaction<Void>(names: [], now: Timestamp(seconds: 1)) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.records = [("a", Self.record("questionnaire", "started", ["slug": "q", "is_dev": true]))]
            return .done(outcome)
        }
        node.submit(transaction) { _ in }
        #expect(node.feed.activity.report(of: "a").events.isEmpty)
    }

    @Test func `What is counted is bounded, and what is old makes room`() {
        let time = Mutex(Timestamp(seconds: 1_790_000_000))
        let activity = Activity(Clock { time.withLock(\.self) })
        func show(_ keys: Range<Int>) {
            let records = keys.map { ("a", Self.record("messaging", "shown", ["message_key": .string("m\($0)")])) }
            var group = WriteGroup()
            group.records = records.map {
                WriteGroup.LogRecord(app: Identifier($0), record: $1, receivedAt: time.withLock(\.self))
            }
            activity.note([group])
        }
        show(0..<Activity.maximumSubjects + 10)
        #expect(activity.report(of: "a").events.count == Activity.maximumSubjects)
        time.withLock { $0 = $0.adding(seconds: 25 * 3600) }
        #expect(activity.report(of: "a").events.isEmpty)
        show(5000..<5001)
        #expect(Set(activity.report(of: "a").events.keys) == [.message("m5000")])
        for number in 0..<Activity.maximumProblems + 5 {
            time.withLock { $0 = $0.adding(seconds: 1) }
            activity.note(Activity.Problem(.eventsRefused, "\(number)"), in: "a")
        }
        let problems = activity.report(of: "a").problems
        #expect(problems.count == Activity.maximumProblems)
        #expect(!problems.contains { $0.problem.detail == "4" } && problems.contains { $0.problem.detail == "5" })
    }
}
