public import BellwetherJSON

/// Counts of results by group and key. They are added and subtracted; a count that comes to 0 is not kept.
///
/// The counts of a run are those that it adds to the results of its recipe, the counts of a row of the store are the
/// sum over its runs (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
public struct ResultCounts: Sendable, Hashable {
    public private(set) var groups: [String: [String: Int64]] = [:]

    public init() {}

    public var isEmpty: Bool { groups.isEmpty }

    public subscript(group: String, key: String) -> Int64 { groups[group]?[key] ?? 0 }

    /// The keys of a group with their counts.
    public subscript(group: String) -> [String: Int64] { groups[group] ?? [:] }

    public mutating func add(_ amount: Int64, _ group: String, _ key: String) {
        let sum = self[group, key] &+ amount
        groups[group, default: [:]][key] = sum == 0 ? nil : sum
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    mutating func add(_ group: String, _ key: String) { add(1, group, key) }

    /// - Parameter factor: -1 takes the counts away.
    public mutating func add(_ other: ResultCounts, times factor: Int64 = 1) {
        for (group, counts) in other.groups {
            for (key, count) in counts { add(count &* factor, group, key) }
        }
    }
}

/// The stored form of counts: one JSON object, in the order of bytes.
extension ResultCounts {
    public var json: JSONObject {
        JSONObject(
            groups.sorted { $0.key.precedes($1.key) }.map { group, counts in
                let members = counts.sorted { $0.key.precedes($1.key) }.map { ($0.key, JSONValue.integer($0.value)) }
                return (group, .object(JSONObject(members)))
            })
    }

    /// Values that are no counts are left out: results are no reason to refuse a save.
    public init(_ json: JSONObject) {
        for (group, counts) in json {
            for (key, count) in counts.object ?? [:] { if let count = count.integer { add(count, group, key) } }
        }
    }
}

/// The groups of `ResultCounts`.
public enum CountGroup {
    /// `runs`; of flows also statuses and, after `=`, reasons of outcomes.
    public static let totals = ""
    /// How long runs took until they were submitted, in seconds, by `ResultBin.seconds`.
    public static let seconds = "t"
    /// Drafts by the question at which they stand.
    public static let stopped = "p"

    /// Answers to a question, by their marks; of a flow's field by its pointer, `/step/field`.
    public static func question(_ id: String) -> String { "q" + id }

    /// A step of a flow.
    public static func step(_ id: String) -> String { "s" + id }

    /// Steps that runs came to next.
    public static func next(of step: String) -> String { "n" + step }
}
