internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

extension ResultsReport {
    var json: JSONValue {
        var members: JSONObject = [
            "recipe": .string(slug), "state": recipe.map { .string($0.state.rawValue) } ?? .null,
            "revision": recipe.map { .integer(Int64(($0.inForce ?? $0.document).revision)) } ?? .null,
            "reference_branch": reference.map { .string($0) } ?? .null, "minimum_cell": .integer(Int64(minimum)),
            "messages": .array(messages.map(\.json)), "goals": goals?.json ?? .null,
        ]
        members["enrollment"] = enrollment?.json
        return .object(members)
    }
}

extension EnrollmentReport {
    fileprivate var json: JSONValue {
        let branches = branches.map { branch -> JSONValue in
            var members: JSONObject = [
                "branch": .string(branch.slug), "ratio": branch.ratio.map { .integer($0) } ?? .null,
                "enrolled": .count(branch.clients),
            ]
            if branch.clients == nil { members["withheld"] = true }
            return .object(members)
        }
        return .object(coverage.json.merging(["branches": .array(branches)]))
    }
}

extension LogCoverage {
    fileprivate var json: JSONObject {
        var members: JSONObject = ["is_complete": .bool(self == .everything), "since": .null]
        if case .since(let time?) = self { members["since"] = .string(time.rfc3339) }
        return members
    }
}

extension MessageReport {
    fileprivate var json: JSONValue {
        let options = results.options
        func lines(_ lines: [AnswerLine], _ name: String) -> JSONValue {
            .array(lines.map { .object($0.group.json(name).merging($0.json(options))) })
        }
        return [
            "message": .string(results.message), "is_microsurvey": .bool(isMicrosurvey),
            "is_control": .bool(isControl), "options": .array(options.map(\.json)),
            "scale": results.total.scale.json, "is_complete": .bool(countsEveryAnswer),
            "all": .object(results.total.json(options)), "branches": lines(answersByBranch, "branch"),
            "locales": lines(results.locales, "locale"), "days": lines(results.days, "day"), "funnel": funnel,
        ]
    }

    private var funnel: JSONValue {
        var members = coverage.json
        members["all"] = .object(results.funnel.json(isControl: isControl))
        let shown = funnelByBranch.map { line -> JSONValue in
            var members = line.group.json("branch").merging(line.json(isControl: isControl))
            if isControl { members["is_control"] = true }
            return .object(members)
        }
        members["branches"] = .array(shown + controls.map(\.json))
        return .object(members)
    }
}

extension ResultOption {
    fileprivate var json: JSONValue {
        [
            "option": .string(id), "index": index.map { .integer(Int64($0)) } ?? .null, "text": .string(text),
            "value": value.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension ResultGroup {
    /// The subject of a line, under the member `name`. The line for all unlisted subjects also has `is_rest`.
    fileprivate func json(_ name: String) -> JSONObject {
        switch self {
        case .named(let own): JSONObject([(key: name, value: .string(own))])
        case .none: JSONObject([(key: name, value: .null)])
        case .rest: JSONObject([(key: name, value: .null), (key: "is_rest", value: true)])
        }
    }
}

extension AnswerScale? {
    fileprivate var json: JSONValue { map { .string($0.kind.rawValue) } ?? .null }
}

extension AnswerLine {
    fileprivate func json(_ all: [ResultOption]) -> JSONObject {
        var members = JSONObject()
        members["answers"] = .count(answers)
        if answers == nil { members["withheld"] = true }
        members["options"] = .array(
            options.enumerated().map { position, column in
                let option: JSONObject = ["option": .string(all[column].id), "count": .count(counts[position])]
                guard counts[position] != nil else { return .object(option.merging(["withheld": true])) }
                return .object(option.merging(shares[position]?.json ?? ["share": .null, "interval": .null]))
            })
        members["scale"] = scale.json
        members["mean"] = score.map { .object($0.mean.json.merging(["answers": .integer(Int64($0.answers))])) } ?? .null
        members["nps"] = score?.netPromoterScore.map { .object($0.json) } ?? .null
        members["difference"] = difference.map {
            .object($0.estimate.json.merging(["reference": .string($0.reference)]))
        }
        return members
    }
}

extension FunnelLine {
    /// - Parameter isControl: Whether the message is never displayed, so that it has no step but exposures.
    fileprivate func json(isControl: Bool) -> JSONObject {
        JSONObject(
            zip(FunnelStep.allCases, counts).map { step, count in
                (step.rawValue, isControl && step != .exposed ? FunnelTally.Count.impossible : count.json)
            })
    }
}

extension FunnelTally.Count {
    /// The count of a step that cannot be.
    fileprivate static let impossible: JSONValue = ["events": .null, "clients": .null]
}

extension FunnelTally.Count? {
    fileprivate var json: JSONValue {
        map { ["events": .integer(Int64($0.events)), "clients": .integer(Int64($0.clients))] }
            ?? ["events": .null, "clients": .null, "withheld": true]
    }
}

extension ControlLine {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["branch": .string(branch), "is_control": true, "control": .string(message)]
        for step in FunnelStep.allCases {
            members[step.rawValue] = step == .exposed ? exposed.json : FunnelTally.Count.impossible
        }
        return .object(members)
    }
}

extension ShareEstimate {
    /// `{share, interval}`, as fractions of 1.
    var json: JSONObject {
        ["share": .rounded(share), "interval": .array([.rounded(low), .rounded(high)])]
    }
}

extension ScaleScore.Estimate {
    fileprivate var json: JSONObject {
        [
            "value": .rounded(value),
            "interval": interval.map { .array([.rounded($0.lowerBound), .rounded($0.upperBound)]) } ?? .null,
        ]
    }
}

extension NetPromoterScore {
    fileprivate var json: JSONObject {
        score.json.merging([
            "promoters": .count(promoters), "passives": .count(passives), "detractors": .count(detractors),
        ])
    }
}

extension JSONValue {
    /// The number; null if it is withheld.
    static func count(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }

    /// The number, rounded to six decimal places. Further digits of an estimate have no meaning.
    static func rounded(_ number: Double) -> JSONValue { .number((number * 1_000_000).rounded() / 1_000_000) }
}

extension JSONObject {
    /// The members of this object, then the members of another.
    func merging(_ others: JSONObject) -> JSONObject {
        var merged = self
        for (key, value) in others { merged[key] = value }
        return merged
    }
}
