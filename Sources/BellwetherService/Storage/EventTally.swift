public import BellwetherCore

/// The outcomes of one request's events (docs/reference/events.md#events).
public struct EventTally: Sendable, Hashable {
    public var accepted = 0
    public var duplicates = 0
    /// The rejections, in the order of the request.
    public var rejected: [EventRejection] = []
    /// The members that nothing reads, and the properties that do not count, of the first events that have any.
    public var warnings: [EventWarning] = []

    /// The maximum number of warnings in a response.
    public static let maximumWarnings = 20

    public init() {}

    /// Adds another tally. It inserts each rejection at its position, because a request has thousands of shares, and
    /// most have none.
    public mutating func add(_ other: EventTally) {
        accepted += other.accepted
        duplicates += other.duplicates
        for rejection in other.rejected {
            var position = rejected.endIndex
            if let last = rejected.last, last.index > rejection.index {
                position = rejected.firstPosition { $0.index > rejection.index }
            }
            rejected.insert(rejection, at: position)
        }
    }
}

extension [EventRejection] {
    /// The first position whose element satisfies a condition that all after it satisfy too; found by binary search.
    fileprivate func firstPosition(where isBehind: (EventRejection) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The outcome of an answer (docs/reference/http-api.md#microsurvey-answers).
public enum ResponseOutcome: Sendable, Hashable {
    case stored(SurveyResponse)
    /// The request is a repetition; this is the first answer.
    case repeated(SurveyResponse)
    /// The client answered this survey before.
    case alreadyResponded
    /// The displays of the client do not match the answer.
    case refused(SubmitResponse.Refusal)
}
