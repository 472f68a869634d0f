internal import BellwetherJSON
internal import BellwetherService

/// Results for a principal without the right to read responses: counts from 1 to below a minimum are withheld, each by
/// itself, as those of messages are, and nothing that a respondent wrote is in them
/// (docs/reference/surveys.md#results). Of so few responses nothing is shown, no zero either: the one count that is
/// not 0 would be their answer.
struct WithheldCounts {
    let minimum: Int64

    private static let counts: Set<String> = [
        "count", "total_responses", "submitted_count", "imported", "total_answered", "answered", "stopped", "started",
        "submitted", "promoters", "passives", "detractors", "total_runs", "active", "completed", "dismissed", "runs",
        "viewed", "skipped", "back", "completed_runs", "skipped_runs", "back_runs", "taken",
    ]
    /// These would reveal single answers where the runs are few.
    private static let derived: Set<String> = [
        "average", "score", "median", "p90", "mean_ms", "conversion", "seconds", "recent_answers", "last_at",
    ]
    /// Lists whose elements are values that were given: one with a withheld count would reveal that the value was
    /// given.
    private static let given: Set<String> = [
        "distribution", "units", "amounts", "rows", "next", "other_revisions", "groups",
    ]
    /// Lists of what there is of the counted; they say nothing of few.
    private static let ofCounted: Set<String> = ["days", "branches"]

    /// The sums over values that were given: a sum with a withheld part is left out.
    private static let sums = ["count", "runs", "total_answered", "total_responses", "total_runs"]
    /// The number of responses that the other counts of an object are of.
    private static let totals = ["total_responses", "total_runs", "total_answered", "runs", "started"]

    /// Nil: whoever asks may read responses, and no count is withheld.
    init?(for call: Call) {
        if call.worker.settings.isOpen || call.principal?.can(.respond) ?? true { return nil }
        minimum = Int64(call.worker.settings.minimumCell)
    }

    func applied(to results: JSONObject) -> JSONObject { shown(results, isOfFew: false) }

    private func isWithheld(_ value: JSONValue?) -> Bool { value?.integer.map { $0 > 0 && $0 < minimum } ?? false }

    /// - Parameter isOfFew: all counts of the object are of few responses.
    private func shown(_ object: JSONObject, isOfFew: Bool) -> JSONObject {
        let isOfFew = isOfFew || Self.totals.contains { isWithheld(object[$0]) }
        let sums = ["total_answered", "submitted_count", "total_runs", "runs"].compactMap { object[$0]?.integer }
        let isSmall = isOfFew || sums.contains { $0 < minimum }
        var (shown, isAnyWithheld): (JSONObject, Bool) = ([:], false)
        for (key, value) in object {
            if key == "recent_answers" { continue }
            if Self.derived.contains(key), isSmall {
                shown[key] = .null
            } else if Self.counts.contains(key), isOfFew || isWithheld(value) {
                (shown[key], isAnyWithheld) = (.null, true)
            } else if key == "outcomes" {
                let outcomes = isOfFew ? [:] : value.object ?? [:]
                shown[key] = .object(JSONObject(outcomes.map { ($0, isWithheld($1) ? .null : $1) }))
            } else if isOfFew, Self.given.contains(key) || Self.ofCounted.contains(key) {
                if value.array != nil { shown[key] = [] }
            } else if Self.given.contains(key) {
                shown[key] = given(value)
            } else {
                shown[key] = nested(key == "choices" ? named(value, isOfFew) : value, isOfFew: isOfFew)
            }
        }
        if isAnyWithheld { shown["withheld"] = true }
        return shown
    }

    /// Without options that are known by the answers of few alone.
    private func named(_ choices: JSONValue, _ isOfFew: Bool) -> JSONValue {
        .array(
            (choices.array ?? []).filter { choice in
                choice.object?["label"] != nil || !isOfFew && !isWithheld(choice.object?["count"])
            })
    }

    private func nested(_ value: JSONValue, isOfFew: Bool) -> JSONValue {
        switch value {
        case .object(let object): .object(shown(object, isOfFew: isOfFew))
        case .array(let values): .array(values.map { nested($0, isOfFew: isOfFew) })
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
                    shown(object, isOfFew: false).map { key, value in
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
