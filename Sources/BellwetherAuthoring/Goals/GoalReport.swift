public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// The results of one goal: each branch by itself, and each compared with the control
/// (docs/reference/goals.md#results).
public struct GoalReport: Sendable {
    /// A branch with its ratio and its sums.
    public struct Branch: Sendable {
        public let slug: Identifier
        public let ratio: Int64
        public let sums: GoalSums

        public init(slug: Identifier, ratio: Int64, sums: GoalSums) {
            (self.slug, self.ratio, self.sums) = (slug, ratio, sums)
        }
    }

    public let goal: Goal
    public let control: Identifier
    public let branches: [Branch]
    /// The smallest count of clients above 0 that is shown; 1 shows all.
    public let minimum: Int64
    /// The comparisons of the branches other than the control, in their order. Guards use them, whatever is shown.
    public let comparisons: [(branch: Identifier, comparison: GoalComparison)]
    /// The largest part of the planned information that a comparison has; nil without a plan or without a comparison.
    let information: Double?

    public init(_ goal: Goal, control: Identifier, branches: [Branch], minimum: Int64) {
        (self.goal, self.control, self.branches, self.minimum) = (goal, control, branches, minimum)
        let value = CriticalValue(branches: branches.count, plan: goal.plan, of: goal.counts, goal.direction)
        let sums = branches.first { $0.slug == control }?.sums ?? GoalSums()
        let others = branches.filter { $0.slug != control }
        comparisons = others.map { ($0.slug, GoalComparison(goal, $0.sums, with: sums, value)) }
        let isWithheld = { (sums: GoalSums) in [sums.n, sums.c].contains { $0 > 0 && $0 < minimum } }
        information = zip(others, comparisons).compactMap { branch, comparison in
            guard let error = comparison.1.plain?.standardError, !isWithheld(sums), !isWithheld(branch.sums) else {
                return nil
            }
            return value.information(error: error, (sums.n, branch.sums.n))
        }.max()
    }

    /// Whether a count would reveal few clients.
    private func isWithheld(_ count: Int64) -> Bool { count > 0 && count < minimum }

    private func isWithheld(_ branch: Branch) -> Bool { isWithheld(branch.sums.n) || isWithheld(branch.sums.c) }

    /// The branches at which a guard fires.
    public func fires(_ bound: GoalGuard) -> [Identifier] {
        comparisons.filter { branch, comparison in
            (bound.branch ?? branch) == branch && comparison.exceeds(bound.bound, goal.direction)
        }.map(\.branch)
    }

    /// Whether a guard holds: its comparisons have enough data, and none exceeds its bound.
    public func holds(_ bound: GoalGuard) -> Bool {
        fires(bound).isEmpty
            && comparisons.allSatisfy { branch, comparison in
                bound.branch.map { $0 != branch } ?? false
                    || comparison.verdict != .tooLittleData
            }
    }

    /// The numbers at which a guard fires; nil if it does not. Numbers that would reveal few clients are null.
    public func firing(of bound: GoalGuard, at now: Timestamp) -> GuardFiring? {
        guard let slug = fires(bound).first, let branch = branches.first(where: { $0.slug == slug }),
            let comparison = comparisons.first(where: { $0.branch == slug })?.comparison,
            let difference = comparison.adjusted?.difference ?? comparison.plain
        else { return nil }
        let hides = [slug, control].contains { name in branches.contains { $0.slug == name && isWithheld($0) } }
        var numbers = hides ? GoalDifference.none : difference.json
        numbers["standard_error"] = nil
        return GuardFiring(at: now, branch: slug, numbers: numbers, exposed: branch.sums.n)
    }

    public var sampleRatio: SampleRatio {
        SampleRatio(branches.map { ($0.ratio, isWithheld($0.sums.n) ? nil : $0.sums.n) })
    }

    public var branchesJSON: JSONValue {
        .array(
            branches.map { branch in
                let shown = isWithheld(branch) ? nil : GoalBranch(goal, branch.sums)
                var json = counts(of: branch)
                json["mean"] = shown?.mean.map { .number($0) } ?? .null
                json["interval"] = shown?.interval.map(\.json) ?? .null
                return .object(json)
            })
    }

    /// The counts of branches, such as those of one day.
    func countsJSON(of branches: [Branch]) -> JSONValue { .array(branches.map { .object(counts(of: $0)) }) }

    private func counts(of branch: Branch) -> JSONObject {
        let sums = branch.sums
        return [
            "branch": .string(branch.slug), "exposed": isWithheld(sums.n) ? .null : .integer(sums.n),
            "converted": isWithheld(sums.c) ? .null : .integer(sums.c),
            "sum": isWithheld(branch) ? .null : goal.json(sum: sums.sy),
        ]
    }

    public var comparisonsJSON: JSONValue {
        let hidden = Set(branches.filter(isWithheld).map(\.slug))
        return .array(
            comparisons.map { branch, comparison in
                let hides = hidden.contains(branch) || hidden.contains(control)
                var json = (hides ? GoalComparison.none : comparison).json
                json["branch"] = .string(branch)
                return .object(json)
            })
    }
}

extension Goal {
    /// A sum; of a property it is in its own unit.
    func json(sum: Int128) -> JSONValue {
        if property != nil { return .number(Double(sum) / 1_000) }
        return Int64(exactly: sum).map { .integer($0) } ?? .number(Double(sum))
    }
}

extension GoalInterval {
    public var json: JSONValue { ["low": .number(low), "high": .number(high)] }
}

extension GoalDifference {
    fileprivate var json: JSONObject {
        [
            "difference": .number(difference), "lift": lift.map { .number($0) } ?? .null,
            "standard_error": .number(standardError), "interval": interval.map(\.json) ?? .null,
            "lift_interval": liftInterval.map(\.json) ?? .null,
        ]
    }

    fileprivate static var none: JSONObject {
        ["difference": .null, "lift": .null, "standard_error": .null, "interval": .null, "lift_interval": .null]
    }
}

extension GoalComparison {
    fileprivate var json: JSONObject {
        var json = plain?.json ?? GoalDifference.none
        json["critical"] = critical.map { .number($0) } ?? .null
        var adjustment = adjusted?.difference.json
        adjustment?["theta"] = adjusted.map { .number($0.theta) }
        adjustment?["variance_reduction"] = adjusted.map { .number($0.varianceReduction) }
        json["cuped"] = adjustment.map { .object($0) } ?? .null
        json["verdict"] = .string(verdict.rawValue)
        return json
    }
}

extension SampleRatio {
    public var json: JSONValue {
        [
            "statistic": statistic.map { .number($0) } ?? .null, "p": p.map { .number($0) } ?? .null,
            "warning": .bool(isWarning),
        ]
    }
}
