internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys
internal import Synchronization

/// The counts of one worker for `/metrics`. Only its thread writes; any thread may read. Frequent counts are in the
/// worker's own memory. Rare counts are behind a lock, which only readers of metrics hold otherwise.
final class WorkerMeter: Sendable {
    /// The outcome of a poll. Each poll has one, and `polls` has one element for each outcome.
    enum Poll: Int, CaseIterable {
        /// The response has at least one message.
        case message
        /// The response has no message, although the app has live messages.
        case nothing
        /// The response has no message, because a control message was selected.
        case control
        /// The status is 304.
        case unchanged
        case noLiveMessage

        var label: String {
            switch self {
            case .message: "message"
            case .nothing: "nothing"
            case .control: "control"
            case .unchanged: "unchanged"
            case .noLiveMessage: "no_live_message"
            }
        }
    }

    /// A refusal: a problem's code, and its route by the index in `Routes.all`.
    struct Refusal: Hashable {
        let route: Int
        let code: String
    }

    /// Codes are constants of the program. This bound is a safeguard against a code that is not.
    private static let codes = 512

    private let routes: [RouteMeter]
    let polls = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }
    let limited = InlineArray<8, Atomic<Int>> { _ in Atomic(0) }
    /// One element for each case of `Counter`.
    let counters = InlineArray<8, Atomic<Int>> { _ in Atomic(0) }
    private let verdicts = Mutex<[Verdict: Int]>([:])
    private let refusals = Mutex<[Refusal: Int]>([:])
    private let rejectedEvents = Mutex<[String: Int]>([:])
    private let snapshotVersion = Atomic<UInt64>(0)
    /// The clock's time in nanoseconds.
    private let snapshotTime = Atomic<Int64>(0)
    private let pings: PingIntake

    init(pings: PingIntake) {
        self.pings = pings
        routes = (0...Routes.all.count).map { _ in RouteMeter() }
    }

    /// Counts a response without a route.
    func count(status: Int) { routes[Routes.all.count].count(status: status) }

    /// Counts a route's response and its duration.
    func count(_ endpoint: Endpoint?, status: Int, nanoseconds: Int64) {
        routes[endpoint?.position ?? Routes.all.count].count(status: status, nanoseconds: nanoseconds)
    }

    func count(_ poll: Poll) { polls[poll.rawValue].count() }
    func count(limited subject: RateSubject) { limited[subject.rawValue].count() }
    func count(_ counter: Counter, _ count: Int = 1) { if count > 0 { counters[counter.rawValue].count(count) } }

    /// Counts each code of a refusal once, even if several faults have it.
    func count(_ problem: Problem, at endpoint: Endpoint?) {
        let route = endpoint?.position ?? Routes.all.count
        let codes = Set(problem.findings.map(\.code))
        refusals.withLock { refusals in
            for code in codes {
                var refusal = Refusal(route: route, code: code)
                if refusals[refusal] == nil, refusals.count >= Self.codes {
                    refusal = Refusal(route: Routes.all.count, code: "other")
                }
                refusals[refusal, default: 0] += 1
            }
        }
    }

    func count(_ tally: EventTally) {
        count(.acceptedEvents, tally.accepted)
        count(.duplicateEvents, tally.duplicates)
        count(.rejectedEvents, tally.rejected.count)
        guard !tally.rejected.isEmpty else { return }
        rejectedEvents.withLock { codes in
            for rejection in tally.rejected {
                let isCountable = codes[rejection.code] != nil || codes.count < Self.codes
                codes[isCountable ? rejection.code : "other", default: 0] += 1
            }
        }
    }

    /// Counts the judgements that exceeded their budget.
    func count(_ overruns: EvaluationBudget.Overruns) {
        count(.givenUpAnswers, overruns.answers)
        count(.givenUpConditions, overruns.conditions)
    }

    /// Counts an explained poll and its verdicts.
    func count(_ counts: [Verdict: Int]) {
        count(.explainedPolls)
        verdicts.withLock { $0.merge(counts) { $0 + $1 } }
    }

    func serves(_ snapshot: Snapshot, at nanoseconds: Int64) {
        guard snapshotTime.load(ordering: .relaxed) == 0 || snapshotVersion.load(ordering: .relaxed) != snapshot.version
        else { return }
        snapshotVersion.store(snapshot.version, ordering: .relaxed)
        snapshotTime.store(nanoseconds, ordering: .relaxed)
    }

    func add(to sum: inout MeterReading) {
        for (index, route) in routes.enumerated() { route.add(to: &sum.routes[index]) }
        for index in polls.indices { sum.polls[index] += polls[index].value }
        for counter in Counter.allCases { sum.counts[counter, default: 0] += counters[counter.rawValue].value }
        for index in limited.indices { sum.limited[index] += limited[index].value }
        sum.verdicts.merge(verdicts.withLock { $0 }) { $0 + $1 }
        sum.refusals.merge(refusals.withLock { $0 }) { $0 + $1 }
        sum.rejectedEvents.merge(rejectedEvents.withLock { $0 }) { $0 + $1 }
        sum.pingBytes += pings.waitingBytes
        sum.snapshots.append(
            (snapshotVersion.load(ordering: .relaxed), snapshotTime.load(ordering: .relaxed)))
    }
}
