internal import BellwetherCore

/// The sum of the counts of all workers.
struct MeterReading {
    var routes = (0...Routes.all.count).map { _ in RouteMeter.RouteCounts() }
    var polls = Array(repeating: 0, count: WorkerMeter.Poll.allCases.count)
    var limited = Array(repeating: 0, count: RateSubject.allCases.count)
    var counts: [Counter: Int] = [:]
    var verdicts: [Verdict: Int] = [:]
    var refusals: [WorkerMeter.Refusal: Int] = [:]
    var rejectedEvents: [String: Int] = [:]
    var pingBytes = 0
    /// Each worker's snapshot, and the time since which the worker has served it.
    var snapshots: [(version: UInt64, nanoseconds: Int64)] = []
}
