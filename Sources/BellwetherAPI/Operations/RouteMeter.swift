internal import BellwetherService
internal import Synchronization

/// The counts of one worker for one route: responses by status, and their durations. One thread writes and any thread
/// may read. A count costs a load and a store in memory that no other worker writes.
final class RouteMeter: Sendable {
    /// The statuses of the daemon. Any other status counts as `other`. `answers` has one element for each status and
    /// one more.
    static let statuses = [
        200, 201, 204, 304, 400, 401, 403, 404, 405, 408, 409, 410, 411, 412, 413, 414, 415, 417, 422, 429, 431, 500,
        503, 505,
    ]

    /// A status' index in `statuses`, by the status.
    private static let columns: [UInt8] = (0..<600).map { status in
        UInt8(statuses.firstIndex(of: status) ?? statuses.count)
    }

    /// The bounds in nanoseconds. A poll takes less than 50 µs; a read of telemetry may wait for half a minute.
    /// `durations` has one element for each bound and one more.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    let answers = InlineArray<25, Atomic<Int>> { _ in Atomic(0) }
    let durations = InlineArray<18, Atomic<Int>> { _ in Atomic(0) }
    private let nanoseconds = Atomic<Int>(0)

    func count(status: Int) {
        let column = Self.columns.indices.contains(status) ? Int(Self.columns[status]) : Self.statuses.count
        answers[column].count()
    }

    /// Counts a response and its duration. If the clock was set back meanwhile, the duration is 0.
    func count(status: Int, nanoseconds elapsed: Int64) {
        count(status: status)
        let elapsed = Int(max(elapsed, 0))
        var index = 0
        while index < Self.bounds.count, elapsed > Self.bounds[index] { index += 1 }
        durations[index].count()
        nanoseconds.count(elapsed)
    }

    func add(to sum: inout RouteCounts) {
        for column in answers.indices { sum.answers[column] += answers[column].value }
        for index in durations.indices { sum.durations[index] += durations[index].value }
        sum.nanoseconds += nanoseconds.value
    }

    /// The counts of one route over all workers.
    struct RouteCounts {
        var answers = Array(repeating: 0, count: RouteMeter.statuses.count + 1)
        var durations = Array(repeating: 0, count: RouteMeter.bounds.count + 1)
        var nanoseconds = 0

        var histogram: Histogram {
            Histogram(
                bounds: RouteMeter.bounds.map { Double($0) / 1e9 }, counts: durations, sum: Double(nanoseconds) / 1e9)
        }
    }
}

extension Atomic<Int> {
    var value: Int { load(ordering: .relaxed) }

    /// Adds where there is only one writer: a plain load and store instead of an atomic addition.
    func count(_ amount: Int = 1) { store(value &+ amount, ordering: .relaxed) }
}
