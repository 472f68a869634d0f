public import BellwetherJSON

/// Counts of results by group and key. They can be added and subtracted. A count of 0 is not stored.
///
/// The counts of a run are its contribution to the results of its recipe. The counts of a row of the store are the sum
/// over its runs (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
public struct ResultCounts: Sendable, Hashable {
    public private(set) var groups: [Identifier: [Identifier: Int64]] = [:]

    public init() {}

    public var isEmpty: Bool { groups.isEmpty }

    public subscript(group: Identifier, key: Identifier) -> Int64 { groups[group]?[key] ?? 0 }

    /// The keys of a group with their counts.
    public subscript(group: Identifier) -> [Identifier: Int64] { groups[group] ?? [:] }

    public mutating func add(_ amount: Int64, _ group: Identifier, _ key: Identifier) {
        let sum = self[group, key] &+ amount
        groups[group, default: [:]][key] = sum == 0 ? nil : sum
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    mutating func add(_ group: Identifier, _ key: Identifier) { add(1, group, key) }

    /// - Parameter factor: -1 subtracts the counts.
    public mutating func add(_ other: ResultCounts, times factor: Int64 = 1) {
        for (group, counts) in other.groups {
            for (key, count) in counts { add(count &* factor, group, key) }
        }
    }
}

/// The stored form of counts: one JSON object, in byte order of its keys.
extension ResultCounts {
    public var json: JSONObject {
        JSONObject(
            groups.sorted { $0.key < $1.key }.map { group, counts in
                let members = counts.sorted { $0.key < $1.key }.map { ($0.key.text, JSONValue.integer($0.value)) }
                return (group.text, .object(JSONObject(members)))
            })
    }

    /// Reads stored counts. Values that are no counts are left out, because results must not prevent a save.
    public init(_ json: JSONObject) {
        for (group, counts) in json {
            for (key, count) in counts.object ?? [:] {
                if let count = count.integer { add(count, Identifier(group), Identifier(key)) }
            }
        }
    }
}

/// The groups of `ResultCounts`.
public enum CountGroup {
    /// `runs`; for flows also statuses and, after `=`, reasons of outcomes.
    public static let totals: Identifier = ""
    /// The durations of runs until they were submitted, in seconds, by `ResultBin.seconds`.
    public static let seconds: Identifier = "t"
    /// The drafts, by the question at which they stopped.
    public static let stopped: Identifier = "p"

    /// The answers of a series, by their marks.
    public static func series(_ series: AnswerSeries) -> Identifier { Self.series(key: series.key) }

    /// - Parameter key: the key of marks as it is stored, also by an earlier version.
    static func series(key: Identifier) -> Identifier { "q\(key)" }

    /// The series of a group; nil for other groups.
    public static func series(of group: Identifier) -> AnswerSeries? {
        group.utf8.first == UInt8(ascii: "q") ? AnswerSeries(key: Identifier(String(group.text.dropFirst()))) : nil
    }

    /// The answers of a series by respondents who had answered it in the round before, by their `ValueMove`.
    public static func moves(_ series: AnswerSeries) -> Identifier { moves(key: series.key) }

    static func moves(key: Identifier) -> Identifier { "m\(key)" }

    /// The counts of a step of a flow.
    public static func step(_ id: Identifier) -> Identifier { "s\(id)" }

    /// The steps that runs entered next.
    public static func next(of step: Identifier) -> Identifier { "n\(step)" }
}
