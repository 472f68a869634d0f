internal import BellwetherBase
internal import BellwetherJSON

/// The rule by which one message asks a person for the answer to a repeating recipe
/// (docs/reference/rounds.md#askings).
///
/// An asking is what was displayed and dismissed since it began. It ends at its dismissal, at the display that uses up
/// its limit, or with an answer. After the wait a new one begins, with no displays and no dismissal.
struct PromptRule {
    /// The wait after an asking without an answer, in milliseconds.
    let wait: Int64
    /// The displays that use the asking up; nil: any number may follow.
    let limit: Int?
    /// The time of the person's last answer; nil if there is none, or if it was deleted.
    let answeredAt: Timestamp?

    /// The rule of a message; nil for one that presents no repeating recipe.
    init?(of message: MessageFacts, _ contents: [Identifier: PresentedContent], _ surveys: SurveyStanding) {
        guard let slug = message.presents, let rule = contents[slug]?.repeats else { return nil }
        wait = rule.unansweredWait
        limit = message.pacing?.displayLimit ?? message.cap
        answeredAt = surveys.submission(of: slug)?.waitsSince
    }

    /// The part of an entry that counts at a time: nothing of an asking that is over.
    func current(_ entry: LedgerEntry, hasReached: (Timestamp) -> Bool) -> (entry: LedgerEntry, until: Timestamp?) {
        sinceBeginning(of: unanswered(entry), hasReached)
    }

    /// The entry before a display or a dismissal of this time. Nil if the event counts for nothing, because it is
    /// older than an answer and the entry's asking is newer.
    func entry(_ entry: LedgerEntry, before time: Timestamp, isDisplay: Bool) -> LedgerEntry? {
        guard let answeredAt, time <= answeredAt else { return current(entry) { $0 <= time }.entry }
        let last = isDisplay ? entry.displayedAt : entry.dismissedAt
        if let last, last > answeredAt { return nil }
        return sinceBeginning(of: entry) { $0 <= time }.entry
    }

    private func sinceBeginning(
        of entry: LedgerEntry, _ hasReached: (Timestamp) -> Bool
    ) -> (entry: LedgerEntry, until: Timestamp?) {
        guard let end = end(of: entry) else { return (entry, nil) }
        let until = end.adding(milliseconds: wait)
        guard wait == 0 || hasReached(until) else { return (entry, until) }
        return (LedgerEntry(message: entry.message, isAnswered: entry.isAnswered), nil)
    }

    /// An entry without displays and dismissals that are not later than the last answer. A press ends no asking.
    private func unanswered(_ entry: LedgerEntry) -> LedgerEntry {
        var entry = entry
        entry.isClicked = false
        guard let answeredAt else { return entry }
        if entry.displayedAt.map({ $0 <= answeredAt }) ?? true {
            (entry.displayCount, entry.isExpired, entry.displayedAt) = (0, false, nil)
        }
        if entry.dismissedAt.map({ $0 <= answeredAt }) ?? true { (entry.dismissals, entry.dismissedAt) = (0, nil) }
        return entry
    }

    /// The time at which the asking ended; nil if it goes on. Times that an earlier version of the daemon did not store
    /// are long ago.
    private func end(of entry: LedgerEntry) -> Timestamp? {
        let isUsedUp = entry.isExpired || limit.map { Int(entry.displayCount) >= $0 } ?? false
        let past = Timestamp(milliseconds: 0)
        let ends = [
            entry.dismissals > 0 ? entry.dismissedAt ?? past : nil, isUsedUp ? entry.displayedAt ?? past : nil,
        ]
        return ends.compactMap(\.self).max()
    }
}
