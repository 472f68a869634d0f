internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// The counts and sums of a goal in one branch. They are whole numbers, which are added and subtracted without rounding
/// (docs/reference/goals.md#what-is-counted). Of a property, y is in thousandths.
public struct GoalSums: Sendable, Hashable {
    /// The number of exposed clients.
    public var n: Int64 = 0
    /// The number of clients whose outcome y is above 0.
    public var c: Int64 = 0
    public var sy: Int128 = 0
    public var syy: Int128 = 0
    public var sx: Int128 = 0
    public var sxx: Int128 = 0
    public var sxy: Int128 = 0

    public init() {}

    /// One exposed client.
    init(_ value: GoalValue) {
        let (x, y) = (Int128(value.x), Int128(value.y))
        (n, c) = (1, value.y > 0 ? 1 : 0)
        (sy, syy, sx, sxx, sxy) = (y, y * y, x, x * x, x * y)
    }

    public mutating func add(_ other: GoalSums, times factor: Int64 = 1) {
        let wide = Int128(factor)
        n &+= factor &* other.n
        c &+= factor &* other.c
        sy &+= wide &* other.sy
        syy &+= wide &* other.syy
        sx &+= wide &* other.sx
        sxx &+= wide &* other.sxx
        sxy &+= wide &* other.sxy
    }

    /// The numbers as a text, in the order of the members.
    var text: String { "\(n) \(c) \(sy) \(syy) \(sx) \(sxx) \(sxy)" }

    init?(text: String) {
        let numbers = text.split(separator: " ", omittingEmptySubsequences: false).map { Int128($0) }
        guard numbers.count == 7, !numbers.contains(nil), let n = Int64(exactly: numbers[0] ?? 0),
            let c = Int64(exactly: numbers[1] ?? 0)
        else { return nil }
        (self.n, self.c, sy, syy) = (n, c, numbers[2] ?? 0, numbers[3] ?? 0)
        (sx, sxx, sxy) = (numbers[4] ?? 0, numbers[5] ?? 0, numbers[6] ?? 0)
    }
}

/// The sums of all clients of a recipe that were exposed in one period, branch and day
/// (docs/reference/goals.md#what-is-stored). They are changed in the commit that changes a client's entry, and are
/// never computed again.
public struct GoalCell: Sendable, Hashable {
    /// One for each goal of the period.
    public private(set) var goals: [GoalSums] = []

    public init() {}

    public var isEmpty: Bool { goals.allSatisfy { $0 == GoalSums() } }

    public mutating func add(_ other: GoalCell, times factor: Int64 = 1) {
        while goals.count < other.goals.count { goals.append(GoalSums()) }
        for (index, sums) in other.goals.enumerated() { goals[index].add(sums, times: factor) }
    }

    /// `{"goals": ["N C SY SYY SX SXX SXY", …]}`. A JSON number would not hold the sums.
    public var json: JSONObject { ["goals": .array(goals.map { .string($0.text) })] }

    /// Nil for an object of another form.
    public init?(_ json: JSONObject) {
        for value in json["goals"]?.array ?? [] {
            guard let sums = value.string.flatMap({ GoalSums(text: $0) }) else { return nil }
            goals.append(sums)
        }
    }

    fileprivate init(_ entry: GoalEntry) { goals = entry.values.map { GoalSums($0) } }
}

/// The place of a cell.
public struct GoalCellKey: Sendable, Hashable {
    public let slug: Identifier
    public let period: Int
    public let branch: Identifier
    /// The day of the exposures in UTC, in days since 1970.
    public let day: Int64

    public init(slug: Identifier, period: Int, branch: Identifier, day: Int64) {
        (self.slug, self.period, self.branch, self.day) = (slug, period, branch, day)
    }
}

extension GoalMemory {
    /// The changes of cells that a change of a client's entries causes. An entry that was dropped for a new one stays
    /// counted.
    ///
    /// - Parameter after: The new entries; nil if the client is erased.
    public static func changes(from before: GoalMemory, to after: GoalMemory?) -> [GoalCellKey: GoalCell] {
        var changes: [GoalCellKey: GoalCell] = [:]
        func add(_ entry: GoalEntry, times factor: Int64) {
            guard let key = entry.cellKey else { return }
            changes[key, default: GoalCell()].add(GoalCell(entry), times: factor)
        }
        guard let after else {
            for entry in before.entries { add(entry, times: -1) }
            return changes
        }
        for entry in after.entries {
            let earlier = before.entries.first { $0.slug == entry.slug && $0.period == entry.period }
            guard earlier != entry else { continue }
            if let earlier { add(earlier, times: -1) }
            add(entry, times: 1)
        }
        return changes.filter { !$0.value.isEmpty }
    }
}

extension GoalEntry {
    /// The cell that counts the client; nil before the exposure.
    fileprivate var cellKey: GoalCellKey? {
        exposedAt.map {
            GoalCellKey(
                slug: slug, period: period, branch: branch, day: $0.seconds.floored(by: Timestamp.secondsPerDay))
        }
    }
}
