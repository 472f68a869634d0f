import BellwetherBase
import BellwetherJSON
import Testing

@testable import BellwetherCore

/// The answers of a respondent in rounds (docs/reference/rounds.md#rounds).
@Suite struct SurveyStandingTests {
    private static func time(_ day: Int64) -> Timestamp { Timestamp(seconds: day * 86_400) }
    private static func rule(_ document: JSONValue) throws -> RepeatRule {
        try #require(RepeatRule(JSONReader(document, findings: Findings())))
    }

    private static func state(_ standing: SurveyStanding, _ rule: RepeatRule?, day: Int64) -> RoundState {
        standing.state(of: "s", rule) { $0 <= time(day) }
    }

    @Test func `Without repeat only the first answer counts`() {
        var standing = SurveyStanding()
        #expect(standing.submit("s", at: Self.time(1)) == 1 && standing.submit("s", at: Self.time(2)) == 1)
        #expect(Self.state(standing, nil, day: 9_000) == .answered(AnsweredRound(number: 1, until: nil)))
        #expect(standing.submission(of: "s")?.at == Self.time(1))
    }

    @Test func `The next round opens when the wait is over, and none after the last`() throws {
        let rule = try Self.rule(["days": 90, "rounds": 2])
        var standing = SurveyStanding()
        #expect(Self.state(standing, rule, day: 0) == .open(round: 1))
        standing.submit("s", at: Self.time(0), repeats: true)
        #expect(Self.state(standing, rule, day: 89) == .answered(AnsweredRound(number: 1, until: Self.time(90))))
        #expect(Self.state(standing, rule, day: 90) == .open(round: 2))
        #expect(standing.submit("s", at: Self.time(90), repeats: true) == 2)
        #expect(Self.state(standing, rule, day: 9_000) == .answered(AnsweredRound(number: 2, until: nil)))
    }

    @Test func `The clock going back opens nothing, and moves no answer back`() throws {
        let rule = try Self.rule(["days": 90])
        var standing = SurveyStanding()
        standing.submit("s", at: Self.time(100), repeats: true)
        standing.submit("s", at: Self.time(50), repeats: true)
        #expect(standing.submission(of: "s")?.at == Self.time(100))
        #expect(Self.state(standing, rule, day: 189) == .answered(AnsweredRound(number: 2, until: Self.time(190))))
        #expect(Self.state(standing, try Self.rule(["days": 0]), day: 0) == .open(round: 3))
    }

    @Test func `Only the deletion of the newest answer opens its round again`() throws {
        let rule = try Self.rule(["days": 90])
        var standing = SurveyStanding()
        for day in [0, 100, 200] as [Int64] { standing.submit("s", at: Self.time(day), repeats: true) }
        standing.withdraw("s", round: 1)
        #expect(standing.rounds(of: "s") == 3)
        standing.withdraw("s", round: 3)
        #expect(Self.state(standing, rule, day: 200) == .open(round: 3))
        #expect(standing.submit("s", at: Self.time(201), repeats: true) == 3)
        #expect(Self.state(standing, rule, day: 202) == .answered(AnsweredRound(number: 3, until: Self.time(291))))
    }

    @Test func `The answers of two respondents add up, and the later one counts`() throws {
        var (one, other) = (SurveyStanding(), SurveyStanding())
        for day in [0, 100] as [Int64] { one.submit("s", at: Self.time(day), repeats: true) }
        other.submit("s", at: Self.time(150), repeats: true)
        other.submit("t", at: Self.time(1))
        one.merge(other)
        #expect(one.rounds(of: "s") == 3 && one.rounds(of: "t") == 1)
        #expect(one.submission(of: "s")?.at == Self.time(150))
        // The newest answer of its own is that of round 2.
        one.withdraw("s", round: 2)
        #expect(one.rounds(of: "s") == 2)
    }

    @Test func `Rounds are stored beside the section that earlier versions read`() throws {
        var state = ClientState()
        state.surveys.submit("once", at: Self.time(1))
        let before = state.encoded()
        state.surveys.submit("s", at: Self.time(2), repeats: true)
        state.surveys.submit("s", at: Self.time(3), repeats: true)
        state.surveys.submit("t", at: Self.time(3), repeats: true)
        state.surveys.submit("t", at: Self.time(4), repeats: true)
        state.surveys.withdraw("t", round: 2)
        let read = try #require(ClientState(encoded: state.encoded()))
        #expect(read == state && read.surveys.submission(of: "t")?.waitsSince == nil)
        #expect(ClientState(encoded: before)?.encoded() == before)
    }
}
