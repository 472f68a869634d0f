public import BellwetherJSON

/// A goal of an experiment: a value that is counted for each client after its exposure (docs/reference/goals.md#goals).
public struct Goal: Sendable, Hashable {
    /// The events that count.
    public enum Event: Sendable, Hashable {
        /// A behaviour event of this name.
        case behavior(Identifier)
        /// An action of the client on a message of the experiment.
        case message(MessageEvent)
    }

    public enum MessageEvent: String, Sendable, Hashable, CaseIterable {
        case clicked, dismissed, answered
    }

    public enum Measure: String, Sendable, Hashable, CaseIterable {
        /// 1 if the event happened in the window, otherwise 0.
        case converted
        /// The sum over the events in the window.
        case sum
    }

    public enum Direction: String, Sendable, Hashable, CaseIterable {
        case up, down
    }

    public let name: Identifier
    public let event: Event
    public let counts: Measure
    /// The property whose values are added; nil: the events are counted.
    public private(set) var property: Identifier?
    /// The maximum that one client adds to a sum. It is nil for `converted`.
    public let cap: Int64?
    /// The window after the exposure, in days of 86,400 seconds.
    public let days: Int64
    public let direction: Direction
    /// Whether the goal decides; the others explain.
    public internal(set) var isPrimary: Bool
    /// Whether the counts before the exposure reduce the variance.
    public let usesCovariate: Bool
    public let plan: GoalPlan?

    private static let keys: Set<Identifier> = [
        "name", "event", "counts", "property", "cap", "within_days", "direction", "primary", "cuped", "plan",
    ]
    private static let usualCap: Int64 = 1_000
    private static let maximumCap: Int64 = 1_000_000
    private static let usualDays: Int64 = 14
    private static let maximumDays: Int64 = 90

    /// Reads a goal. All faults become findings; nil if there is one.
    public init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        let before = reader.findings.faults.count
        reader.refuseUnknown(keys: Self.keys)
        let name = reader.required("name").flatMap(Self.name)
        let event = reader.required("event").flatMap(Self.event)
        let counts = reader.required("counts").flatMap { $0.choice(Measure.self) }
        let direction = reader.optional("direction").flatMap { $0.choice(Direction.self) } ?? .up
        self.direction = direction
        isPrimary = reader.optional("primary").flatMap { $0.bool() } ?? false
        usesCovariate = reader.optional("cuped").flatMap { $0.bool() } ?? true
        days = reader.optional("within_days").flatMap { $0.integer(in: 1...Self.maximumDays) } ?? Self.usualDays
        let property = reader.optional("property")
        self.property = property.flatMap { $0.string() }.map { Identifier($0) }
        let cap = reader.optional("cap")
        let limit = cap.flatMap { $0.integer(in: 1...Self.maximumCap) } ?? Self.usualCap
        self.cap = counts == .sum ? limit : nil
        if counts == .converted {
            for member in [property, cap].compactMap(\.self) {
                member.finding("exclusive", "a goal of this kind counts whether the event happened: only sums have it")
            }
        } else if let property, case .message? = event {
            property.finding("exclusive", "what clients do with a message has no properties")
        }
        plan = reader.optional("plan").flatMap { plan in
            counts.flatMap { GoalPlan(plan, of: $0, direction: direction) }
        }
        guard let name, let event, let counts, reader.findings.faults.count == before else { return nil }
        (self.name, self.event, self.counts) = (name, event, counts)
    }

    private static func name(_ reader: JSONReader) -> Identifier? {
        guard let text = reader.string() else { return nil }
        let isAllowed = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else {
            reader.finding("identifier", "a name is 1 to 64 of a-z, 0-9, _ and -")
            return nil
        }
        return Identifier(text)
    }

    private static func event(_ reader: JSONReader) -> Event? {
        guard reader.value.object == nil else {
            reader.refuseUnknown(keys: ["message"])
            return reader.required("message").flatMap { $0.choice(MessageEvent.self) }.map { .message($0) }
        }
        guard let text = reader.string() else { return nil }
        guard !text.isEmpty else {
            reader.finding("identifier", "the name of an event is not empty")
            return nil
        }
        return .behavior(Identifier(text))
    }
}

extension Goal {
    /// A sum of a derived event that is a sum itself adds the property that the event adds.
    mutating func takeSum(of manifest: Manifest) {
        guard case .behavior(let name) = event, let sum = manifest.events[name]?.derivation?.sum else { return }
        takeSum(sum)
    }

    mutating func takeSum(_ property: Identifier) { if counts == .sum { self.property = property } }

    /// Whether two goals count the same, so that both can be counted together.
    package func counts(like other: Goal) -> Bool {
        (name, event, counts) == (other.name, other.event, other.counts)
            && (property, cap, days) == (other.property, other.cap, other.days)
    }
}

/// The assumptions from which the number of clients of an experiment follows (docs/reference/goals.md#size).
public struct GoalPlan: Sendable, Hashable {
    /// The mean of one client without the effect; of `converted` the rate.
    public let mean: Double
    /// The relative effect that the experiment must find.
    public let effect: Double
    /// The standard deviation of one client; of `converted` it follows from the rate.
    public let deviation: Double?
    /// The probability to find the effect.
    public let power: Double
    /// The correlation of the outcome with the counts before the exposure.
    public let correlation: Double
    /// The members as they are declared.
    public let declared: JSONObject

    private static let keys: Set<Identifier> = ["mean", "mde", "sd", "power", "correlation"]

    /// Reads a plan. All faults become findings; nil if there is one.
    public init?(_ reader: JSONReader, of counts: Goal.Measure, direction: Goal.Direction) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: Self.keys)
        self.init(members: reader, of: counts, direction: direction)
    }

    /// Reads the members of a plan from an object that may have others.
    public init?(members reader: JSONReader, of counts: Goal.Measure, direction: Goal.Direction) {
        let before = reader.findings.faults.count
        declared = JSONObject((reader.value.object ?? [:]).filter { Self.keys.contains(Identifier($0.key)) })
        let mean = reader.required("mean").flatMap { reader in
            Self.number(reader, counts == .sum ? "above 0" : "above 0 and below 1") {
                $0 > 0 && (counts == .sum || $0 < 1)
            }
        }
        let effect = reader.required("mde").flatMap { reader in
            Self.number(reader, "above 0, at most 10") { $0 > 0 && $0 <= 10 }
        }
        switch counts {
        case .sum:
            deviation = reader.required("sd").flatMap { reader in Self.number(reader, "above 0") { $0 > 0 } }
        case .converted:
            reader.optional("sd")?.finding("exclusive", "the deviation of a rate follows from the rate")
            deviation = nil
        }
        power =
            reader.optional("power").flatMap { reader in
                Self.number(reader, "0.5 to 0.99") { (0.5...0.99).contains($0) }
            } ?? 0.8
        correlation =
            reader.optional("correlation").flatMap { reader in
                Self.number(reader, "0 to 0.99") { (0...0.99).contains($0) }
            } ?? 0
        guard let mean, let effect else { return nil }
        let isPossible = direction == .up ? mean * (1 + effect) < 1 : effect < 1
        if counts == .converted, !isPossible {
            reader.required("mde")?.finding("range", "with this effect the rate is not between 0 and 1")
        }
        guard reader.findings.faults.count == before else { return nil }
        (self.mean, self.effect) = (mean, effect)
    }

    private static func number(_ reader: JSONReader, _ range: String, _ holds: (Double) -> Bool) -> Double? {
        guard let number = reader.number() else { return nil }
        guard number.isFinite, holds(number) else {
            reader.finding("range", "expected a number \(range)")
            return nil
        }
        return number
    }
}

/// A guard of an experiment: a bound of a goal at which the recipe is paused (docs/reference/goals.md#guards).
public struct GoalGuard: Sendable, Hashable {
    public enum Bound: Sendable, Hashable {
        /// Worse than the control by this part of its mean.
        case relative(Double)
        /// Worse than the control by this difference of means.
        case absolute(Double)
    }

    /// The name of the goal.
    public let goal: Identifier
    public let bound: Bound
    /// The branch; nil: every branch but the control.
    public let branch: Identifier?

    private static let keys: Set<Identifier> = ["goal", "worse_than", "worse_by", "branch"]

    /// Reads a guard. All faults become findings; nil if there is one.
    public init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        let before = reader.findings.faults.count
        reader.refuseUnknown(keys: Self.keys)
        let goal = reader.required("goal").flatMap { $0.string() }
        branch = reader.optional("branch").flatMap { $0.string() }.map { Identifier($0) }
        let (relative, absolute) = (reader.optional("worse_than"), reader.optional("worse_by"))
        if relative != nil, let absolute {
            absolute.finding("exclusive", "a guard has worse_than or worse_by, not both")
        } else if relative == nil, absolute == nil {
            // A null is present, and sets no bound.
            reader.required("worse_than")?.finding("required", "a guard has worse_than or worse_by")
        }
        let part = relative.flatMap { Self.number($0, at: 10) }
        let difference = absolute.flatMap { Self.number($0, at: .infinity) }
        guard let goal, reader.findings.faults.count == before else { return nil }
        guard let bound = part.map({ .relative($0) }) ?? difference.map({ Bound.absolute($0) }) else { return nil }
        (self.goal, self.bound) = (Identifier(goal), bound)
    }

    private static func number(_ reader: JSONReader, at most: Double) -> Double? {
        guard let number = reader.number() else { return nil }
        guard number.isFinite, number >= 0, number <= most else {
            reader.finding("range", most == .infinity ? "expected a number of at least 0" : "expected a number 0 to 10")
            return nil
        }
        return number
    }
}
