import BellwetherCore
import BellwetherJSON
import JEXL
import Samples
import Testing

/// The blockers of a message: every closed gate, and for triggers the smallest parts that close them.
@Suite struct BlockerTests {
    private func blockers(
        _ fields: JSONObject, _ entry: LedgerEntry? = nil, surface: Identifier? = "microsurvey",
        attributes: [String: JSONValue] = ["age": 17, "city": "Rome"]
    ) throws -> [Blocker] {
        var message: JSONObject = ["text": "t", "surface": "microsurvey", "style": "TWICE"]
        for (name, value) in fields { message[name] = value }
        let catalog = try Sample.catalog(
            [
                "e": [
                    "messages": ["m": .object(message)],
                    "triggers": [
                        "ADULT": "age >= 18", "MIXED": "city == 'Rome' && (age > 20 || city == 'Oslo')",
                        "ERROR": "no > 1",
                        "YOUNG": "age < 18 && age != null",
                    ], "styles": ["TWICE": ["max-display-count": 2]],
                ]
            ],
            in: Sample.manifest())
        var state = ClientState()
        if let entry { state.ledger["m"] = entry }
        let selector = Sample.selector(catalog, state, attributes: attributes)
        return try #require(Explanation(selector: selector, surface: surface).messages.first).blockers
    }

    private func leaf(_ expression: String, _ values: [(String, JSONValue?)], error: JEXLError? = nil) -> FailingLeaf {
        FailingLeaf(
            expression: expression, values: values.map { FailingLeaf.Reading(name: $0.0, value: $0.1) }, error: error)
    }

    @Test func triggersAreToldByTheirLeaves() throws {
        #expect(
            try blockers(["trigger-if-all": ["ALWAYS", "ADULT", "MIXED"]]) == [
                .trigger("ADULT", leaf("age >= 18", [("age", 17)])), .trigger("MIXED", leaf("age > 20", [("age", 17)])),
                .trigger("MIXED", leaf("city == 'Oslo'", [("city", "Rome")])),
            ])
        let error = JEXLError(
            kind: .undefinedIdentifier, message: "the identifier \"no\" is not defined", offset: 0)
        #expect(
            try blockers(["trigger-if-all": ["ERROR"]]) == [
                .trigger("ERROR", leaf("no > 1", [("no", nil)], error: error))
            ])
    }

    @Test func exclusionsAreToldByWhatMakesThemTrue() throws {
        #expect(
            try blockers(["except-if-any": ["ADULT", "YOUNG"]]) == [
                .exclusion("YOUNG", leaf("age < 18", [("age", 17)])),
                .exclusion("YOUNG", leaf("age != null", [("age", 17)])),
            ])
    }

    @Test func theLedgersGatesTellCountAndCap() throws {
        #expect(
            try blockers([:], LedgerEntry(message: "m", displayCount: 2)) == [
                .displayCap(count: 2, cap: 2, isLatched: false)
            ])
        #expect(
            try blockers([:], LedgerEntry(message: "m", dismissals: 1, isClicked: true, isExpired: true)) == [
                .displayCap(count: 0, cap: 2, isLatched: true), .interaction(dismissals: 1, isClicked: true),
            ])
    }

    @Test func everyClosedGateIsToldInTheOrderOfSelection() throws {
        let entry = LedgerEntry(message: "m", displayCount: 9, dismissals: 1)
        let all = try blockers(
            ["trigger-if-all": ["ADULT"], "except-if-any": ["ALWAYS"]], entry, surface: "homescreen")
        #expect(
            all == [
                .surface("microsurvey", asked: "homescreen"), .displayCap(count: 9, cap: 2, isLatched: false),
                .interaction(dismissals: 1, isClicked: false), .trigger("ADULT", leaf("age >= 18", [("age", 17)])),
                .exclusion("ALWAYS", leaf("true", [])),
            ])
        #expect(try blockers(["style": "NOPE"]) == [.malformed(.unknownStyle("NOPE"))])
    }

    @Test func nothingIsInTheWayOfAnEligibleMessage() throws {
        #expect(try blockers(["trigger-if-all": ["ADULT"]], attributes: ["age": 18]) == [])
    }

    /// The message becomes eligible when all its blockers are removed.
    @Test func whatIsToldIsEnough() throws {
        let fields: JSONObject = ["trigger-if-all": ["MIXED"], "except-if-any": ["YOUNG"]]
        #expect(try blockers(fields).count == 4)
        #expect(try blockers(fields, attributes: ["age": 21, "city": "Rome"]) == [])
    }
}
