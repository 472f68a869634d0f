public import BellwetherJSON

/// The member `repeat` of a recipe: when the same person may answer it again (docs/reference/rounds.md#the-member).
public struct RepeatRule: Sendable, Hashable {
    /// The wait after an answer, in milliseconds; 0: none.
    public let wait: Int64
    /// The wait after an asking that ended without an answer, in milliseconds; 0: none.
    public let unansweredWait: Int64
    /// The maximum number of answers of one person.
    public let rounds: Int

    public static let maximumRounds = 1_000
    private static let days = 0.0...3_650.0
    private static let millisecondsPerDay = Double(Timestamp.secondsPerDay) * 1_000

    /// Reads the member; nil if it has a fault.
    public init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["days", "unanswered_days", "rounds"])
        let wait = reader.required("days").flatMap(Self.wait)
        let unanswered = reader.optional("unanswered_days").map(Self.wait) ?? wait
        let rounds = reader.optional("rounds").map { $0.integer(in: 1...Int64(Self.maximumRounds)) } ?? 1_000
        guard let wait, let unanswered, let rounds else { return nil }
        (self.wait, unansweredWait, self.rounds) = (wait, unanswered, Int(rounds))
    }

    private static func wait(_ reader: JSONReader) -> Int64? {
        guard let value = reader.number() else { return nil }
        guard days.contains(value) else {
            reader.finding("range", "a wait is from 0 to \(Int(days.upperBound)) days")
            return nil
        }
        return Int64((value * millisecondsPerDay).rounded())
    }
}

/// Whether a person may answer a recipe now (docs/reference/rounds.md#rounds).
public enum RoundState: Sendable, Hashable {
    /// The person may answer this round.
    case open(round: Int)
    /// The person has answered, and the next round is not open.
    case answered(AnsweredRound)
}

/// The round that was answered last.
public struct AnsweredRound: Sendable, Hashable {
    /// The number; nil if the answer has no respondent.
    public let number: Int?
    /// The time at which the next round opens, even if it has passed; nil if none will.
    public let until: Timestamp?

    public init(number: Int?, until: Timestamp?) { (self.number, self.until) = (number, until) }
}
