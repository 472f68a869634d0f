internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

extension ForecastRecipe.Response {
    func json(minimum: Int) -> JSONObject {
        var members = forecastMembers(minimum: minimum)
        if let segment { members["size"] = segment.json }
        return members
    }

    private func forecastMembers(minimum: Int) -> JSONObject {
        [
            "sample": [
                "contexts": .count(forecast.contexts),
                "since": forecast.contexts == nil ? .null : sample.since.map { .string($0.rfc3339) } ?? .null,
                "capacity": .integer(Int64(ClientSamples.capacity)),
            ],
            "clients": [
                "day": .count(sample.count(days: 1, minimum: minimum)),
                "week": .count(sample.count(days: 7, minimum: minimum)),
            ],
            "gate": (forecast.gate?.rawValue ?? forecast.closed?.rawValue).map(JSONValue.string) ?? .null,
            "bucket_share": .rounded(forecast.bucketShare),
            "targeted": forecast.targeted.json, "enrolled": forecast.enrolled.json, "eligible": forecast.eligible.json,
            "surfaces": .array(forecast.surfaces.map(\.json)), "messages": .array(forecast.messages.map(\.json)),
        ]
    }
}

extension ForecastShare? {
    /// Null if the sample has too few contexts.
    fileprivate var json: JSONValue { map { .object($0.members) } ?? .null }
}

extension ForecastShare {
    /// The members of a forecast. `low` and `high` differ by the clients for whom the attributes are not decisive. A
    /// withheld number is null.
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "low": low.map(JSONValue.rounded) ?? .null, "high": high.map(JSONValue.rounded) ?? .null,
            "interval": .array([.rounded(interval.low), .rounded(interval.high)]),
        ]
        if low == nil || high == nil { members["withheld"] = true }
        return members
    }
}

extension SegmentForecast {
    fileprivate var json: JSONValue {
        [
            "low": size?.low.map(JSONValue.rounded) ?? .null, "high": size?.high.map(JSONValue.rounded) ?? .null,
            "interval": size.map { ["low": .rounded($0.interval.low), "high": .rounded($0.interval.high)] } ?? .null,
            "sampled": .count(sampled),
            "closes": .array(
                closes.map { ["name": .string($0.name), "high": $0.high.map(JSONValue.rounded) ?? .null] }),
            "missing": .array(
                missing.map { ["name": .string($0.name), "share": $0.share.map(JSONValue.rounded) ?? .null] }),
        ]
    }
}

extension SurfaceForecast {
    fileprivate var json: JSONValue {
        [
            "surface": .string(surface), "eligible": eligible.json,
            "locales": .array(
                locales.map { line in
                    var members: JSONObject = [
                        "locale": line.locale.map(JSONValue.string) ?? .null,
                        "contexts": .count(line.contexts),
                        "eligible": line.eligible.json,
                    ]
                    if line.locale == nil { members["is_rest"] = true }
                    if line.contexts == nil { members["withheld"] = true }
                    return .object(members)
                }),
        ]
    }
}

extension MessageForecast {
    fileprivate var json: JSONValue {
        [
            "message": .string(key), "branch": .string(branch), "branch_share": .rounded(branchShare),
            "surface": .string(surface), "sample_share": .rounded(sampleShare), "is_control": .bool(isControl),
            "malformed": malformation.map { .string($0.sentence) } ?? .null, "eligible": eligible.json,
            "blocked_by": .array(obstacles.map(\.json)),
            "displaces": .array(displaces.map(\.json)), "outranked_by": .array(outrankedBy.map(\.json)),
        ]
    }
}

extension RivalForecast {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["message": .string(key)]
        for (name, value) in share.members { members[name] = value }
        return .object(members)
    }
}
