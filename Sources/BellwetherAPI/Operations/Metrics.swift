internal import HTTPWire
internal import Synchronization

/// One number for `/metrics`.
public struct MetricSample: Sendable, Hashable {
    public enum Kind: String, Sendable { case counter, gauge }

    public let name: String
    public let help: String
    public let kind: Kind
    public let labels: [String: String]
    public let value: Double

    public init(_ name: String, _ kind: Kind, _ help: String, labels: [String: String] = [:], value: Double) {
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
        self.value = value
    }
}

/// What the routes count. One for the process; counting takes no lock.
public final class Metrics: Sendable {
    /// A row for each route and one for paths of none; a column for each status and one for the others.
    private let counters: [Counter]
    private let ignoredAttributes = Atomic<Int>(0)

    private static let statuses = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 412, 415, 422, 500, 503]
    private static let columns = statuses.count + 1

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    public init() {
        counters = (0..<((Routes.all.count + 1) * Self.columns)).map { _ in Counter() }
    }

    /// Nil: no route.
    func count(route: Int?, status: Int) {
        let column = Self.statuses.firstIndex(of: status) ?? Self.statuses.count
        counters[(route ?? Routes.all.count) * Self.columns + column].value.add(1, ordering: .relaxed)
    }

    func countIgnoredAttribute() { ignoredAttributes.add(1, ordering: .relaxed) }

    var samples: [MetricSample] {
        var samples: [MetricSample] = []
        let routes = Routes.all.map { "\($0.method.name) \($0.pattern)" } + ["unmatched"]
        for (row, route) in routes.enumerated() {
            for column in 0..<Self.columns {
                let count = counters[row * Self.columns + column].value.load(ordering: .relaxed)
                guard count > 0 else { continue }
                let status = column < Self.statuses.count ? String(Self.statuses[column]) : "other"
                samples.append(
                    MetricSample(
                        "bellwether_requests_total", .counter, "Requests answered, by route and status.",
                        labels: ["route": route, "status": status], value: Double(count)))
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

/// Prometheus' text format 0.0.4.
enum MetricsText {
    static func render(_ samples: [MetricSample]) -> String {
        var text = ""
        var previous = ""
        for sample in samples {
            if sample.name != previous {
                text += "# HELP \(sample.name) \(sample.help)\n# TYPE \(sample.name) \(sample.kind.rawValue)\n"
                previous = sample.name
            }
            let labels = sample.labels.sorted { $0.key < $1.key }
                .map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += sample.name + (labels.isEmpty ? "" : "{\(labels)}") + " \(number(sample.value))\n"
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
