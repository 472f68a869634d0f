public import BellwetherBase
public import BellwetherJSON

/// An obstacle from pacing, or from the recipe that a message presents, with its values
/// (docs/reference/http-api.md#explain).
public enum PacingObstacle: Sendable, Hashable {
    /// The recipe that the message presents is a draft, paused or gone.
    case inactive(presents: String)
    case notStarted(until: Timestamp)
    case ended(since: Timestamp)
    /// The respondent opted out of questionnaires and surveys for ever.
    case optedOut(since: Timestamp)
    /// The round is nil for a recipe that does not repeat.
    case responded(since: Timestamp, AnsweredRound?)
    /// `until` is the time at which a new asking begins; nil for a recipe that does not repeat.
    case displayLimit(count: Int, limit: Int, until: Timestamp?)
    case cooldown(until: Timestamp)
    /// Another message was displayed recently. Without a time, the same response offers another message.
    case cooldownAny(until: Timestamp?)
    /// `until` is the time at which the cap is no longer reached; nil for a cap of one session.
    case cap(AppPacing.Cap, count: Int, until: Timestamp?)
    case quietHours(until: Timestamp)
    case quota(String, ReachedLimits.Level)
    case responseLimit(ReachedLimits.Level)
    /// The respondent's bucket is outside of the sample. If the bucket is nil, the respondent is not known,
    /// and the sample is empty.
    case sampledOut(Pacing.Sample, bucket: UInt32?)

    public var verdict: Verdict {
        switch self {
        case .inactive: .inactive
        case .notStarted: .notStarted
        case .ended: .ended
        case .optedOut: .optedOut
        case .responded: .alreadyResponded
        case .displayLimit: .displayLimit
        case .cooldown: .cooldown
        case .cooldownAny: .cooldownAny
        case .cap: .globalCap
        case .quietHours: .quietHours
        case .quota: .quotaFull
        case .responseLimit: .responseLimit
        case .sampledOut: .sampledOut
        }
    }

    /// The values that the gate read.
    public var values: JSONObject {
        switch self {
        case .inactive(let slug): ["presents": .string(slug)]
        case .notStarted(let time), .cooldown(let time), .quietHours(let time): ["until": .string(time.rfc3339)]
        case .cooldownAny(let time): ["until": time.map { .string($0.rfc3339) } ?? .null]
        case .ended(let time), .optedOut(let time), .responded(let time, nil): ["since": .string(time.rfc3339)]
        case .responded(let time, let round?):
            [
                "since": .string(time.rfc3339), "round": round.number.map { .integer(Int64($0)) } ?? .null,
                "until": round.until.map { .string($0.rfc3339) } ?? .null,
            ]
        case .displayLimit(let count, let limit, let time):
            Self.values(count, limit, until: time)
        case .cap(let cap, let count, let time): Self.values(cap, count, until: time)
        case .quota(let name, let level): Self.values(level, ["name": .string(name)])
        case .responseLimit(let level): Self.values(level)
        case .sampledOut(let sample, let bucket):
            [
                "count": .integer(Int64(sample.count)), "total": .integer(Int64(sample.total)),
                "bucket": bucket.map { .integer(Int64($0)) } ?? .null,
            ]
        }
    }

    private static func values(_ count: Int, _ limit: Int, until time: Timestamp? = nil) -> JSONObject {
        var values: JSONObject = ["count": .integer(Int64(count)), "limit": .integer(Int64(limit))]
        values["until"] = time.map { .string($0.rfc3339) }
        return values
    }

    private static func values(_ cap: AppPacing.Cap, _ count: Int, until time: Timestamp?) -> JSONObject {
        var values = values(count, cap.count)
        if let seconds = cap.seconds { values["seconds"] = .integer(seconds) } else { values["session"] = true }
        if !cap.tags.isEmpty { values["tags"] = .array(cap.tags.map(JSONValue.string)) }
        if let time { values["until"] = .string(time.rfc3339) }
        return values
    }

    private static func values(_ level: ReachedLimits.Level, _ own: JSONObject = [:]) -> JSONObject {
        var values = own
        values["taken"] = .integer(Int64(level.taken))
        values["limit"] = .integer(Int64(level.limit))
        return values
    }
}
