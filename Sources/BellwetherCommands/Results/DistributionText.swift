internal import BellwetherJSON

/// The distributions of numbers, dates, times, units and table rows of one question, as rows with counts
/// (docs/reference/surveys.md#distributions).
enum DistributionText {
    typealias Row = (text: String, count: Int?)

    /// The maximum number of bars. If there are more values, one bar stands for several consecutive values.
    private static let rowBound = 20

    static func rows(_ question: JSONObject) -> [Row] {
        var rows = buckets(question["distribution"])
        for unit in question["units"]?.array ?? [] {
            rows.append((unit.object?["labels"]?.string?.plain ?? "", CountText.number(unit.object?["count"])))
        }
        for row in question["rows"]?.array ?? [] {
            let name = (row.object?["title"] ?? row.object?["id"])?.string?.plain ?? ""
            for choice in (row.object?["choices"]?.array ?? []).compactMap(\.object) {
                rows.append(("\(name): \(choice["id"]?.string?.plain ?? "")", CountText.number(choice["count"])))
            }
        }
        for amount in question["amounts"]?.array ?? [] {
            let label = amount.object?["label"]?.string?.plain ?? ""
            rows += buckets(amount).map { ("\(label) \($0.text)", $0.count) }
        }
        return rows
    }

    /// A text such as `, median 34`.
    static func median(_ question: JSONObject) -> String {
        guard let median = question["distribution"]?.object?["median"], median.double != nil else { return "" }
        return ", median \(median.text)"
    }

    private static func buckets(_ distribution: JSONValue?) -> [Row] {
        let buckets = (distribution?.object?["buckets"]?.array ?? []).map { bucket -> Row in
            let value = bucket.object?["value"]
            return (value?.string ?? value?.text ?? "", CountText.number(bucket.object?["count"]))
        }
        guard buckets.count > rowBound else { return buckets }
        let size = (buckets.count + rowBound - 1) / rowBound
        return stride(from: 0, to: buckets.count, by: size).map { start in
            let part = buckets[start..<min(start + size, buckets.count)]
            let ends = [part.first?.text ?? "", part.last?.text ?? ""]
            return (
                ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to "),
                part.reduce(0) { sum, row in sum.flatMap { sum in row.count.map { sum + $0 } } }
            )
        }
    }
}

/// The text for the parts of results that runs of all kinds share, without their questions.
enum RunResultsText {
    static func lines(_ json: JSONObject) -> [String] {
        var lines: [String] = []
        let counts = CountText()
        if let seconds = json["seconds"]?.object, let median = seconds["median"]?.integer,
            let high = seconds["p90"]?.integer
        {
            lines.append("time to submit: median \(duration(median)), nine of ten within \(duration(high))")
        }
        if let limit = json["response_limit"]?.object { lines.append("responses taken: \(level(limit, counts))") }
        for quota in json["quotas"]?.array ?? [] {
            let members = quota.object ?? [:]
            lines.append("quota \(members["name"]?.string?.plain ?? ""): \(level(members, counts))")
        }
        if let minimum = json["minimum_cell"]?.integer, JSONValue.object(json).text.contains("\"withheld\":true") {
            lines.append("Counts from 1 to \(minimum - 1) are withheld.")
        }
        return lines
    }

    /// The name `EXPERIMENT/BRANCH`.
    static func name(ofBranch branch: JSONValue) -> String {
        ["experiment", "branch"].map { (branch.object?[$0]?.string ?? "").plain }.joined(separator: "/")
    }

    /// The groups of a breakdown, with names such as `plan=pro`. The value of a round is a number.
    static func groups(_ json: JSONObject) -> [(name: String, counts: JSONObject)] {
        let breakdown = json["by"]?.object ?? [:]
        return (breakdown["groups"]?.array ?? []).compactMap(\.object).map { group in
            let names = [breakdown["attribute"], group["value"]].map { ($0?.string ?? $0?.text ?? "").plain }
            return (names.joined(separator: "="), group)
        }
    }

    private static func level(_ level: JSONObject, _ counts: CountText) -> String {
        let taken = counts.text(level["taken"])
        return "\(taken) of \(Figure.count(Int(level["limit"]?.integer ?? 0)))"
    }

    private static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
