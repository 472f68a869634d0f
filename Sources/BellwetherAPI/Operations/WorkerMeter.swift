internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys
internal import Synchronization

/// The counts of one worker for `/metrics`. Its thread writes, any thread may read; counts that it writes often are in
/// memory of its own, rare ones are behind a lock that only a reader of metrics ever holds besides.
final class WorkerMeter: Sendable {
    /// The outcome of a poll; each poll has one of these, and `polls` has an element for each.
    enum Poll: Int, CaseIterable {
        /// At least one message.
        case message
        /// None; the app has some that are live.
        case nothing
        /// None, since a control was reached.
        case control
        /// 304.
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

    /// A refusal: a problem's code at a route, by the route's index in `Routes.all`.
    struct Refusal: Hashable {
        let route: Int
        let code: String
    }

    /// Codes are words of the program; this bound is for the case that one is not.
    private static let codes = 512

    private let routes: [RouteMeter]
    let polls = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }
    let limited = InlineArray<8, Atomic<Int>> { _ in Atomic(0) }
    private let acceptedEvents = Atomic<Int>(0)
    private let duplicateEvents = Atomic<Int>(0)
    private let ignoredAttributes = Atomic<Int>(0)
    private let explainedPolls = Atomic<Int>(0)
    private let judgedApart = Atomic<Int>(0)
    private let givenUpAnswers = Atomic<Int>(0)
    private let givenUpConditions = Atomic<Int>(0)
    private let verdicts = Mutex<[Verdict: Int]>([:])
    private let refusals = Mutex<[Refusal: Int]>([:])
    private let rejectedEvents = Mutex<[String: Int]>([:])
    private let snapshotVersion = Atomic<UInt64>(0)
    /// Nanoseconds of the clock.
    private let snapshotTime = Atomic<Int64>(0)
    private let pings: PingIntake

    init(pings: PingIntake) {
        self.pings = pings
        routes = (0...Routes.all.count).map { _ in RouteMeter() }
    }

    /// A response that no route gave.
    func count(status: Int) { routes[Routes.all.count].count(status: status) }

    /// A route's response, and how long it was under way.
    func count(_ endpoint: Endpoint?, status: Int, nanoseconds: Int64) {
        routes[endpoint?.position ?? Routes.all.count].count(status: status, nanoseconds: nanoseconds)
    }

    func count(_ poll: Poll) { polls[poll.rawValue].count() }
    func count(limited subject: RateSubject) { limited[subject.rawValue].count() }
    func countIgnoredAttributes(_ count: Int) { if count > 0 { ignoredAttributes.count(count) } }

    /// Each code of a refusal counts once, however many faults have it.
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
        acceptedEvents.count(tally.accepted)
        duplicateEvents.count(tally.duplicates)
        guard !tally.rejected.isEmpty else { return }
        rejectedEvents.withLock { codes in
            for rejection in tally.rejected {
                let isCountable = codes[rejection.code] != nil || codes.count < Self.codes
                codes[isCountable ? rejection.code : "other", default: 0] += 1
            }
        }
    }

    func countJudgedApart() { judgedApart.count() }

    /// Counts the judgements that a budget was too small for.
    func count(_ overruns: EvaluationBudget.Overruns) {
        guard !overruns.isEmpty else { return }
        givenUpAnswers.count(overruns.answers)
        givenUpConditions.count(overruns.conditions)
    }

    /// A poll that was explained.
    func count(_ counts: [Verdict: Int]) {
        explainedPolls.count()
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
        for index in limited.indices { sum.limited[index] += limited[index].value }
        sum.acceptedEvents += acceptedEvents.value
        sum.duplicateEvents += duplicateEvents.value
        sum.ignoredAttributes += ignoredAttributes.value
        sum.explainedPolls += explainedPolls.value
        sum.judgedApart += judgedApart.value
        sum.givenUpAnswers += givenUpAnswers.value
        sum.givenUpConditions += givenUpConditions.value
        sum.verdicts.merge(verdicts.withLock { $0 }) { $0 + $1 }
        sum.refusals.merge(refusals.withLock { $0 }) { $0 + $1 }
        sum.rejectedEvents.merge(rejectedEvents.withLock { $0 }) { $0 + $1 }
        sum.pingBytes += pings.waitingBytes
        sum.snapshots.append(
            (snapshotVersion.load(ordering: .relaxed), snapshotTime.load(ordering: .relaxed)))
    }
}
