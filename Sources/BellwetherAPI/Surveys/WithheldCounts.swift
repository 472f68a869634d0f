internal import BellwetherJSON
internal import BellwetherService

/// Results for a principal without the right to read responses (docs/reference/surveys.md#results). Each count from 1
/// to below a minimum is withheld, and with a single one a second one beside it, as in results of messages. No text of
/// a respondent is shown. If a total is that small, all its counts are withheld, including zeros: the only nonzero
/// count would reveal the answer.
struct WithheldCounts {
    let minimum: Int64
    private var series = WithheldSeries()

    private static let counts: Set<String> = [
        "count", "total_responses", "submitted_count", "imported", "total_answered", "answered", "stopped", "started",
        "submitted", "promoters", "passives", "detractors", "total_runs", "active", "completed", "dismissed", "runs",
        "viewed", "skipped", "back", "completed_runs", "skipped_runs", "back_runs", "taken",
    ]
    /// Values that would reveal single answers if the runs are few.
    private static let derived: Set<String> = [
        "average", "score", "interval", "median", "p90", "mean_ms", "conversion", "seconds", "recent_answers",
        "last_at",
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
        if call.mayDo(.respond) { return nil }
        minimum = Int64(call.settings.minimumCell)
    }

    func applied(to results: JSONObject) -> JSONObject {
        var counts = self
        counts.series = WithheldSeries(in: results, isWithheld: isWithheld) { second(of: $0) }
        var results = results
        if let others = results["other_revisions"]?.array {
            results["other_revisions"] = .array(
                others.enumerated().filter { !counts.series.others.contains($0.offset) }.map(\.element))
        }
        if let questions = results["questions"]?.array {
            results["questions"] = .array(questions.enumerated().map { counts.series.withholdingOption(of: $1, $0) })
        }
        return counts.shown(results, isOfFew: false)
    }

    private func isWithheld(_ value: JSONValue?) -> Bool { value?.integer.map { $0 > 0 && $0 < minimum } ?? false }

    /// - Parameter isOfFew: Whether all counts of the object belong to few responses.
    /// - Parameter second: The members that are withheld because another one is.
    private func shown(_ object: JSONObject, isOfFew: Bool, second: Set<String> = []) -> JSONObject {
        let isOfFew = isOfFew || Self.totals.contains { isWithheld(object[$0]) } || series.hides(object)
        let second = second.union(secondGroup(of: object))
        let sums = ["total_answered", "submitted_count", "total_runs", "runs"].compactMap { object[$0]?.integer }
        let isSmall = isOfFew || sums.contains { $0 < minimum }
        var (shown, isAnyWithheld): (JSONObject, Bool) = ([:], false)
        for (key, value) in object {
            if key == "recent_answers" { continue }
            if Self.derived.contains(key), isSmall {
                shown[key] = .null
            } else if Self.counts.contains(key), isOfFew || isWithheld(value) || second.contains(key) {
                (shown[key], isAnyWithheld) = (.null, true)
            } else if key == "outcomes" {
                let outcomes = isOfFew ? [:] : value.object ?? [:]
                shown[key] = .object(JSONObject(outcomes.map { ($0, isWithheld($1) ? .null : $1) }))
            } else if key == "moved" {
                // Other counts of the values stand beside it, so that one part could be found from the others.
                let isAnyFew = (value.array ?? []).contains { isWithheld($0.object?["count"]) }
                shown[key] = isOfFew || isAnyFew ? [] : value
            } else if isOfFew, Self.given.contains(key) || Self.ofCounted.contains(key) {
                if value.array != nil { shown[key] = [] }
            } else if Self.given.contains(key) {
                shown[key] = given(value)
            } else {
                let inner = nested(value, isOfFew: isOfFew)
                shown[key] = key == "choices" ? named(inner, value) : inner
            }
        }
        if isAnyWithheld { shown["withheld"] = true }
        return shown
    }

    /// Removes options that are only known from the answers of few respondents.
    private func named(_ shown: JSONValue, _ choices: JSONValue) -> JSONValue {
        .array(
            zip(shown.array ?? [], choices.array ?? []).filter { shown, choice in
                choice.object?["label"] != nil || choice.object?["count"] == shown.object?["count"]
            }.map(\.0))
    }

    private func nested(_ value: JSONValue, isOfFew: Bool) -> JSONValue {
        switch value {
        case .object(let object): return .object(shown(object, isOfFew: isOfFew))
        case .array(let values):
            let second = secondMembers(of: values)
            return .array(
                values.enumerated().map { index, value in
                    guard let object = value.object else { return nested(value, isOfFew: isOfFew) }
                    return .object(shown(object, isOfFew: isOfFew, second: second[index] ?? []))
                })
        default: return value
        }
    }

    /// The members of a list's elements that are withheld because one element's alone is: a single one would be found
    /// by subtraction.
    private func secondMembers(of values: [JSONValue]) -> [Int: Set<String>] {
        var second: [Int: Set<String>] = [:]
        for key in Self.counts {
            if let index = self.second(of: values.map { $0.object?[key]?.integer }) {
                second[index, default: []].insert(key)
            }
        }
        return second
    }

    /// The same of the three groups of a net promoter score.
    private func secondGroup(of object: JSONObject) -> Set<String> {
        let groups = ["promoters", "passives", "detractors"]
        return second(of: groups.map { object[$0]?.integer }).map { [groups[$0]] } ?? []
    }

    /// The index of the smallest other count, if exactly one is withheld. A count of zero is the last choice.
    private func second(of counts: [Int64?]) -> Int? {
        let known = counts.enumerated().compactMap { index, count in count.map { (index: index, count: $0) } }
        let others = known.filter { !isWithheld(.integer($0.count)) }
        guard known.count - others.count == 1 else { return nil }
        return (others.filter { $0.count > 0 }.min { $0.count < $1.count } ?? others.first)?.index
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
            let second = Set(Self.sums.compactMap { key in self.second(of: values.map { $0.object?[key]?.integer }) })
            let large = values.enumerated().filter { index, entry in
                !second.contains(index) && !Self.sums.contains { isWithheld(entry.object?[$0]) }
            }
            return .array(large.map { given($0.element) })
        default: return value
        }
    }
}

/// The counts that are withheld because of answers to an earlier form of a question: the counts of its series are one
/// sum, and so are those of its options and of the options that it had.
private struct WithheldSeries {
    /// The questions whose counts are withheld, because those of their only other series are.
    private var questions: Set<Identifier> = []
    /// The indices of the elements of `other_revisions` that are withheld with a question or with each other.
    private(set) var others: Set<Int> = []
    /// The indices of options whose counts are withheld, because that of the only other withheld option is of one that
    /// the question had; by the indices of the questions.
    private var options: [Int: Int] = [:]

    init() {}

    /// - Parameter second: The index of the count that is withheld with a single one.
    init(in results: JSONObject, isWithheld: (JSONValue?) -> Bool, second: ([Int64?]) -> Int?) {
        let entries = (results["other_revisions"]?.array ?? []).enumerated().map {
            (index: $0.offset, entry: $0.element.object ?? [:])
        }
        for (position, question) in (results["questions"]?.array ?? []).enumerated() {
            guard let question = question.object, let id = question["id"]?.identifier else { continue }
            let own = entries.filter { $0.entry["id"]?.identifier == id }
            let former = own.filter { $0.entry["total_answered"] != nil }
            let totals = [question["total_answered"]] + former.map { $0.entry["total_answered"] }
            if let index = second(totals.map { $0?.integer }) {
                if index == 0 { questions.insert(id) } else { others.insert(former[index - 1].index) }
            }
            let counts = { (entry: JSONObject) in (entry["choices"]?.array ?? []).map { $0.object?["count"] } }
            let few = own.filter { $0.entry["total_answered"] == nil }.flatMap { counts($0.entry) }.filter(isWithheld)
            if few.count == 1, let index = second((few + counts(question)).map { $0?.integer }) {
                options[position] = index - 1
            }
        }
    }

    /// A question without the count of an option that is withheld with one that the question had.
    func withholdingOption(of question: JSONValue, _ position: Int) -> JSONValue {
        guard let option = options[position], var shown = question.object, var choices = shown["choices"]?.array,
            var choice = choices[option].object
        else { return question }
        (choice["count"], choice["withheld"]) = (.null, true)
        choices[option] = .object(choice)
        shown["choices"] = .array(choices)
        return .object(shown)
    }

    /// Whether all counts of an object of the results are withheld.
    func hides(_ object: JSONObject) -> Bool {
        guard object["total_answered"] != nil || object["answered"] != nil else { return false }
        return object["id"]?.identifier.map(questions.contains) ?? false
    }
}
