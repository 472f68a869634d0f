internal import BellwetherJSON
internal import BellwetherService

/// Results for a principal without the right to read responses (docs/reference/surveys.md#results). Each count from 1
/// to below a minimum is withheld, as in results of messages, and no text of a respondent is shown. If a total is that
/// small, all its counts are withheld, including zeros: the only nonzero count would reveal the answer.
struct WithheldCounts {
    let minimum: Int64

    private static let counts: Set<String> = [
        "count", "total_responses", "submitted_count", "imported", "total_answered", "answered", "stopped", "started",
        "submitted", "promoters", "passives", "detractors", "total_runs", "active", "completed", "dismissed", "runs",
        "viewed", "skipped", "back", "completed_runs", "skipped_runs", "back_runs", "taken",
    ]
    /// Values that would reveal single answers if the runs are few.
    private static let derived: Set<String> = [
        "average", "score", "median", "p90", "mean_ms", "conversion", "seconds", "recent_answers", "last_at",
    ]
    /// Lists whose elements are given values. An element with a withheld count would reveal that the value was given.
    private static let given: Set<String> = [
        "distribution", "units", "amounts", "rows", "next", "other_revisions", "groups",
    ]
    /// Lists of the counted subjects, which reveal nothing about few responses.
    private static let ofCounted: Set<String> = ["days", "branches"]

    /// The sums over given values. A sum with a withheld part is omitted.
    private static let sums = ["count", "runs", "total_answered", "total_responses", "total_runs"]
    /// The totals to which the other counts of an object belong.
    private static let totals = ["total_responses", "total_runs", "total_answered", "runs", "started"]

    /// Nil if the principal may read responses, so that no count is withheld.
    init?(for call: some RoutedRequest) {
        if call.settings.isOpen || call.principal?.can(.respond) ?? true { return nil }
        minimum = Int64(call.settings.minimumCell)
    }

    func applied(to results: JSONObject) -> JSONObject { shown(results, isOfFew: false) }

    private func isWithheld(_ value: JSONValue?) -> Bool { value?.integer.map { $0 > 0 && $0 < minimum } ?? false }

    /// - Parameter isOfFew: Whether all counts of the object belong to few responses.
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

    /// Removes options that are only known from the answers of few respondents.
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

    /// Removes the values that few respondents gave, at all depths.
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
