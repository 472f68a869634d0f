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
