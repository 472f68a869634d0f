import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The counts of workers, and the metrics over all workers.
@Suite struct WorkerMeterTests {
    private let metrics = Metrics()
    private let meters: [WorkerMeter]

    init() {
        let metrics = metrics
        meters = (0..<2).map { _ in metrics.makeMeter(pings: PingIntake(bytes: 1)) }
    }

    private func samples(_ name: String, now: Int64 = 0) -> [MetricSample] {
        metrics.reading.samples(now: now).filter { $0.name == name }
    }

    @Test func `Requests are counted by route and status over all workers`() {
        for meter in meters { meter.count(Routes.all[0], status: 200, nanoseconds: 1) }
        meters[0].count(Routes.all[1], status: 200, nanoseconds: 1)
        meters[0].count(Routes.all[0], status: 418, nanoseconds: 1)
        meters[1].count(status: 404)
        for status in [-1, 0, 600, .max, .min] { meters[1].count(status: status) }
        let requests = samples("bellwether_requests_total")
        #expect(requests.map(\.value).reduce(0, +) == 10)
        let first = Routes.all[0]
        #expect(
            requests.first { $0.labels["status"] == "200" && $0.labels["method"] == first.method.name }?.value == 2)
        #expect(requests.first { $0.labels["route"] == first.pattern && $0.labels["status"] == "other" }?.value == 1)
        #expect(requests.first { $0.labels["route"] == "none" && $0.labels["status"] == "404" }?.value == 1)
        #expect(requests.first { $0.labels["route"] == "none" && $0.labels["status"] == "other" }?.value == 5)
    }

    /// The statuses that a response may have (docs/reference/http-api.md#errors).
    @Test(
        arguments: [
            200, 201, 204, 304, 400, 401, 403, 404, 405, 408, 409, 410, 411, 412, 413, 414, 415, 422, 429, 431, 500,
            503,
        ])
    func `A status of the contract has a column`(_ status: Int) {
        meters[0].count(status: status)
        #expect(samples("bellwether_requests_total").map(\.labels["status"]) == ["\(status)"])
    }

    @Test func `Durations fall between their bounds, and none is negative`() throws {
        let route = Routes.all[3]
        for nanoseconds in [0, 50_000, 50_001, 2_000_000_000, 60_000_000_000, -5, .min] as [Int64] {
            meters[0].count(route, status: 200, nanoseconds: nanoseconds)
        }
        let sample = try #require(samples("bellwether_request_duration_seconds").first)
        #expect(sample.labels == ["method": route.method.name, "route": route.pattern])
        let histogram = try #require(sample.histogram)
        #expect(histogram.count == 7)
        #expect(histogram.counts.first == 4 && histogram.counts[1] == 1 && histogram.counts.last == 1)
        #expect(abs(histogram.sum - 62.000100001) < 1e-9)
        #expect(histogram.bounds.first == 0.00005 && histogram.bounds.last == 10)
        #expect(zip(histogram.bounds, histogram.bounds.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `A code counts once a refusal, however many faults have it`() {
        let faults = ["range", "type", "range"].map { Finding(pointer: .root, code: $0, message: "m") }
        for meter in meters { meter.count(Problem(422, errors: faults), at: Routes.all[0]) }
        meters[0].count(Problem(404), at: nil)
        let counts = samples("bellwether_refused_total").map { "\($0.labels["code"] ?? ""): \($0.value)" }
        #expect(counts == ["range: 2.0", "type: 2.0", "not_found: 1.0"])
    }

    @Test func `Codes are bounded, and nothing is lost`() {
        for number in 0..<2000 {
            meters[0].count(
                Problem(400, errors: [Finding(pointer: .root, code: "c\(number)", message: "m")]), at: Routes.all[0])
            var tally = EventTally()
            tally.rejected = [EventRejection(index: 0, code: "c\(number)", message: "m")]
            meters[0].count(tally)
        }
        for name in ["bellwether_refused_total", "bellwether_rejected_events_total"] {
            #expect(samples(name).count <= 513)
            #expect(samples(name).map(\.value).reduce(0, +) == 2000)
            #expect((samples(name).first { $0.labels["code"] == "other" }?.value ?? 0) > 1000)
        }
    }

    @Test func `A snapshot's age counts from when the last worker had it`() {
        func publication(_ now: Int64) -> [Double] {
            ["revision", "age_seconds", "workers_behind"].compactMap {
                samples("bellwether_snapshot_\($0)", now: now).first?.value
            }
        }
        let second: Int64 = 1_000_000_000
        for meter in meters { meter.serves(.empty, at: 10 * second) }
        #expect(publication(12 * second) == [0, 2, 0])
        let next = Snapshot(version: 7, apps: [:], loadFailures: [])
        meters[0].serves(next, at: 20 * second)
        #expect(publication(25 * second) == [7, 5, 1])
        meters[1].serves(next, at: 21 * second)
        #expect(publication(25 * second) == [7, 4, 0])
        // A reload of the settings brings the same publication again.
        meters[1].serves(next, at: 24 * second)
        #expect(publication(25 * second) == [7, 4, 0])
        #expect(publication(0) == [7, 0, 0])
    }
}
