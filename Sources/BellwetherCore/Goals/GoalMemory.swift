public import BellwetherBase
public import BellwetherJSON

/// The experiments in which a client is counted (docs/reference/goals.md#what-is-stored-of-a-client).
///
/// An entry begins with the enrollment. The exposure fixes the covariates, and events in the windows change the
/// outcomes. The cells of results follow from the entries (`GoalCell`).
public struct GoalMemory: Sendable, Hashable {
    /// The entries, in the order in which they began. A recipe has at most one for each of its periods.
    public private(set) var entries: [GoalEntry] = []

    /// The maximum number of entries. The entry that is dropped for a new one stays in the cells.
    static let maximum = 32

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// Adds a client that was placed in a branch. A client that returns to its period keeps its entry.
    ///
    /// - Parameter isOver: Whether all windows of an exposed entry are closed.
    mutating func enroll(_ branch: EnrolledBranch, period: Int, isOver: (GoalEntry) -> Bool) {
        let entry = GoalEntry(slug: branch.slug, period: period, branch: branch.branch)
        if let index = entries.lastIndex(where: { $0.slug == entry.slug && $0.period == period }) {
            if entries[index].exposedAt == nil { entries[index] = entry }
            return
        }
        if entries.count >= Self.maximum { entries.remove(at: dropped(isOver)) }
        entries.append(entry)
    }

    /// The entry that makes room: the oldest whose windows are closed, otherwise the oldest.
    private func dropped(_ isOver: (GoalEntry) -> Bool) -> Int {
        func oldest(_ indices: [Int]) -> Int? {
            indices.min { (entries[$0].exposedAt ?? .distantFuture) < (entries[$1].exposedAt ?? .distantFuture) }
        }
        return oldest(entries.indices.filter { isOver(entries[$0]) }) ?? oldest(Array(entries.indices)) ?? 0
    }

    /// Forgets a client that is no longer where it was placed, if it was not exposed there.
    mutating func unplace(_ slug: Identifier) { entries.removeAll { $0.slug == slug && $0.exposedAt == nil } }

    /// The newest entry of a recipe that waits for its exposure. Once a client is exposed, later exposures change
    /// nothing.
    func waiting(_ branch: EnrolledBranch) -> Int? {
        guard let index = entries.lastIndex(where: { $0.slug == branch.slug }),
            entries[index].exposedAt == nil, entries[index].branch == branch.branch
        else { return nil }
        return index
    }

    mutating func change(_ index: Int, _ change: (inout GoalEntry) -> Void) { change(&entries[index]) }
}

/// A client in one period of a recipe.
public struct GoalEntry: Sendable, Hashable {
    public let slug: Identifier
    public let period: Int
    public let branch: Identifier
    /// The time of the exposure; nil before it.
    public internal(set) var exposedAt: Timestamp?
    /// One for each goal of the period, in its order; empty before the exposure.
    public internal(set) var values: [GoalValue] = []

    init(slug: Identifier, period: Int, branch: Identifier) {
        (self.slug, self.period, self.branch) = (slug, period, branch)
    }
}

/// The part of one client in a goal.
public struct GoalValue: Sendable, Hashable {
    /// The covariate: the events before the exposure. It never changes.
    public let x: Int64
    /// The outcome; of a property in thousandths.
    public internal(set) var y: Int64

    public init(x: Int64, y: Int64 = 0) { (self.x, self.y) = (x, y) }
}

extension GoalMemory {
    func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(entries.count))
        for entry in entries {
            writer.name(entry.slug)
            writer.unsigned(UInt64(entry.period))
            writer.name(entry.branch)
            writer.unsigned(entry.exposedAt == nil ? 0 : UInt64(entry.values.count) + 1)
            guard let time = entry.exposedAt else { continue }
            writer.signed(time.milliseconds)
            for value in entry.values {
                writer.signed(value.x)
                writer.signed(value.y)
            }
        }
    }

    init?(from reader: inout PackedReader) {
        guard let count = reader.count() else { return nil }
        for _ in 0..<count {
            guard let slug = reader.name(), let period = reader.unsigned().flatMap({ Int(exactly: $0) }),
                let branch = reader.name(), let exposure = reader.count()
            else { return nil }
            var entry = GoalEntry(slug: slug, period: period, branch: branch)
            if exposure > 0 {
                guard let time = reader.signed() else { return nil }
                entry.exposedAt = Timestamp(milliseconds: time)
                for _ in 1..<exposure {
                    guard let x = reader.signed(), let y = reader.signed() else { return nil }
                    entry.values.append(GoalValue(x: x, y: y))
                }
            }
            entries.append(entry)
        }
    }
}
