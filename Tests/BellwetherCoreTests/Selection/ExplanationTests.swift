import BellwetherCore
import BellwetherJSON
import JEXL
import Samples
import Testing

/// Explanations (docs/reference/http-api.md#explain): every reason, and their precedence.
@Suite struct ExplanationTests {
    /// A message with every reason at once; the reasons are then removed in the order of selection.
    private static let worst: JSONObject = [
        "text": "", "surface": "homescreen", "trigger-if-all": ["NEVER", "ERROR"],
        "except-if-any": ["ALWAYS", "ERROR"],
        "style": "ONCE",
    ]

    private static let mending: [(field: String, value: JSONValue, verdict: Verdict)] = [
        ("x", 0, .malformed), ("text", "t", .wrongSurface), ("surface", "microsurvey", .expired),
        ("style", "DEFAULT", .interacted), ("dismissed", false, .triggerFalse),
        ("trigger-if-all", ["ERROR"], .triggerError),
        ("trigger-if-all", [], .excluded), ("except-if-any", ["ERROR"], .excludeError),
        ("except-if-any", [], .outranked),
    ]

    private func explain(
        _ messages: JSONObject, _ state: ClientState = ClientState(), surface: Identifier? = "microsurvey",
        onControl: String = "show-next-message"
    ) throws -> Explanation {
        let catalog = try Sample.catalog(
            [
                "e": [
                    "messages": .object(messages), "on-control": .string(onControl), "triggers": ["ERROR": "nothing"],
                    "styles": ["HIGH": ["priority": 90], "ONCE": ["max-display-count": 1], "LOW": ["priority": 1]],
                ]
            ],
            in: Sample.manifest())
        return Explanation(selector: Sample.selector(catalog, state), surface: surface)
    }

    private func verdicts(_ explanation: Explanation) -> [Identifier: Verdict] {
        Dictionary(uniqueKeysWithValues: explanation.messages.map { ($0.key, $0.verdict) })
    }

    @Test(arguments: mending.indices)
    func firstReasonInTheOrderOfSelection(_ mended: Int) throws {
        var message = Self.worst
        var isDismissed = true
        for (field, value, _) in Self.mending[...mended] {
            if field == "dismissed" { isDismissed = false } else { message[field] = value }
        }
        var state = ClientState()
        state.ledger["m"] = LedgerEntry(message: "m", displayCount: 1, dismissals: isDismissed ? 1 : 0)
        let explanation = try explain(
            ["m": .object(message), "top": ["text": "t", "surface": "microsurvey", "style": "HIGH"]], state)
        #expect(verdicts(explanation)["m"] == Self.mending[mended].verdict)
        #expect(explanation.selected == "top" && verdicts(explanation)["top"] == .selected)
    }

    @Test func everyVerdictButTheUnrankedIsExplained() throws {
        var seen = Set(Self.mending.map(\.verdict)).union([.selected])
        let controls = try explain(
            [
                "c": ["is-control": true, "surface": "microsurvey", "style": "HIGH"],
                "b": ["text": "t", "surface": "microsurvey"],
                "d": ["is-control": true, "surface": "microsurvey", "style": "LOW"],
            ], onControl: "show-none")
        #expect(verdicts(controls) == ["c": .control, "b": .blockedByControl, "d": .blockedByControl])
        #expect(controls.selected == nil)
        seen.formUnion(controls.messages.map(\.verdict))
        // The reasons of pacing are explained in OfferTests.
        let paced: Set<Verdict> = [
            .inactive, .notStarted, .ended, .optedOut, .alreadyResponded, .displayLimit, .cooldown, .cooldownAny,
            .globalCap, .quietHours, .quotaFull, .responseLimit, .sampledOut,
        ]
        #expect(seen == Set(Verdict.allCases).subtracting(paced).subtracting([.eligible]))
    }

    @Test func eligibleMeansThatOnlyRankKeepsItBack() throws {
        let explanation = try explain([
            "a": ["text": "t", "surface": "microsurvey"], "b": ["text": "t", "surface": "microsurvey"],
            "c": ["is-control": true, "surface": "microsurvey", "style": "HIGH"],
            "n": ["text": "t", "surface": "microsurvey", "trigger-if-all": ["NEVER"]],
        ])
        #expect(explanation.messages.filter(\.isEligible).map(\.key) == ["c", "a", "b"])
        #expect(explanation.messages.map(\.key) == ["c", "a", "b", "n"], "in the order of selection")
        #expect(verdicts(explanation) == ["c": .control, "a": .selected, "b": .outranked, "n": .triggerFalse])
    }

    @Test func everyTriggerIsTold() throws {
        let explanation = try explain([
            "m": [
                "text": "t", "surface": "microsurvey", "trigger-if-all": ["NEVER", "ERROR", "ALWAYS"],
                "except-if-any": ["NEVER"],
            ]
        ])
        let message = try #require(explanation.messages.first)
        #expect(message.triggers.map(\.name) == ["NEVER", "ERROR", "ALWAYS"])
        #expect(message.triggers.map(\.expression) == ["false", "nothing", "true"])
        #expect(message.triggers[0].verdict == .doesNotHold && message.triggers[2].verdict == .holds)
        guard case .failed(let error) = message.triggers[1].verdict else {
            Issue.record("no error")
            return
        }
        #expect(error.kind == .undefinedIdentifier && message.exclusions.map(\.verdict) == [.doesNotHold])
    }

    @Test func malformedOnesStandLast() throws {
        let explanation = try explain([
            "a": ["text": "t", "surface": "microsurvey", "style": "NOPE"],
            "z": ["text": "t", "surface": "microsurvey"],
        ])
        #expect(explanation.messages.map(\.key) == ["z", "a"])
        let malformed = try #require(explanation.messages.last)
        #expect(malformed.malformation == .unknownStyle("NOPE") && malformed.priority == nil && !malformed.isEligible)
    }

    @Test func withoutASurfaceEachIsJudgedOnItsOwn() throws {
        let messages: JSONObject = [
            "a": ["text": "t", "surface": "microsurvey"], "b": ["text": "t", "surface": "homescreen"],
            "c": ["text": "t", "surface": "nowhere"],
        ]
        #expect(verdicts(try explain(messages, surface: nil)) == ["a": .selected, "b": .selected, "c": .selected])
        #expect(
            verdicts(try explain(messages)) == ["a": .selected, "b": .wrongSurface, "c": .wrongSurface])
    }

    @Test func countsAreTheClients() throws {
        var state = ClientState()
        state.ledger["m"].displayCount = 2
        let message = try #require(
            explain(["m": ["text": "t", "surface": "microsurvey", "is-control": true]], state).messages.first)
        #expect(message.displayCount == 2 && message.maxDisplayCount == 5 && message.priority == 50)
        #expect(message.isControl && message.surface == "microsurvey")
    }
}
