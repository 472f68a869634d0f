import BellwetherBase
import BellwetherJSON
import Testing

@testable import BellwetherCore

/// The displays and dismissals that count for a message of a repeating recipe (docs/reference/rounds.md#askings).
@Suite struct AskingTests {
    private static func time(_ day: Int64) -> Timestamp { Timestamp(seconds: day * 86_400) }

    private static func asking(
        _ rule: JSONValue = ["days": 90, "unanswered_days": 30], limit: Int? = 2, answered: Int64? = nil
    ) throws -> PromptRule {
        let definition = MessageDefinition(["surface": "card", "presents": "s"], dialect: .ios)
        let facts = MessageFacts(key: "s", definition: definition, maxDisplayCount: limit ?? .max, enrollment: nil)
        let repeats = RepeatRule(JSONReader(rule, findings: Findings()))
        let content = PresentedContent(kind: .questionnaire, isActive: true, revision: 1, repeats: repeats)
        var surveys = SurveyStanding()
        if let answered { surveys.submit("s", at: time(answered), repeats: true) }
        return try #require(PromptRule(of: facts, ["s": content], surveys))
    }

    private static func entry(displays: UInt32 = 0, _ shown: Int64? = nil, dismissed: Int64? = nil) -> LedgerEntry {
        var entry = LedgerEntry(message: "s", displayCount: displays, dismissals: dismissed == nil ? 0 : 1)
        (entry.displayedAt, entry.dismissedAt) = (shown.map(time), dismissed.map(time))
        return entry
    }

    private func current(_ asking: PromptRule, _ entry: LedgerEntry, day: Int64) -> (
        displays: UInt32, until: Timestamp?
    ) {
        let found = asking.current(entry) { $0 <= Self.time(day) }
        return (found.entry.displayCount, found.until)
    }

    @Test func `An asking goes on until its limit or its dismissal, and waits`() throws {
        let asking = try Self.asking()
        #expect(current(asking, Self.entry(displays: 1, 5), day: 500) == (1, nil))
        #expect(current(asking, Self.entry(displays: 2, 5), day: 34) == (2, Self.time(35)))
        #expect(current(asking, Self.entry(displays: 2, 5), day: 35) == (0, nil))
        #expect(current(asking, Self.entry(displays: 2, 5, dismissed: 9), day: 38) == (2, Self.time(39)))
        #expect(current(try Self.asking(limit: nil), Self.entry(displays: 99, 5), day: 500) == (99, nil))
    }

    @Test func `An answer ends every asking`() throws {
        let asking = try Self.asking(answered: 10)
        #expect(current(asking, Self.entry(displays: 2, 10, dismissed: 10), day: 11) == (0, nil))
        #expect(current(asking, Self.entry(displays: 2, 5, dismissed: 11), day: 12) == (0, Self.time(41)))
    }

    @Test func `Without a wait a new asking begins at once, whatever the clock does`() throws {
        let asking = try Self.asking(["days": 90, "unanswered_days": 0])
        #expect(current(asking, Self.entry(displays: 2, 5), day: -100) == (0, nil))
    }

    @Test func `An entry of an earlier version has waited long ago`() throws {
        #expect(current(try Self.asking(), Self.entry(displays: 2), day: 20_000) == (0, nil))
        #expect(current(try Self.asking(), Self.entry(displays: 1), day: 20_000) == (1, nil))
    }

    @Test func `An event adds to the asking of its own time`() throws {
        let asking = try Self.asking(answered: 10)
        // Older than the answer, while a newer asking runs: it counts for nothing.
        #expect(asking.entry(Self.entry(displays: 1, 20), before: Self.time(9), isDisplay: true) == nil)
        #expect(asking.entry(Self.entry(displays: 1, 8), before: Self.time(9), isDisplay: true)?.displayCount == 1)
        #expect(asking.entry(Self.entry(displays: 1, 8), before: Self.time(11), isDisplay: true)?.displayCount == 0)
        #expect(asking.entry(Self.entry(displays: 2, 20), before: Self.time(49), isDisplay: true)?.displayCount == 2)
        #expect(asking.entry(Self.entry(displays: 2, 20), before: Self.time(50), isDisplay: true)?.displayCount == 0)
    }

    @Test func `The times are stored in a section of their own`() throws {
        var state = ClientState()
        state.ledger["m"] = LedgerEntry(message: "m", displayCount: 3)
        let before = state.encoded()
        state.ledger["s"] = Self.entry(displays: 2, 5, dismissed: 9)
        #expect(ClientState(encoded: state.encoded()) == state)
        #expect(ClientState(encoded: before)?.encoded() == before)
    }
}
