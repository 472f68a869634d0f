public import BellwetherService
internal import Synchronization

/// The meters of all workers, one for each. The process has one instance of this class.
public final class Metrics: Sendable {
    private let meters = Mutex<[WorkerMeter]>([])

    public init() {}

    /// Makes a worker's meter. It is called on the worker's thread, so that each worker's counts are in separate
    /// memory.
    func makeMeter(pings: PingIntake) -> WorkerMeter {
        let meter = WorkerMeter(pings: pings)
        meters.withLock { $0.append(meter) }
        return meter
    }

    var reading: MeterReading {
        var reading = MeterReading()
        for meter in meters.withLock({ $0 }) { meter.add(to: &reading) }
        return reading
    }
}

/// One number for `/metrics`, or one distribution.
public struct MetricSample: Sendable, Hashable {
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    public let name: String
    public let help: String
    public let kind: Kind
    /// The labels. Their number is bounded: no label has a value that a client chooses.
    public let labels: [String: String]
    /// The value; for a histogram, the number of observations.
    public let value: Double
    let histogram: Histogram?

    public init(_ name: String, _ kind: Kind, _ help: String, labels: [String: String] = [:], value: Double) {
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
        self.value = value
        histogram = nil
    }

    public init(_ name: String, _ help: String, labels: [String: String] = [:], _ histogram: Histogram) {
        self.name = name
        self.help = help
        kind = .histogram
        self.labels = labels
        value = Double(histogram.count)
        self.histogram = histogram
    }
}

/// The counters of a worker that have no other labels than these. A new counter is a case with its line here, a call of
/// `WorkerMeter.count`, and a row of docs/metrics.md.
enum Counter: Int, CaseIterable {
    case acceptedEvents, duplicateEvents, rejectedEvents, ignoredAttributes, explainedPolls, judgedApart
    case givenUpAnswers, givenUpConditions

    private var line: (name: String, labels: [String: String], help: String) {
        let events = ("bellwether_events_total", "Events that clients sent, by what became of them.")
        let budget = ("bellwether_over_budget_total", "What was not judged to the end for want of steps.")
        return switch self {
        case .acceptedEvents: (events.0, ["outcome": "accepted"], events.1)
        case .duplicateEvents: (events.0, ["outcome": "duplicate"], events.1)
        case .rejectedEvents: (events.0, ["outcome": "rejected"], events.1)
        case .ignoredAttributes:
            (
                "bellwether_ignored_attributes_total", [:],
                "Attributes that clients sent and the manifest does not declare."
            )
        case .explainedPolls:
            ("bellwether_explained_polls_total", [:], "Polls whose messages were all judged, as a sample.")
        case .judgedApart:
            ("bellwether_judged_apart_total", [:], "Saves that take too long to be judged among other writes.")
        case .givenUpAnswers: (budget.0, ["what": "answer"], budget.1)
        case .givenUpConditions: (budget.0, ["what": "condition"], budget.1)
        }
    }

    func sample(_ count: Int) -> MetricSample {
        MetricSample(line.name, .counter, line.help, labels: line.labels, value: Double(count))
    }
}

extension Snapshot {
    /// The samples about the published catalog, for `/metrics`.
    var samples: [MetricSample] {
        let states = apps.values.flatMap { $0.recipes.values.map(\.stored.state) }
        return [
            MetricSample("bellwether_apps", .gauge, "Apps that are published.", value: Double(apps.count)),
            MetricSample(
                "bellwether_load_failures", .gauge, "Files and stored documents that could not be loaded.",
                value: Double(loadFailures.count)),
        ]
            + RecipeState.allCases.map { state in
                MetricSample(
                    "bellwether_recipes", .gauge, "Recipes of all apps, by state.", labels: ["state": state.rawValue],
                    value: Double(states.count { $0 == state }))
            }
    }
}

extension StoreHealth {
    var samples: [MetricSample] {
        [
            MetricSample(
                "bellwether_store_healthy", .gauge, "1 while the store takes writes.", value: self == .healthy ? 1 : 0)
        ]
    }
}
