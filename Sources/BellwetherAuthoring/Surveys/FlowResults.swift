public import BellwetherJSON
public import Surveys

/// What became of a flow's runs: a funnel by step (docs/reference/flows.md#results).
public struct FlowResults: Sendable {
    /// Of all runs, or of those of one branch.
    private struct Counts: Sendable {
        var runs = 0
        var statuses: [FlowRun.Status: Int] = [:]
        var outcomes: [FlowOutcome.Reason: Int] = [:]
        var steps: [String: StepCounts] = [:]

        mutating func add(_ flow: FlowRun) {
            runs += 1
            statuses[flow.status, default: 0] += 1
            if let reason = flow.outcome?.reason { outcomes[reason, default: 0] += 1 }
            for (step, counts) in flow.counts {
                steps[step, default: StepCounts()].counts += counts
                steps[step, default: StepCounts()].runs += 1
            }
            guard let last = flow.path.last else { return }
            switch flow.status {
            case .active: steps[last, default: StepCounts()].stopped += 1
            case .dismissed: steps[last, default: StepCounts()].dismissed += 1
            case .completed: break
            }
        }

        func json(_ flow: FlowDefinition) -> JSONObject {
            let known = flow.steps.map(\.id)
            let gone = steps.keys.filter { flow.index(of: $0) == nil }.sorted()
            return [
                "total_runs": .integer(Int64(runs)), "active": count(.active), "completed": count(.completed),
                "dismissed": count(.dismissed),
                "outcomes": .object(
                    JSONObject(
                        FlowOutcome.Reason.allCases.compactMap { reason in
                            outcomes[reason].map { (reason.rawValue, .integer(Int64($0))) }
                        })),
                "steps": .array(known.map { (steps[$0] ?? StepCounts()).json($0) }),
                "other_revisions": .array(gone.map { (steps[$0] ?? StepCounts()).json($0) }),
            ]
        }

        private func count(_ status: FlowRun.Status) -> JSONValue { .integer(Int64(statuses[status] ?? 0)) }
    }

    private struct StepCounts: Sendable {
        var counts = FlowStepCounts()
        /// Runs that came to the step.
        var runs = 0
        /// Active runs that stand at it.
        var stopped = 0
        var dismissed = 0

        func json(_ id: String) -> JSONValue {
            let left = counts.completed + counts.skipped
            return [
                "id": .string(id), "runs": .integer(Int64(runs)), "viewed": .integer(Int64(counts.viewed)),
                "completed": .integer(Int64(counts.completed)), "skipped": .integer(Int64(counts.skipped)),
                "back": .integer(Int64(counts.back)), "dismissed": .integer(Int64(dismissed)),
                "stopped": .integer(Int64(stopped)),
                "mean_ms": left == 0 ? .null : .integer(counts.milliseconds / Int64(left)),
            ]
        }
    }

    private let flow: FlowDefinition
    private var counts = Counts()
    private var branches: [(experiment: String, branch: String, counts: Counts)] = []

    public init(_ flow: FlowDefinition) { self.flow = flow }

    public mutating func add(_ run: Run) {
        guard let progress = run.flow else { return }
        counts.add(progress)
        guard let experiment = run.experiment, let branch = run.branch else { return }
        if let index = branches.firstIndex(where: { $0.experiment == experiment && $0.branch == branch }) {
            branches[index].counts.add(progress)
        } else {
            branches.append((experiment, branch, Counts()))
            branches[branches.count - 1].counts.add(progress)
        }
    }

    public var json: JSONObject {
        var json = counts.json(flow)
        let sorted = branches.sorted { ($0.experiment, $0.branch) < ($1.experiment, $1.branch) }
        json["branches"] = .array(
            sorted.map { entry in
                var branch: JSONObject = [
                    "experiment": .string(entry.experiment), "branch": .string(entry.branch),
                ]
                for member in entry.counts.json(flow) { branch[member.key] = member.value }
                return .object(branch)
            })
        return json
    }
}
