internal import BellwetherJSON
import Testing

@testable import BellwetherCore

/// The displays of each message to one client.
@Suite struct DisplayLedgerTests {
    @Test func unseenMessageHasZeros() {
        #expect(DisplayLedger()["m"] == LedgerEntry(message: "m"))
        #expect(!LedgerEntry(message: "m").isInteracted && !LedgerEntry(message: "m").isExpired(cap: 1))
    }

    @Test func entriesStandInByteOrder() {
        var ledger = DisplayLedger()
        let keys = ["m", "a", "\u{10000}", "\u{FFFD}", "B", "e\u{301}", "\u{E9}", "aa"]
        for (count, key) in keys.enumerated() { ledger[Identifier(key)].displayCount = UInt32(count) }
        for (count, key) in keys.enumerated() { #expect(ledger[Identifier(key)].displayCount == UInt32(count)) }
        #expect(ledger.entries.count == keys.count)
        #expect(
            ledger.entries.map { Array($0.message.text.utf8) }
                == keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func orderOfArrivalDoesNotMatter() {
        var one = DisplayLedger()
        var other = DisplayLedger()
        for key in ["a", "b", "c"] { one[Identifier(key)].dismissals = 1 }
        for key in ["c", "a", "b"] { other[Identifier(key)].dismissals = 1 }
        #expect(one == other)
    }

    /// The number of displays, whether the message is latched, the cap, and whether it is expired.
    @Test(arguments: [
        (0, false, 1, false), (1, false, 1, true), (2, false, 3, false), (2, false, 2, true), (2, false, 1, true),
        (1, true, 5, true), (0, true, 5, true), (0, false, 0, true), (0, false, -1, true), (0, false, Int.min, true),
        (UInt32.max, false, Int.max, false),
    ])
    func expiry(_ displays: UInt32, _ isLatched: Bool, _ cap: Int, _ isExpired: Bool) {
        let entry = LedgerEntry(message: "m", displayCount: displays, isExpired: isLatched)
        #expect(entry.isExpired(cap: cap) == isExpired)
    }

    @Test func storedEntriesMustRise() {
        func ledger(_ keys: String...) -> DisplayLedger? {
            DisplayLedger(entries: keys.map { LedgerEntry(message: Identifier($0)) })
        }
        #expect(ledger() != nil && ledger("a", "b") != nil && ledger("e\u{301}", "\u{E9}") != nil)
        #expect(ledger("a", "a") == nil && ledger("b", "a") == nil && ledger("a", "c", "b") == nil)
    }
}
