public import BellwetherBase
public import BellwetherJSON

/// The displays of one message to one client, and what the client did with it
/// (docs/reference/messaging.md#the-display-ledger).
public struct LedgerEntry: Sendable, Hashable {
    /// The message's key. State is kept by key alone: a key used again in a later recipe inherits its counts.
    public let message: Identifier
    public var displayCount: UInt32
    public var dismissals: UInt32
    /// The message was pressed in a way that ends it: any `clicked` except one that opens a microsurvey's sheet.
    public var isClicked: Bool
    /// Set when a display reached the cap, and never reset: raising the cap later does not revive the message.
    public var isExpired: Bool
    /// Whether a microsurvey's answer is stored; the client then had `confirmation_shown` too.
    public var isAnswered: Bool
    /// The times of the last display and of the last dismissal. They are stored for messages that present a recipe; an
    /// entry that an earlier version of the daemon wrote has none (docs/reference/rounds.md#askings).
    public var displayedAt: Timestamp?
    public var dismissedAt: Timestamp?

    public init(
        message: Identifier, displayCount: UInt32 = 0, dismissals: UInt32 = 0, isClicked: Bool = false,
        isExpired: Bool = false, isAnswered: Bool = false
    ) {
        self.message = message
        self.displayCount = displayCount
        self.dismissals = dismissals
        self.isClicked = isClicked
        self.isExpired = isExpired
        self.isAnswered = isAnswered
    }

    /// Whether the client pressed or dismissed the message. Such a message is not offered again, whatever its cap is.
    public var isInteracted: Bool { dismissals > 0 || isClicked }

    /// Whether displays have expired the message: `isExpired` is set, or the style's current cap is reached.
    public func isExpired(cap: Int) -> Bool { isExpired || Int(displayCount) >= cap }
}

/// One client's entries, by message key in byte order.
public struct DisplayLedger: Sendable, Hashable {
    public private(set) var entries: [LedgerEntry] = []

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// Creates a ledger from stored entries; nil unless their keys rise in byte order.
    init?(entries: [LedgerEntry]) {
        for (one, next) in zip(entries, entries.dropFirst()) where one.message >= next.message { return nil }
        self.entries = entries
    }

    /// The entry of a message; nil if the client has no entry for it.
    public func entry(of message: Identifier) -> LedgerEntry? {
        // A typical client has few entries, and a linear search is faster for them.
        guard entries.count > 8 else { return entries.first { $0.message == message } }
        let found = search(for: message)
        return found.isFound ? entries[found.index] : nil
    }

    /// The entry of a message; an entry of zeros for a message that was never seen.
    public subscript(message: Identifier) -> LedgerEntry {
        get { entry(of: message) ?? LedgerEntry(message: message) }
        set {
            let found = search(for: message)
            if found.isFound {
                entries[found.index] = newValue
            } else {
                entries.insert(newValue, at: found.index)
            }
        }
    }

    /// Merges another ledger: counts add, later times count, and flags that were set stay set.
    ///
    /// The counts of a message that presents a repeating recipe are those of the present asking.
    ///
    /// - Parameters:
    ///   - surveys: the merged answers of both.
    ///   - facts: the facts of a message; nil for a message that is not known.
    public mutating func merge(
        _ other: DisplayLedger, under surveys: SurveyStanding, _ catalog: Catalog, at now: Timestamp,
        facts: (Identifier) -> MessageFacts?
    ) {
        for theirs in other.entries {
            var (entry, theirs) = (self[theirs.message], theirs)
            if let asking = facts(theirs.message).flatMap({ PromptRule(of: $0, catalog.contents, surveys) }) {
                entry = asking.current(entry) { $0 <= now }.entry
                theirs = asking.current(theirs) { $0 <= now }.entry
            }
            entry.displayCount = UInt32(clamping: UInt64(entry.displayCount) + UInt64(theirs.displayCount))
            entry.dismissals = UInt32(clamping: UInt64(entry.dismissals) + UInt64(theirs.dismissals))
            entry.isClicked = entry.isClicked || theirs.isClicked
            entry.isExpired = entry.isExpired || theirs.isExpired
            entry.isAnswered = entry.isAnswered || theirs.isAnswered
            entry.displayedAt = [entry.displayedAt, theirs.displayedAt].compactMap(\.self).max()
            entry.dismissedAt = [entry.dismissedAt, theirs.dismissedAt].compactMap(\.self).max()
            self[theirs.message] = entry
        }
    }

    /// The index of a key, or the index at which it would be inserted.
    private func search(for message: Identifier) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].message < message {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low, low < entries.count && entries[low].message == message)
    }
}
