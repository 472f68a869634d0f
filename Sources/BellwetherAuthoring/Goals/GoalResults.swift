public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// The counts of a recipe's goals in one period, and their estimates: the member `goals` of results
/// (docs/reference/goals.md#the-member-goals).
public struct GoalResults: Sendable {
    /// The cells of one branch and day of exposure.
    public struct Counted: Sendable {
        public let branch: Identifier
        /// In days since 1970.
        public let day: Int64
        public let cell: GoalCell

        public init(branch: Identifier, day: Int64, cell: GoalCell) {
            (self.branch, self.day, self.cell) = (branch, day, cell)
        }
    }

    public let period: GoalPeriod
    /// The number of periods that the recipe has.
    public let periods: Int
    public let guards: [GuardStanding]
    /// The reports of the period's goals, in their order.
    public let reports: [GoalReport]

    /// The cells by day and branch.
    private let cells: [Int64: [Identifier: GoalCell]]

    /// - Parameter minimum: the smallest count of clients above 0 that is shown.
    public init(
        _ period: GoalPeriod, of periods: Int, _ counted: [Counted], guards: [GuardStanding] = [], minimum: Int64
    ) {
        (self.period, self.periods, self.guards) = (period, periods, guards)
        var totals: [Identifier: GoalCell] = [:]
        var cells: [Int64: [Identifier: GoalCell]] = [:]
        for cell in counted {
            totals[cell.branch, default: GoalCell()].add(cell.cell)
            cells[cell.day, default: [:]][cell.branch] = cell.cell
        }
        self.cells = cells
        reports = period.goals.enumerated().map { position, goal in
            let branches = period.branches.map { branch in
                let sums = totals[branch.slug]?.sums(of: position) ?? GoalSums()
                return GoalReport.Branch(slug: branch.slug, ratio: branch.ratio, sums: sums)
            }
            return GoalReport(goal, control: period.control, branches: branches, minimum: minimum)
        }
    }

    public var json: JSONValue {
        [
            "period": .integer(Int64(period.number)), "periods": .integer(Int64(periods)),
            "since": .string(period.since.rfc3339), "control": .string(period.control), "level": .number(0.95),
            "sample_ratio": reports.first?.sampleRatio.json ?? .null,
            "goals": .array(reports.enumerated().map { position, report in shown(report, at: position) }),
            "guards": .array(guards.map(\.json)),
        ]
    }

    private func shown(_ report: GoalReport, at position: Int) -> JSONValue {
        var json = report.goal.json
        json["plan"] = report.planJSON
        json["branches"] = .array(
            zip(report.branches, report.branchesJSON.array ?? []).map { branch, shown in
                var shown = shown.object ?? [:]
                shown["ratio"] = .integer(branch.ratio)
                return .object(shown)
            })
        json["comparisons"] = report.comparisonsJSON
        json["days"] = .array(days.map { day in shown(day, in: report, at: position) })
        return .object(json)
    }

    /// The days on which clients were exposed.
    private var days: [Int64] { cells.keys.sorted() }

    private func shown(_ day: Int64, in report: GoalReport, at position: Int) -> JSONValue {
        let branches = period.branches.map { branch in
            let cell = cells[day]?[branch.slug]
            return GoalReport.Branch(
                slug: branch.slug, ratio: branch.ratio, sums: cell?.sums(of: position) ?? GoalSums())
        }
        let date = Timestamp(seconds: day * Timestamp.secondsPerDay).rfc3339.prefix { $0 != "T" }
        return ["day": .string(String(date)), "branches": report.countsJSON(of: branches)]
    }
}

/// A guard of a recipe in a period.
public struct GuardStanding: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        /// The guard is judged.
        case armed
        /// The guard has paused the recipe.
        case fired
        /// The recipe was put live again after the guard had fired. It is not judged for the rest of the period.
        case off
    }

    public let bound: GoalGuard
    public let state: State
    /// The numbers at which the guard fired; nil if it never did in the period.
    public let firing: GuardFiring?

    public init(_ bound: GoalGuard, _ state: State, _ firing: GuardFiring?) {
        (self.bound, self.state, self.firing) = (bound, state, firing)
    }

    public var json: JSONValue {
        var json: JSONObject = ["goal": .string(bound.goal)]
        for (name, value) in bound.boundJSON { json[name] = value }
        json["branch"] = bound.branch.map { .string($0) } ?? .null
        json["state"] = .string(state.rawValue)
        json["fired"] = firing.map { .object($0.json) } ?? .null
        return .object(json)
    }
}

/// The numbers at which a guard fired (docs/reference/goals.md#guards).
public struct GuardFiring: Sendable, Hashable {
    public let at: Timestamp
    public let branch: Identifier
    /// `difference`, `lift`, `interval` and `lift_interval` of the comparison by which the verdict was found.
    public let numbers: JSONObject
    /// The clients of the branch.
    public let exposed: Int64

    public init(at: Timestamp, branch: Identifier, numbers: JSONObject, exposed: Int64) {
        (self.at, self.branch, self.numbers, self.exposed) = (at, branch, numbers, exposed)
    }

    /// Nil for an object of another form than `json`.
    public init?(_ json: JSONObject) {
        guard let at = json["at"]?.string.flatMap({ Timestamp(rfc3339: $0) }), let branch = json["branch"]?.identifier,
            let exposed = json["exposed"]?.integer
        else { return nil }
        let names = ["difference", "lift", "interval", "lift_interval"]
        self.init(at: at, branch: branch, numbers: JSONObject(json.filter { names.contains($0.key) }), exposed: exposed)
    }

    public var json: JSONObject {
        var json: JSONObject = ["at": .string(at.rfc3339), "branch": .string(branch)]
        for (name, value) in numbers { json[name] = value }
        json["exposed"] = .integer(exposed)
        return json
    }
}

extension GoalGuard {
    /// The member `worse_than` or `worse_by`.
    public var boundJSON: JSONObject {
        switch bound {
        case .relative(let part): ["worse_than": .number(part)]
        case .absolute(let difference): ["worse_by": .number(difference)]
        }
    }
}

extension GoalCell {
    /// The sums of the goal at a position. A goal of which nothing was counted has none.
    fileprivate func sums(of position: Int) -> GoalSums {
        goals.indices.contains(position) ? goals[position] : GoalSums()
    }
}

extension Goal {
    fileprivate var json: JSONObject {
        [
            "name": .string(name), "event": event.json, "counts": .string(counts.rawValue),
            "property": property.map { .string($0) } ?? .null, "cap": cap.map { .integer($0) } ?? .null,
            "within_days": .integer(days), "direction": .string(direction.rawValue), "primary": .bool(isPrimary),
        ]
    }
}

extension Goal.Event {
    fileprivate var json: JSONValue {
        switch self {
        case .behavior(let name): .string(name)
        case .message(let event): ["message": .string(event.rawValue)]
        }
    }
}

extension GoalReport {
    /// The plan with its size, and how much of the planned information there is.
    fileprivate var planJSON: JSONValue {
        guard let plan = goal.plan else { return .null }
        let size = PlannedSize(plan, of: goal.counts, goal.direction, branches: branches.count)
        var json = plan.declared
        json["plan_clients"] = .integer(size.clients)
        json["variance"] = .number(size.variance)
        json["information"] = information.map { .number($0) } ?? .null
        return .object(json)
    }
}
