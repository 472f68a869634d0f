internal import BellwetherBase
internal import BellwetherJSON

/// Results of a questionnaire or survey as CSV (RFC 4180): one number on each line, so every spreadsheet can filter and
/// pivot the table (docs/reference/surveys.md#results).
///
/// `group` is empty, or an experiment and its branch. For a breakdown it is the kind of breakdown, `=`, and a value.
/// `measure` is `responses`, `submitted`, `answers`, `option`, `value`, `average`, `score`, `interval_low`,
/// `interval_high`, `promoters`, `passives`, `detractors`, `moved`, `median`, `unit`, `row`, `amount`, `other_option`,
/// `retired`, `answered`, `stopped`, `started`, `quota`, `quota_limit`, `response_limit`, `seconds_median` or
/// `seconds_p90`; `other_` stands before those of answers that were given on another scale. For a flow it is `runs`,
/// `active`, `completed`, `dismissed` or `outcome`, and for its steps also their counts, `conversion`, `next` or
/// `mean_ms`. The table has no texts that respondents wrote: the export of responses has them.
struct SurveyResultsTable {
    private(set) var bytes: [UInt8] = []

    private static let columns = ["group", "question", "type", "measure", "option", "text", "count", "value"]

    init(_ results: JSONObject) {
        CSV.write(Self.columns.map { .literal($0) }, to: &bytes)
        write(results, group: nil)
        writeLevels(results)
        for branch in results["branches"]?.array ?? [] {
            guard let counts = branch.object else { continue }
            let names = ["experiment", "branch"].map { counts[$0]?.string ?? "" }
            write(counts, group: names.joined(separator: "/"))
        }
        let breakdown = results["by"]?.object
        for group in breakdown?["groups"]?.array ?? [] {
            guard let counts = group.object else { continue }
            let value = counts["value"]
            let names = [breakdown?["attribute"]?.string ?? "", value?.string ?? value?.text ?? ""]
            write(counts, group: names.joined(separator: "="))
        }
        for entry in results["other_revisions"]?.array ?? [] { writeOther(entry) }
        for entry in results["drop_off"]?.array ?? [] {
            for measure in ["answered", "stopped"] {
                line(["question": .text(entry.object?["id"]?.string), "measure": .literal(measure)], entry, measure)
            }
        }
    }

    private mutating func write(_ counts: JSONObject, group: String?) {
        let columns: [String: CSV.Field] = ["group": .text(group)]
        let totals = [
            ("responses", "total_responses"), ("submitted", "submitted_count"), ("runs", "total_runs"),
            ("active", "active"), ("completed", "completed"), ("dismissed", "dismissed"),
        ]
        for (measure, key) in totals where counts[key] != nil {
            line(columns.merging(["measure": .literal(measure)]) { $1 }, .object(counts), key)
        }
        for outcome in counts["outcomes"]?.object ?? [:] {
            let own: [String: CSV.Field] = ["measure": .literal("outcome"), "option": .text(outcome.key)]
            line(columns.merging(own) { $1 }.merging(["count": Self.number(outcome.value)]) { $1 })
        }
        for question in counts["questions"]?.array ?? [] { write(question, columns) }
        for step in counts["steps"]?.array ?? [] { write(step: step, columns) }
    }

    /// Writes days, times and limits, over all runs.
    private mutating func writeLevels(_ results: JSONObject) {
        for day in results["days"]?.array ?? [] {
            for measure in ["started", "submitted"] {
                line(["measure": .literal("day_" + measure), "text": .text(day.object?["day"]?.string)], day, measure)
            }
        }
        for measure in ["median", "p90"] {
            guard let value = results["seconds"]?.object?[measure] else { continue }
            line(["measure": .literal("seconds_" + measure), "value": Self.number(value)])
        }
        func write(_ level: JSONValue, _ measure: String) {
            let name = CSV.Field.text(level.object?["name"]?.string)
            line(
                [
                    "measure": .literal(measure), "text": name, "value": Self.number(level.object?["limit"]),
                ], level, "taken")
        }
        for quota in results["quotas"]?.array ?? [] { write(quota, "quota") }
        if let limit = results["response_limit"], limit != .null { write(limit, "response_limit") }
    }

    /// Writes numbers, dates, times, units and rows of a question.
    private mutating func writeDistributions(
        _ members: JSONObject, _ own: [String: CSV.Field], prefix: String
    ) {
        func named(_ measure: String, _ more: [String: CSV.Field]) -> [String: CSV.Field] {
            own.merging(["measure": .literal(prefix + measure)]) { $1 }.merging(more) { $1 }
        }
        func write(_ distribution: JSONObject, _ measure: String, _ label: CSV.Field) {
            for bucket in distribution["buckets"]?.array ?? [] {
                let value = bucket.object?["value"]
                let field = value?.string.map { CSV.Field.text($0) } ?? Self.number(value)
                line(named(measure, ["option": label, "value": field]), bucket, "count")
            }
            guard let median = distribution["median"], median != .null else { return }
            line(named("median", ["option": label, "value": Self.number(median)]))
        }
        write(members["distribution"]?.object ?? [:], "value", .null)
        for amount in members["amounts"]?.array ?? [] {
            write(amount.object ?? [:], "amount", .text(amount.object?["label"]?.string))
        }
        for unit in members["units"]?.array ?? [] {
            line(named("unit", ["option": .text(unit.object?["labels"]?.string)]), unit, "count")
        }
        for row in members["rows"]?.array ?? [] {
            for choice in row.object?["choices"]?.array ?? [] {
                let texts: [String: CSV.Field] = [
                    "option": .text(choice.object?["id"]?.string), "text": .text(row.object?["id"]?.string),
                ]
                line(named("row", texts), choice, "count")
            }
        }
    }

    /// Writes a step of a flow.
    private mutating func write(step: JSONValue, _ columns: [String: CSV.Field]) {
        let names: [String: CSV.Field] = [
            "question": .text(step.object?["id"]?.string), "type": .literal("step"),
            "text": .text(step.object?["title"]?.string),
        ]
        let own = columns.merging(names) { $1 }
        let measures = [
            "runs", "viewed", "completed", "skipped", "back", "completed_runs", "skipped_runs", "back_runs",
            "dismissed", "stopped",
        ]
        for measure in measures { line(own.merging(["measure": .literal(measure)]) { $1 }, step, measure) }
        for measure in ["conversion", "mean_ms"] {
            guard let value = step.object?[measure], value != .null else { continue }
            line(own.merging(["measure": .literal(measure), "value": Self.number(value)]) { $1 })
        }
        for next in step.object?["next"]?.array ?? [] {
            let texts: [String: CSV.Field] = [
                "measure": .literal("next"), "option": .text(next.object?["id"]?.string),
            ]
            line(own.merging(texts) { $1 }, next, "runs")
        }
    }

    private mutating func write(_ question: JSONValue, _ columns: [String: CSV.Field]) {
        let members = question.object ?? [:]
        let own = columns.merging(
            ["question": .text(members["id"]?.string), "type": .text(members["type"]?.string)]
        ) { $1 }
        let title = members["title"]?.string ?? members["label"]?.string
        line(
            own.merging(["measure": .literal("answers"), "text": .text(title)]) { $1 }, question, "total_answered")
        writeCounts(members, own, prefix: "")
    }

    /// Writes the options, values, scores and distributions of a question.
    ///
    /// - Parameter prefix: the beginning of each measure's name.
    private mutating func writeCounts(_ members: JSONObject, _ own: [String: CSV.Field], prefix: String) {
        func named(_ measure: String, _ more: [String: CSV.Field] = [:]) -> [String: CSV.Field] {
            own.merging(["measure": .literal(prefix + measure)]) { $1 }.merging(more) { $1 }
        }
        for choice in members["choices"]?.array ?? [] {
            let texts: [String: CSV.Field] = [
                "option": .text(choice.object?["id"]?.string), "text": .text(choice.object?["label"]?.string),
            ]
            line(named("option", texts), choice, "count")
        }
        for bucket in members["buckets"]?.array ?? [] {
            line(named("value", ["value": Self.number(bucket.object?["value"])]), bucket, "count")
        }
        for measure in ["average", "score"] {
            guard let value = members[measure] else { continue }
            line(named(measure, ["value": Self.number(value), "count": Self.number(members["total_answered"])]))
        }
        for end in ["low", "high"] {
            guard let value = members["interval"]?.object?[end] else { continue }
            line(named("interval_" + end, ["value": Self.number(value)]))
        }
        for measure in ["promoters", "passives", "detractors"] where members[measure] != nil {
            line(named(measure), .object(members), measure)
        }
        for move in members["moved"]?.array ?? [] {
            let ends = ["from", "to"].map { move.object?[$0].map { $0.string ?? $0.text } ?? "" }
            line(named("moved", ["option": .text(ends.joined(separator: ">"))]), move, "count")
        }
        writeDistributions(members, own, prefix: prefix)
    }

    /// Writes answers to questions and options that the live revision does not have, or that it asks on another scale.
    /// Steps of a flow are left out.
    private mutating func writeOther(_ entry: JSONValue) {
        let members = entry.object ?? [:]
        let type = ["type", "scale"].compactMap { members[$0].map { $0.string ?? $0.text } }.joined(separator: " ")
        var own: [String: CSV.Field] = ["question": .text(members["id"]?.string)]
        if members["total_answered"] != nil {
            own["type"] = .text(type)
            line(own.merging(["measure": .literal("retired")]) { $1 }, entry, "total_answered")
        }
        writeCounts(members, own, prefix: "other_")
    }

    /// `count` is the name of the member with the count.
    private mutating func line(_ fields: [String: CSV.Field], _ object: JSONValue, _ count: String) {
        line(fields.merging(["count": Self.number(object.object?[count])]) { $1 })
    }

    private mutating func line(_ fields: [String: CSV.Field]) {
        CSV.write(Self.columns.map { fields[$0] ?? .null }, to: &bytes)
    }

    private static func number(_ value: JSONValue?) -> CSV.Field {
        value == nil || value == .null ? .null : .literal(value?.text)
    }
}
