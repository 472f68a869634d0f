internal import BellwetherJSON

/// Results for a principal without the right to read responses: counts from 1 to below a minimum are withheld, each by
/// itself, as those of messages are, and nothing that a respondent wrote is in them
/// (docs/reference/surveys.md#results).
struct WithheldCounts {
    let minimum: Int64

    private static let counts: Set<String> = [
        "count", "total_responses", "submitted_count", "imported", "total_answered", "answered", "stopped", "started",
        "submitted", "promoters", "passives", "detractors", "total_runs", "active", "completed", "dismissed", "runs",
        "viewed", "skipped", "back", "completed_runs", "skipped_runs", "back_runs", "taken",
    ]
    /// These would reveal single answers where the runs are few.
    private static let derived: Set<String> = [
        "average", "score", "median", "p90", "mean_ms", "conversion", "seconds", "recent_answers",
    ]
    /// Lists whose elements are values that were given: one with a withheld count would reveal that the value was
    /// given.
    private static let given: Set<String> = [
        "distribution", "units", "amounts", "rows", "next", "other_revisions", "groups",
    ]

    /// The sums over values that were given: a sum with a withheld part is left out.
    private static let sums = ["count", "runs", "total_answered", "total_responses", "total_runs"]

    func applied(to results: JSONObject) -> JSONObject { shown(results) }

    private func isWithheld(_ value: JSONValue?) -> Bool { value?.integer.map { $0 > 0 && $0 < minimum } ?? false }

    private func shown(_ object: JSONObject) -> JSONObject {
        let sums = ["total_answered", "submitted_count", "total_runs", "runs"].compactMap { object[$0]?.integer }
        let isSmall = sums.contains { $0 < minimum }
        var (shown, isAnyWithheld): (JSONObject, Bool) = ([:], false)
        for (key, value) in object {
            if key == "recent_answers" { continue }
            if Self.derived.contains(key), isSmall {
                shown[key] = .null
            } else if Self.counts.contains(key), isWithheld(value) {
                (shown[key], isAnyWithheld) = (.null, true)
            } else if key == "outcomes" {
                shown[key] = .object(JSONObject(value.object?.map { ($0, isWithheld($1) ? .null : $1) } ?? []))
            } else if Self.given.contains(key) {
                shown[key] = given(value)
            } else {
                shown[key] = nested(value)
            }
        }
        if isAnyWithheld { shown["withheld"] = true }
        return shown
    }

    private func nested(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(shown(object))
        case .array(let values): .array(values.map(nested))
        default: value
        }
    }

    /// Without what few gave, at all depths.
    private func given(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            let isSmall = (object["buckets"]?.array ?? []).contains { isWithheld($0.object?["count"]) }
            return .object(
                JSONObject(
                    shown(object).map { key, value in
                        if key == "median", isSmall { return (key, .null) }
                        return (key, ["buckets", "choices"].contains(key) ? given(object[key] ?? .null) : value)
                    }))
        case .array(let values):
            let large = values.filter { entry in
                !Self.sums.contains { isWithheld(entry.object?[$0]) }
            }
            return .array(large.map(given))
        default: return value
        }
    }
}
