import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The conditions that keep a message from being shown (docs/reference/messaging.md#selection). The vectors are tested
/// through the service.
@Suite struct SelectorTests {
    private let styles: JSONValue = [
        "HIGH": ["priority": 60, "max-display-count": 3], "LOW": ["priority": 40], "GONE": ["max-display-count": 0],
        "LESS": ["max-display-count": -1],
    ]

    private func catalog(_ messages: JSONObject, onControl: String = "show-next-message") throws -> Catalog {
        var documents = JSONObject()
        for (key, fields) in messages {
            var document: JSONObject = ["surface": "microsurvey", "text": "t"]
            for (field, value) in fields.object ?? [:] { document[field] = value }
            documents[key] = .object(document)
        }
        return try Sample.catalog(
            [
                "e": [
                    "messages": .object(documents), "styles": styles, "on-control": .string(onControl),
                    "triggers": ["ERROR": "nothing", "EVENT": "'x'|eventSum('Days', 1, 0) > 0", "NUMBER": "1.0"],
                ]
            ],
            in: Sample.manifest())
    }

    private func state(_ entries: LedgerEntry...) -> ClientState {
        var state = ClientState()
        for entry in entries { state.ledger[entry.message] = entry }
        return state
    }

    /// Triggers, exclusions, and the verdict.
    @Test(
        arguments: [
            ([], [], .eligible), (["ALWAYS"], ["NEVER"], .eligible), (["NEVER"], [], .triggerFalse),
            (["ALWAYS", "NEVER", "ERROR"], [], .triggerFalse), (["ALWAYS", "ERROR", "NEVER"], [], .triggerError),
            (["NUMBER"], [], .triggerError), (["EVENT"], [], .triggerFalse), (["EVENT", "ERROR"], [], .triggerFalse),
            ([], ["ALWAYS"], .excluded), ([], ["NEVER", "ALWAYS", "ERROR"], .excluded),
            ([], ["NEVER", "ERROR"], .excludeError),
            ([], ["NUMBER", "ALWAYS"], .excludeError), ([], ["EVENT"], .eligible),
            (["NEVER"], ["ERROR"], .triggerFalse),
            (["ERROR"], ["ALWAYS"], .triggerError),
        ] as [([String], [String], Verdict)])
    func lists(_ triggers: [String], _ exclusions: [String], _ expected: Verdict) throws {
        let catalog = try catalog([
            "m": [
                "trigger-if-all": .array(triggers.map(JSONValue.string)),
                "except-if-any": .array(exclusions.map(JSONValue.string)),
            ]
        ])
        let selector = Sample.selector(catalog)
        #expect(selector.eligibility(of: try #require(catalog.message("m"))) == expected)
        #expect((selector.select(surface: "microsurvey").message != nil) == (expected == .eligible))
    }

    @Test(arguments: [
        (LedgerEntry(message: "m", displayCount: 5), Verdict.expired),
        (LedgerEntry(message: "m", displayCount: 4), .eligible), (LedgerEntry(message: "m", isExpired: true), .expired),
        (LedgerEntry(message: "m", dismissals: 1), .interacted),
        (LedgerEntry(message: "m", isClicked: true), .interacted),
        (LedgerEntry(message: "m", displayCount: 9, dismissals: 1), .expired),
        (LedgerEntry(message: "other", displayCount: 9), .eligible),
    ])
    func ledger(_ entry: LedgerEntry, _ expected: Verdict) throws {
        let catalog = try catalog(["m": [:]])
        let selector = Sample.selector(catalog, state(entry))
        #expect(selector.eligibility(of: try #require(catalog.message("m"))) == expected)
    }

    @Test(arguments: ["GONE", "LESS"])
    func capOfNothingIsExpiredFromTheStart(_ style: String) throws {
        let catalog = try catalog(["m": ["style": .string(style)]])
        #expect(Sample.selector(catalog).select(surface: "microsurvey").message == nil)
    }

    @Test func surfacesAreApart() throws {
        let catalog = try catalog(["a": [:], "b": ["surface": "homescreen"], "c": ["surface": "nowhere"]])
        let selector = Sample.selector(catalog)
        #expect(selector.select(surface: "homescreen").message?.key == "b")
        #expect(selector.select(surface: "microsurvey").message?.key == "a")
        #expect(selector.select(surface: "nowhere").message == nil && selector.select(surface: "").message == nil)
        #expect(selector.select(surface: "Unknown").message?.key == "c", "what a phone reads it as")
    }

    @Test func severalControlsAreCountedInOrder() throws {
        let catalog = try catalog([
            "c1": ["is-control": true], "c2": ["is-control": true, "style": "HIGH"],
            "c3": ["is-control": true, "style": "LOW"], "b": [:],
            "c0": ["is-control": true, "trigger-if-all": ["NEVER"]],
            "a": ["style": "LOW"],
        ])
        let selection = Sample.selector(catalog).select(surface: "microsurvey")
        #expect(selection.message?.key == "b" && selection.controls.map(\.key) == ["c2"])
        let seen = Sample.selector(catalog, state(LedgerEntry(message: "b", dismissals: 1)))
        #expect(seen.select(surface: "microsurvey").controls.map(\.key) == ["c2", "c1"])
        #expect(seen.select(surface: "microsurvey").message?.key == "a")
    }

    @Test func onlyControls() throws {
        let messages: JSONObject = ["c1": ["is-control": true], "c2": ["is-control": true]]
        let all = Sample.selector(try catalog(messages)).select(surface: "microsurvey")
        #expect(all.message == nil && all.controls.map(\.key) == ["c1", "c2"])
        let one = Sample.selector(try catalog(messages, onControl: "show-none")).select(surface: "microsurvey")
        #expect(one.message == nil && one.controls.map(\.key) == ["c1"])
    }

    @Test func tieGoesByCodePoint() throws {
        let catalog = try catalog(["\u{10000}": [:], "\u{FFFD}": [:], "\u{E9}": [:], "z": [:]])
        #expect(Sample.selector(catalog).select(surface: "microsurvey").message?.key == "z")
        let seen = state(LedgerEntry(message: "z", dismissals: 1), LedgerEntry(message: "\u{E9}", dismissals: 1))
        #expect(Sample.selector(catalog, seen).select(surface: "microsurvey").message?.key == "\u{FFFD}")
    }
}
