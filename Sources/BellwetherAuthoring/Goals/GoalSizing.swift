internal import BellwetherCore
public import BellwetherJSON

/// A request for the number of clients that an experiment needs: the members of a goal's plan with `counts`,
/// `direction`, `branches` and `exposed_per_day` (docs/reference/goals.md#size).
public struct GoalSizing: Sendable, Hashable {
    public let size: PlannedSize
    /// Nil without the number of clients that are exposed in a day.
    public let days: Int64?

    private static let keys: Set<Identifier> = [
        "counts", "direction", "mean", "mde", "sd", "power", "correlation", "branches", "exposed_per_day",
    ]
    private static let maximumBranches: Int64 = 100
    private static let exposed = 1e-6...1e12

    /// Nil after a fault.
    public init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: Self.keys)
        let counts = reader.required("counts").flatMap { $0.choice(Goal.Measure.self) }
        let direction = reader.optional("direction").map { $0.choice(Goal.Direction.self) } ?? .up
        let branches = reader.optional("branches").map { $0.integer(in: 2...Self.maximumBranches) } ?? 2
        let exposed = reader.optional("exposed_per_day").map(Self.rate)
        guard let counts, let direction else { return nil }
        let plan = GoalPlan(members: reader, of: counts, direction: direction)
        guard let plan, let branches else { return nil }
        if let exposed, exposed == nil { return nil }
        size = PlannedSize(plan, of: counts, direction, branches: Int(branches))
        let size = size
        days = exposed.flatMap(\.self).map { size.days(exposedPerDay: $0) }
    }

    private static func rate(_ reader: JSONReader) -> Double? {
        guard let number = reader.number() else { return nil }
        guard exposed.contains(number) else {
            reader.finding("range", "expected a number above 0")
            return nil
        }
        return number
    }

    public var json: JSONValue {
        [
            "fixed_clients": .integer(size.fixedClients), "plan_clients": .integer(size.clients),
            "all_clients": .integer(size.allClients), "variance": .number(size.variance),
            "power_by_plan": .number(size.power), "days": days.map { .integer($0) } ?? .null,
        ]
    }
}
