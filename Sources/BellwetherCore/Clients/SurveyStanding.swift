public import BellwetherBase
public import BellwetherJSON

/// The answers and dismissals of one respondent in questionnaires, surveys and flows, as polls need them
/// (docs/reference/surveys.md#respondents).
public struct SurveyStanding: Sendable, Hashable {
    /// The time at which the respondent opted out of all questionnaires and surveys; nil: never.
    public var dismissedAt: Timestamp?
    /// The answers to each recipe, by slug in byte order.
    public private(set) var submissions: [Submission] = []

    /// A person's answers to one recipe (docs/reference/rounds.md#rounds).
    public struct Submission: Sendable, Hashable {
        public let slug: Identifier
        /// The time of the last answer.
        public fileprivate(set) var at: Timestamp
        /// The number of rounds that were answered.
        public fileprivate(set) var rounds = 1
        /// The highest round of the answers that are the person's own; 0: none. Answers of a client whose user had
        /// answers already are counted in `rounds` only.
        fileprivate(set) var newest = 1
        /// Whether the newest answer was deleted, so that the next round waits for nothing.
        fileprivate(set) var isFree = false

        /// The time of the answer that ends askings, and after which the next round waits; nil if there is no wait.
        var waitsSince: Timestamp? { isFree ? nil : at }

        /// The round that was answered last, and the time at which the next one opens.
        public func last(_ rule: RepeatRule?) -> AnsweredRound {
            guard let rule, rounds < rule.rounds else { return AnsweredRound(number: rounds, until: nil) }
            return AnsweredRound(number: rounds, until: waitsSince?.adding(milliseconds: rule.wait))
        }

        fileprivate var isOfOneAnswer: Bool { rounds == 1 && newest == 1 && !isFree }
    }

    public init() {}

    public var isEmpty: Bool { dismissedAt == nil && submissions.isEmpty }

    /// The person's answers to a recipe; nil if there are none.
    public func submission(of slug: Identifier) -> Submission? { submissions.first { $0.slug == slug } }

    /// Whether the person has answers to a recipe that are the person's own.
    public func hasAnswers(of slug: Identifier) -> Bool { (submission(of: slug)?.newest ?? 0) > 0 }

    /// The number of rounds of a recipe that were answered.
    public func rounds(of slug: Identifier) -> Int { submission(of: slug)?.rounds ?? 0 }

    /// Notes an answer.
    ///
    /// - Parameter repeats: Whether the recipe has `repeat`. Otherwise only the first answer counts.
    /// - Returns: the round of the answer.
    @discardableResult
    public mutating func submit(_ slug: Identifier, at time: Timestamp, repeats: Bool = false) -> Int {
        guard let index = index(of: slug) else {
            insert(Submission(slug: slug, at: time))
            return 1
        }
        var submission = submissions[index]
        guard repeats else { return submission.rounds }
        submission.at = max(submission.waitsSince ?? time, time)
        submission.rounds += 1
        (submission.newest, submission.isFree) = (submission.rounds, false)
        submissions[index] = submission
        return submission.rounds
    }

    /// Replaces the answers to a recipe by supposed ones.
    public mutating func suppose(_ slug: Identifier, rounds: Int, at time: Timestamp) {
        submissions.removeAll { $0.slug == slug }
        guard rounds > 0 else { return }
        var submission = Submission(slug: slug, at: time)
        (submission.rounds, submission.newest) = (rounds, rounds)
        insert(submission)
    }

    /// Merges the standing of another respondent: the later dismissal, and all answers. Numbers of answers add, and the
    /// later time counts.
    public mutating func merge(_ other: SurveyStanding) {
        dismissedAt = [dismissedAt, other.dismissedAt].compactMap(\.self).max()
        for theirs in other.submissions {
            guard let index = index(of: theirs.slug) else {
                insert(theirs)
                continue
            }
            var own = submissions[index]
            let since = [own.waitsSince, theirs.waitsSince].compactMap(\.self).max()
            (own.at, own.isFree) = (since ?? max(own.at, theirs.at), since == nil)
            own.rounds += theirs.rounds
            if own.newest == 0 { own.newest = theirs.newest }
            submissions[index] = own
        }
    }

    /// Notes that the person's answer of a round was deleted. After the newest one the same round opens at once; an
    /// earlier one changes nothing.
    public mutating func withdraw(_ slug: Identifier, round: Int) {
        guard let index = index(of: slug), submissions[index].newest == round else { return }
        var submission = submissions[index]
        submission.rounds -= 1
        (submission.newest, submission.isFree) = (round - 1, true)
        if submission.rounds == 0 { submissions.remove(at: index) } else { submissions[index] = submission }
    }

    private func index(of slug: Identifier) -> Int? { submissions.firstIndex { $0.slug == slug } }

    private mutating func insert(_ submission: Submission) {
        let index = submissions.firstIndex { submission.slug < $0.slug } ?? submissions.endIndex
        submissions.insert(submission, at: index)
    }
}

extension SurveyStanding {
    /// Whether the person may answer the recipe now.
    ///
    /// - Parameter hasReached: whether a time has come.
    public func state(
        of slug: Identifier, _ rule: RepeatRule?, hasReached: (Timestamp) -> Bool
    ) -> RoundState {
        guard let submission = submission(of: slug) else { return .open(round: 1) }
        let last = submission.last(rule)
        guard let rule, submission.rounds < rule.rounds else { return .answered(last) }
        guard rule.wait > 0, let until = last.until, !hasReached(until) else {
            return .open(round: submission.rounds + 1)
        }
        return .answered(last)
    }
}

extension SurveyStanding {
    func encode(into writer: inout PackedWriter) {
        writer.signed(dismissedAt?.milliseconds ?? 0)
        writer.unsigned(UInt64(submissions.count))
        for submission in submissions {
            writer.name(submission.slug)
            writer.signed(submission.at.milliseconds)
        }
    }

    init?(from reader: inout PackedReader) {
        guard let dismissed = reader.signed(), let count = reader.count() else { return nil }
        if dismissed != 0 { dismissedAt = Timestamp(milliseconds: dismissed) }
        for _ in 0..<count {
            guard let slug = reader.name(), let time = reader.signed() else { return nil }
            submit(slug, at: Timestamp(milliseconds: time))
        }
        guard submissions.count == count else { return nil }
    }

    /// Whether a recipe was answered in more than one round. Only then the section of rounds is written, because
    /// earlier versions of the daemon wrote none.
    var hasRounds: Bool { !submissions.allSatisfy(\.isOfOneAnswer) }

    func encodeRounds(into writer: inout PackedWriter) {
        let repeated = submissions.filter { !$0.isOfOneAnswer }
        writer.unsigned(UInt64(repeated.count))
        for submission in repeated {
            writer.name(submission.slug)
            writer.unsigned(UInt64(submission.rounds))
            writer.unsigned(UInt64(submission.newest))
            writer.unsigned(submission.isFree ? 1 : 0)
        }
    }

    /// Reads the section of rounds into the submissions that were read before. Returns false for bytes that no version
    /// of the daemon has written.
    mutating func decodeRounds(from reader: inout PackedReader) -> Bool {
        guard let count = reader.count() else { return false }
        for _ in 0..<count {
            guard let slug = reader.name(), let rounds = reader.unsigned(), let newest = reader.unsigned(),
                let isFree = reader.unsigned(), isFree <= 1, newest <= rounds, (1...UInt64(Int32.max)).contains(rounds)
            else { return false }
            // An earlier version of the daemon removes the submission and keeps the section.
            guard let index = index(of: slug) else { continue }
            submissions[index].rounds = Int(rounds)
            (submissions[index].newest, submissions[index].isFree) = (Int(newest), isFree == 1)
        }
        return true
    }
}
