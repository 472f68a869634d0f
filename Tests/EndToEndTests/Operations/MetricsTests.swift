import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The metrics of a daemon that has had every kind of request (docs/metrics.md).
@Suite struct MetricsTests {
    private let busy: BusyDaemon
    private var metrics: PrometheusText { busy.metrics }

    init() throws { busy = try BusyDaemon.shared.get() }

    @Test func `Requests are counted by route and status, and each has a duration`() {
        let poll = ["method": "GET", "route": "/v1/apps/{app}/messages"]
        #expect(metrics.sum("bellwether_requests_total", poll.merging(["status": "304"]) { $1 }) == 1)
        // The polls of the client that exceeds its limit: the whole burst at least.
        #expect(metrics.sum("bellwether_requests_total", poll.merging(["status": "200"]) { $1 }) >= 34)
        #expect(metrics.sum("bellwether_requests_total", poll.merging(["status": "429"]) { $1 }) >= 1)
        let none = ["method": "", "route": "none"]
        #expect(metrics.sum("bellwether_requests_total", none.merging(["status": "404"]) { $1 }) == 1)
        #expect(metrics.sum("bellwether_requests_total", none.merging(["status": "405"]) { $1 }) == 1)
        #expect(metrics.sum("bellwether_requests_total", none.merging(["status": "204"]) { $1 }) == 1)
        for sample in metrics.families["bellwether_request_duration_seconds"]?.samples ?? [] {
            guard sample.name.hasSuffix("_count") else { continue }
            #expect(sample.value == metrics.sum("bellwether_requests_total", sample.labels), "\(sample.labels)")
        }
        let events = ["method": "POST", "route": "/v1/apps/{app}/events"]
        #expect(metrics.sum("bellwether_request_duration_seconds_count", events) == 3)
        #expect(metrics.sum("bellwether_request_duration_seconds_sum", events) > 0)
    }

    @Test func `Polls are counted by what came of them`() {
        func polls(_ outcome: String) -> Double { metrics.sum("bellwether_polls_total", ["outcome": outcome]) }
        #expect(polls("no_live_message") == 1)
        #expect(polls("unchanged") == 1)
        #expect(polls("nothing") == 1)
        #expect(polls("control") >= 1)
        #expect(polls("message") >= 2)
        let answered = ["GET", "POST"].reduce(0.0) { sum, method in
            let labels = ["method": method, "route": "/v1/apps/{app}/messages"]
            return sum + metrics.sum("bellwether_requests_total", labels)
                - metrics.sum("bellwether_requests_total", labels.merging(["status": "429"]) { $1 })
        }
        #expect(metrics.sum("bellwether_polls_total") == answered)
        // The first poll of each worker is explained in full.
        #expect((1...2).contains(metrics.sum("bellwether_explained_polls_total")))
    }

    @Test func `Events are counted by what became of them, rejected ones by reason`() {
        func events(_ outcome: String) -> Double { metrics.sum("bellwether_events_total", ["outcome": outcome]) }
        #expect([events("accepted"), events("duplicate"), events("rejected")] == [3, 1, 2])
        #expect(metrics.sum("bellwether_rejected_events_total", ["code": "unknown_message"]) == 1)
        #expect(metrics.sum("bellwether_rejected_events_total", ["code": "future"]) == 1)
    }

    @Test func `Refusals are counted by route and code, those of the codec apart`() {
        func refused(_ route: String, _ code: String) -> Double {
            metrics.sum("bellwether_refused_total", ["route": route, "code": code])
        }
        #expect(refused("/v1/apps/{app}/recipes/{slug}", "jexl_parse") == 1)
        #expect(refused("/v1/apps/{app}/recipes", "jexl_parse") == 1)
        #expect(refused("/v1/apps/{app}/responses", "already_responded") == 1)
        #expect(refused("/v1/apps/{app}/responses", "not_found") == 1)
        #expect(refused("/v1/apps/{app}/messages", "rate_limited") >= 1)
        #expect(refused("none", "not_found") == 1 && refused("none", "method_not_allowed") == 1)
        #expect(metrics.sum("bellwether_rejected_total", ["reason": "request_line"]) == 1)
        #expect(metrics.sum("bellwether_rate_limited_total", ["by": "client"]) >= 1)
        #expect(metrics.sum("bellwether_rate_limited_total", ["by": "token"]) == 0)
    }

    @Test func `The store tells its queues, its batches and how long commits take`() {
        let commits = metrics.sum("bellwether_store_commits_total")
        #expect(commits >= 4)
        #expect(metrics.sum("bellwether_store_batch_size_count") == commits)
        // Publishes and changes of tokens are measured, too.
        for histogram in ["batch_size", "commit_duration_seconds", "batch_duration_seconds"] {
            #expect(metrics.sum("bellwether_store_\(histogram)_count") >= commits, "\(histogram)")
            #expect(metrics.sum("bellwether_store_\(histogram)_sum") > 0)
        }
        let whole = metrics.sum("bellwether_store_batch_duration_seconds_sum")
        #expect(metrics.sum("bellwether_store_commit_duration_seconds_sum") < whole)
        #expect(metrics.sum("bellwether_store_batch_size_sum") == metrics.sum("bellwether_store_submissions_total"))
        for queue in ["submissions", "changes", "loads", "telemetry", "results"] {
            #expect(metrics.values["bellwether_store_queue{queue=\"\(queue)\"}"] == 0)
            #expect((metrics.values["bellwether_store_queue_limit{queue=\"\(queue)\"}"] ?? 0) > 0)
        }
        #expect(metrics.sum("bellwether_store_healthy") == 1)
    }

    @Test func `What is published and since when`() {
        #expect(metrics.sum("bellwether_workers") == 2)
        // The start, the manifest and two recipes.
        #expect(metrics.sum("bellwether_snapshot_revision") == 4)
        let lifetime = busy.lifetime.upperBound - busy.lifetime.lowerBound
        #expect((0...lifetime).contains(metrics.sum("bellwether_snapshot_age_seconds")))
        #expect(metrics.sum("bellwether_snapshot_workers_behind") == 0)
        #expect(metrics.sum("bellwether_apps") == 1)
        #expect(metrics.sum("bellwether_recipes", ["state": "live"]) == 2)
    }

    @Test func `The process tells its time, memory, files and start`() throws {
        // The system has counted the start since its own in hundredths of a second.
        let start = metrics.sum("process_start_time_seconds")
        #expect((busy.lifetime.lowerBound - 2...busy.lifetime.upperBound + 2).contains(start))
        #expect(metrics.sum("process_cpu_seconds_total") > 0)
        let resident = metrics.sum("process_resident_memory_bytes")
        #expect((5e6...2e9).contains(resident) && resident < metrics.sum("process_virtual_memory_bytes"))
        #expect((10...1000).contains(metrics.sum("process_open_fds")))
        #expect(metrics.sum("process_max_fds") >= metrics.sum("process_open_fds"))
        let lines = try Command.bellwether("--version").lines
        let commit = try #require(lines.dropFirst().first?.split(separator: " ").last)
        #expect(metrics.sum("bellwether_build_info", ["version": lines[0], "commit": String(commit)]) == 1)
    }

    @Test func `Nothing that a client chose is a label`() {
        for text in [busy.app.name, "greedy", "visit", "nobody", "nonsense", "nowhere", "warehouse", "asked"] {
            #expect(!busy.text.contains(text), "\(text)")
        }
        #expect(metrics.values.count < 1500)
    }
}
