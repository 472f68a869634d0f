internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

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

extension MeterReading {
    /// The samples. `now` is the clock's time in nanoseconds.
    func samples(now: Int64) -> [MetricSample] {
        answers + latencies + selection + counted + events + refused + limits + publication(now)
    }

    /// The method and pattern of the route at an index. The last index stands for all requests without a route.
    private static func labels(_ index: Int) -> [String: String] {
        guard index < Routes.all.count else { return ["method": "", "route": "none"] }
        return ["method": Routes.all[index].method.name, "route": Routes.all[index].pattern]
    }

    private var answers: [MetricSample] {
        routes.enumerated().flatMap { index, counts in
            counts.answers.enumerated().filter { $0.element > 0 }.map { column, count in
                let statuses = RouteMeter.statuses
                var labels = Self.labels(index)
                labels["status"] = column < statuses.count ? String(statuses[column]) : "other"
                return MetricSample(
                    "bellwether_requests_total", .counter, "Requests answered, by route and status.", labels: labels,
                    value: Double(count))
            }
        }
    }

    private var latencies: [MetricSample] {
        routes.enumerated().filter { $0.element.histogram.count > 0 }.map { index, counts in
            MetricSample(
                "bellwether_request_duration_seconds",
                "From a whole request to its answer, waiting included, by route.", labels: Self.labels(index),
                counts.histogram)
        }
    }

    private var selection: [MetricSample] {
        WorkerMeter.Poll.allCases.map {
            MetricSample(
                "bellwether_polls_total", .counter, "Polls answered, by what came of them.",
                labels: ["outcome": $0.label], value: Double(polls[$0.rawValue]))
        }
            + Verdict.allCases.filter(\.isOfSelection).map {
                MetricSample(
                    "bellwether_explained_messages_total", .counter, "Messages of those polls, by the verdict on them.",
                    labels: ["verdict": $0.rawValue], value: Double(verdicts[$0] ?? 0))
            }
    }

    private var counted: [MetricSample] { Counter.allCases.map { $0.sample(counts[$0] ?? 0) } }

    private var events: [MetricSample] {
        rejectedEvents.sorted { $0.key < $1.key }.map {
            MetricSample(
                "bellwether_rejected_events_total", .counter, "Events that were not taken, by reason.",
                labels: ["code": $0.key], value: Double($0.value))
        }
    }

    private var refused: [MetricSample] {
        refusals.sorted { ($0.key.route, $0.key.code) < ($1.key.route, $1.key.code) }.map { refusal, count in
            var labels = Self.labels(refusal.route)
            labels["code"] = refusal.code
            return MetricSample(
                "bellwether_refused_total", .counter, "Refusals by a route, by each code of a fault.", labels: labels,
                value: Double(count))
        }
    }

    private var limits: [MetricSample] {
        RateSubject.allCases.map {
            MetricSample(
                "bellwether_rate_limited_total", .counter, "Requests, and clients within one, that came too fast.",
                labels: ["by": $0.label], value: Double(limited[$0.rawValue]))
        }
            + [
                MetricSample(
                    "bellwether_pings_waiting_bytes", .gauge, "Pings that wait to be read, in bytes.",
                    value: Double(pingBytes))
            ]
    }

    /// The samples of the newest snapshot. Its age counts from the time at which the last of its workers began to
    /// serve it.
    private func publication(_ now: Int64) -> [MetricSample] {
        let newest = snapshots.map(\.version).max() ?? 0
        let since = snapshots.filter { $0.version == newest }.map(\.nanoseconds).max() ?? now
        return [
            MetricSample("bellwether_workers", .gauge, "Threads that serve requests.", value: Double(snapshots.count)),
            MetricSample(
                "bellwether_snapshot_revision", .gauge, "Number of the newest snapshot, from 1 at each start.",
                value: Double(newest)),
            MetricSample(
                "bellwether_snapshot_age_seconds", .gauge, "Since the newest snapshot is served.",
                value: Double(max(now - since, 0)) / 1e9),
            MetricSample(
                "bellwether_snapshot_workers_behind", .gauge, "Workers that serve an older snapshot.",
                value: Double(snapshots.count { $0.version < newest })),
        ]
    }
}

extension Verdict {
    /// Whether a poll can give this verdict to a message of a requested surface that is not offered.
    fileprivate var isOfSelection: Bool { self != .wrongSurface && self != .eligible }
}
