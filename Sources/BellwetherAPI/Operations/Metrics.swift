internal import HTTPWire
internal import Synchronization

/// What the routes count. One for the process; counting takes no lock.
public final class Metrics: Sendable {
    /// A row for each route and one for requests that met none; a column for each status.
    private let counters: [Counter]
    private let ignoredAttributes = Atomic<Int>(0)

    /// Statuses that routes give; any other is counted as `other`.
    private static let statuses = [
        200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 412, 415, 422, 500, 503,
    ]
    private static let columns = statuses.count + 1

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    public init() {
        counters = (0..<((Routes.all.count + 1) * Self.columns)).map { _ in Counter() }
    }

    /// Nil: the request met no route.
    func count(_ endpoint: Endpoint?, status: Int) {
        let row = endpoint?.position ?? Routes.all.count
        let column = Self.statuses.firstIndex(of: status) ?? Self.statuses.count
        counters[row * Self.columns + column].value.add(1, ordering: .relaxed)
    }

    func countIgnoredAttributes(_ count: Int) {
        if count > 0 { ignoredAttributes.add(count, ordering: .relaxed) }
    }

    var samples: [MetricSample] {
        var samples: [MetricSample] = []
        for row in 0...Routes.all.count {
            let endpoint = row < Routes.all.count ? Routes.all[row] : nil
            for column in 0..<Self.columns {
                let count = counters[row * Self.columns + column].value.load(ordering: .relaxed)
                guard count > 0 else { continue }
                let status = column < Self.statuses.count ? String(Self.statuses[column]) : "other"
                samples.append(
                    MetricSample(
                        "bellwether_requests_total", .counter, "Requests answered, by route and status.",
                        labels: [
                            "method": endpoint?.method.name ?? "", "route": endpoint?.pattern ?? "none",
                            "status": status,
                        ], value: Double(count)))
            }
        }
        samples.append(
            MetricSample(
                "bellwether_ignored_attributes_total", .counter,
                "Attributes that clients sent and the manifest does not declare.",
                value: Double(ignoredAttributes.load(ordering: .relaxed))))
        return samples
    }
}
