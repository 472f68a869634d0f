import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherAuthoring

/// A forecast of a recipe over a sample.
struct ForecastTests {
    private static func message(_ fields: JSONObject) -> JSONValue {
        var message: JSONObject = ["surface": "microsurvey", "text": "How?"]
        for (key, value) in fields { message[key] = value }
        return .object(message)
    }

    private static let triggers: JSONValue = [
        "IN_DE": "locale == 'de'", "OLD": "age >= 40", "VISITED": "'visit'|eventSum('Years', 4, 0) >= 2",
        "VISITED_IN_DE": "'visit'|eventSum('Years', 4, 0) >= 2 && locale == 'de'", "BROKEN": "nothing == 1",
        "ENROLLED": "'other' in enrollments", "MINE": "nimbus_id == 'a'",
    ]

    private static func messaging(_ messages: JSONObject) -> JSONValue {
        [
            "messages": .object(messages), "triggers": triggers,
            "styles": ["HIGH": ["priority": 90, "max-display-count": 1], "LOW": ["priority": 10]],
        ]
    }

    /// Ten contexts: 6 German, 4 English; 3 of the German and 1 of the English are over 40.
    private static let sample = [
        ("de", 50), ("de", 60), ("de", 70), ("de", 20), ("de", 20), ("de", 20), ("en", 80), ("en", 20), ("en", 20),
        ("en", 20),
    ].map { locale, age in Sample.context(["age": .integer(Int64(age))], locale: locale) }

    private static func forecast(
        _ document: JSONValue, manifest changes: JSONObject = [:],
        beside others: KeyValuePairs<String, JSONValue> = [:],
        over sample: [TargetingContext] = sample, minimum: Int = 1
    ) throws -> Forecast {
        let manifest = try Sample.manifest(changes)
        let recipe = try Sample.recipe(document, slug: "mine", in: manifest)
        let live = try others.map { try Sample.recipe($1, slug: $0, in: manifest) } + [recipe]
        let compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: StringTables(defaultLocale: "en-US", locales: [:]),
            recipes: RecipesInForce(live: live), revision: 1)
        return ForecastMaking(recipe, in: compiledApp, now: Sample.now, minimumCell: minimum).forecast(
            over: sample.map { ForecastSubject($0, at: Sample.now) })
    }

    private static func range(_ share: ForecastShare?) -> [Double] {
        share.map { [$0.low, $0.high].map { $0 ?? -1 } } ?? []
    }

    private static let eligibilities: [(JSONObject, [Double])] = [
        (["trigger-if-all": ["IN_DE"]], [0.6, 0.6]), (["trigger-if-all": ["IN_DE", "OLD"]], [0.3, 0.3]),
        (["trigger-if-all": ["OLD"], "except-if-any": ["IN_DE"]], [0.1, 0.1]),
        (["trigger-if-all": ["VISITED"]], [0, 1]), (["trigger-if-all": ["VISITED", "OLD"]], [0, 0.4]),
        (["trigger-if-all": ["VISITED_IN_DE"]], [0, 0.6]),
        (["trigger-if-all": ["OLD"], "except-if-any": ["VISITED_IN_DE"]], [0.1, 0.4]),
        (["trigger-if-all": ["BROKEN"]], [0, 0]),
        (["trigger-if-all": ["ALWAYS"], "except-if-any": ["BROKEN"]], [0, 0]),
        (["trigger-if-all": ["ENROLLED"]], [0, 1]), (["trigger-if-all": ["MINE"]], [0, 1]), ([:], [1, 1]),
    ]

    @Test(arguments: eligibilities)
    func whatAttributesDoNotTellIsBounded(_ fields: JSONObject, _ expected: [Double]) throws {
        let forecast = try Self.forecast(Self.messaging(["m": Self.message(fields)]))
        #expect(forecast.contexts == 10)
        #expect(Self.range(forecast.messages.first?.eligible) == expected)
        #expect(Self.range(forecast.eligible) == expected)
        #expect(Self.range(forecast.targeted) == [1, 1])
    }

    private static let paced: [(JSONObject, [Double])] = [
        (["sample": ["count": 1, "total": 4]], [0.25, 0.25]), (["cooldown_seconds": 60], [0, 1]),
        (["start": "2000-01-01T00:00:00Z", "end": "2000-01-02T00:00:00Z"], [0, 0]),
        (["start": "2000-01-01T00:00:00Z", "sample": ["count": 9, "total": 4]], [1, 1]),
        (["display": "some", "limit": 3], [1, 1]),
    ]

    @Test(arguments: paced)
    func schedulesCountAsTheyAreAndSamplesAsAFactor(_ pacing: JSONObject, _ expected: [Double]) throws {
        let forecast = try Self.forecast(Self.messaging(["m": Self.message(["pacing": .object(pacing)])]))
        #expect(Self.range(forecast.messages.first?.eligible) == expected)
        #expect(Self.range(forecast.eligible) == expected)
        #expect(Self.range(forecast.surfaces.first?.eligible) == expected)
    }

    @Test func `The gate is named that closes all messages to everybody`() throws {
        let late: JSONValue = ["start": "2099-01-01T00:00:00Z"]
        let closed = Self.message(["pacing": late])
        #expect(try Self.forecast(Self.messaging(["m": closed])).closed == .notStarted)
        #expect(try Self.forecast(Self.messaging(["m": closed]), over: []).closed == .notStarted)
        #expect(try Self.forecast(Self.messaging(["m": closed, "n": Self.message([:])])).closed == nil)
        let noon = Sample.now.rfc3339.dropFirst(11).prefix(5)
        let quiet: JSONObject = ["from": .string(String(noon)), "to": "00:00"]
        var own = quiet
        own["utc_offset_attribute"] = "age"
        func gate(_ quiet: JSONObject) throws -> Verdict? {
            try Self.forecast(
                Self.messaging(["m": Self.message(["pacing": ["sample": ["count": 1, "total": 2]]])]),
                manifest: ["pacing": ["quiet_hours": .object(quiet)]]
            ).closed
        }
        #expect(try gate(quiet) == .quietHours)
        #expect(try gate(own) == .quietHours)
    }

    private static let closing: [(JSONObject, Verdict)] = [
        (["trigger-if-all": ["NEVER"]], .triggerFalse), (["except-if-any": ["ALWAYS"]], .excluded),
        (["style": "NONE"], .expired), (["trigger-if-all": ["BROKEN"]], .triggerError),
        (["trigger-if-all": ["ALWAYS"], "except-if-any": ["BROKEN"]], .excludeError),
        (["trigger-if-all": ["IN_FR"]], .triggerFalse),
        (["trigger-if-all": ["IN_FR"], "pacing": ["end": "2000-01-02T00:00:00Z"]], .ended),
    ]

    private static func forecast(of message: JSONObject, minimum: Int = 1) throws -> Forecast {
        var document = messaging(["m": self.message(message)]).object ?? [:]
        document["styles"] = ["NONE": ["priority": 1, "max-display-count": 0]]
        var triggers = document["triggers"]?.object ?? [:]
        triggers["IN_FR"] = "locale == 'fr'"
        document["triggers"] = .object(triggers)
        return try forecast(.object(document), minimum: minimum)
    }

    @Test(arguments: closing)
    func `What makes it 0 is named, be it a trigger, an exclusion or a cap`(
        _ message: JSONObject, _ verdict: Verdict
    ) throws {
        #expect(try Self.forecast(of: message).closed == verdict)
    }

    /// The text that a gate closes a message must not reveal whether one context of the sample passes.
    @Test func `A gate that reads attributes is named where few pass, and not whether any does`() throws {
        #expect(try Self.forecast(of: ["trigger-if-all": ["OLD"]]).closed == nil)
        #expect(try Self.forecast(of: ["trigger-if-all": ["OLD"]], minimum: 5).closed == .triggerFalse)
        #expect(try Self.forecast(of: ["trigger-if-all": ["IN_FR"]], minimum: 5).closed == .triggerFalse)
        #expect(try Self.forecast(of: ["trigger-if-all": ["IN_FR"]], minimum: 6).closed == nil, "too small a sample")
        #expect(try Self.forecast(of: ["trigger-if-all": ["NEVER"]], minimum: 6).closed == .triggerFalse)
    }

    @Test func `Targeting that nobody meets is named before what closes the messages`() throws {
        let noon = Sample.now.rfc3339.dropFirst(11).prefix(5)
        let quiet: JSONObject = ["quiet_hours": ["from": .string(String(noon)), "to": "00:00"]]
        func gate(_ targeting: String, minimum: Int = 1) throws -> ForecastGate? {
            let document = NimbusRecipe.experiment(
                "mine", ["a": Self.messaging(["m": Self.message([:])])], ["targeting": .string(targeting)])
            return try Self.forecast(document, manifest: ["pacing": .object(quiet)], minimum: minimum).gate
        }
        #expect(try gate("locale == 'fr'") == .targeting)
        #expect(try gate("age >= 40") == nil)
        #expect(try gate("age >= 40", minimum: 5) == .targeting)
        #expect(try gate("'visit'|eventSum('Years', 4, 0) >= 2") == nil, "it is not known")
    }

    @Test func capsOverAllMessagesAreUnknown() throws {
        let document = Self.messaging(["m": Self.message(["trigger-if-all": ["IN_DE"]])])
        let caps: JSONObject = ["pacing": ["caps": [["count": 1, "seconds": 60]]]]
        #expect(Self.range(try Self.forecast(document, manifest: caps).eligible) == [0, 0.6])
        let cooldown: JSONObject = ["pacing": ["cooldown_seconds": 60]]
        #expect(Self.range(try Self.forecast(document, manifest: cooldown).eligible) == [0, 0.6])
        let noon = Sample.now.rfc3339.dropFirst(11).prefix(5)
        let quiet: JSONObject = ["pacing": ["quiet_hours": ["from": .string(String(noon)), "to": "00:00"]]]
        #expect(Self.range(try Self.forecast(document, manifest: quiet).eligible) == [0, 0])
    }

    @Test func twoSampledMessagesAreIndependent() throws {
        let half: JSONValue = ["sample": ["count": 1, "total": 2]]
        let forecast = try Self.forecast(
            Self.messaging(["m": Self.message(["pacing": half]), "n": Self.message(["pacing": half])]))
        #expect(Self.range(forecast.eligible) == [0.5, 0.75])
    }

    /// Wilson's of 6 of 10 is 31.27 to 83.18 %.
    @Test func theIntervalIsWilsonsRoundedOutwards() throws {
        let forecast = try Self.forecast(Self.messaging(["m": Self.message(["trigger-if-all": ["IN_DE"]])]))
        let interval = try #require(forecast.eligible?.interval)
        #expect(interval == (0.31, 0.84))
    }

    /// The forecast for a sample with this number of contexts in German; the others are in English.
    private static func eligible(inGerman count: Int, of contexts: Int, minimum: Int = 5) throws -> ForecastShare {
        let sample = (0..<contexts).map { Sample.context(locale: $0 < count ? "de" : "en") }
        let document = messaging(["m": message(["trigger-if-all": ["IN_DE"]])])
        return try #require(try forecast(document, over: sample, minimum: minimum).eligible)
    }

    @Test(arguments: [(0...4, 0.0), (196...200, 0.94)], [5, 200])
    func fewContextsLookLikeNoneAndAllButFewLikeAll(_ counts: (ClosedRange<Int>, Double), _ minimum: Int) throws {
        for count in counts.0 {
            let share = try Self.eligible(inGerman: count, of: 200, minimum: minimum)
            #expect(share.low == nil && share.high == nil)
            #expect(share.interval == (minimum == 5 ? (counts.1, counts.1 == 0 ? 0.06 : 1) : (0, 1)))
        }
    }

    @Test(arguments: [(5, 0.03), (6, 0.03), (100, 0.5), (101, 0.51), (195, 0.98)])
    func otherSharesAreWholePercents(_ count: Int, _ share: Double) throws {
        #expect(Self.range(try Self.eligible(inGerman: count, of: 200)) == [share, share])
    }

    @Test func aMinimumOfOneWithholdsNothing() throws {
        #expect(Self.range(try Self.eligible(inGerman: 0, of: 10, minimum: 1)) == [0, 0])
        #expect(Self.range(try Self.eligible(inGerman: 1, of: 10, minimum: 1)) == [0.1, 0.1])
        #expect(Self.range(try Self.eligible(inGerman: 10, of: 10, minimum: 1)) == [1, 1])
    }

    /// The branch without messages has a known share, so the total would reveal the withheld share.
    @Test func whatIsWithheldOfABranchIsWithheldOfAll() throws {
        let document = NimbusRecipe.experiment(
            "mine",
            [
                "control": Self.messaging(["m": Self.message(["is-control": true])]),
                "few": Self.messaging(["m": Self.message(["trigger-if-all": ["OLD"]])]),
                "many": Self.messaging(["m": Self.message(["trigger-if-all": ["IN_DE"]])]),
            ])
        let sample = (0..<40).map { number in
            Sample.context(["age": number < 3 ? 50 : 20], locale: number < 20 ? "de" : "en")
        }
        let forecast = try Self.forecast(document, over: sample, minimum: 5)
        #expect(forecast.messages.map { $0.eligible?.low } == [nil, nil, 0.17])
        #expect(forecast.eligible?.low == nil && forecast.surfaces.first?.eligible?.high == nil)
    }

    @Test func aRivalThatFewWouldMeetIsNotNamed() throws {
        let others: KeyValuePairs<String, JSONValue> = [
            "other": Self.messaging(["below": Self.message(["style": "LOW", "trigger-if-all": ["OLD"]])])
        ]
        func displaced(_ minimum: Int) throws -> [String]? {
            let recipe = Self.messaging(["mine": Self.message([:])])
            return try Self.forecast(recipe, beside: others, minimum: minimum).messages.first?.displaces.map(\.key.text)
        }
        #expect(try displaced(4) == ["below"])
        #expect(try displaced(5) == [])
    }

    @Test func localesOfFewStandAmongTheOthersWithoutANumber() throws {
        let sample = (0..<43).map { Sample.context(locale: $0 < 20 ? "de" : $0 < 40 ? "en" : "fr") }
        let forecast = try Self.forecast(
            Self.messaging(["m": Self.message(["trigger-if-all": ["IN_DE"]])]), over: sample, minimum: 5)
        let locales = forecast.surfaces[0].locales
        #expect(locales.map(\.locale) == ["de", "en", nil])
        #expect(locales.map(\.contexts) == [20, 20, nil])
        #expect(locales.map { $0.eligible?.interval.high } == [1, 0.42, nil])
        #expect(locales.allSatisfy { $0.eligible?.low == nil })
    }

    @Test func aSampleOfFewSaysNothing() throws {
        let recipe = Self.messaging(["m": Self.message([:])])
        let forecast = try Self.forecast(recipe, over: Array(Self.sample.prefix(4)), minimum: 5)
        #expect(forecast.contexts == nil && forecast.targeted == nil && forecast.messages[0].eligible == nil)
        #expect(try Self.forecast(recipe, over: [], minimum: 5).contexts == nil)
    }

    @Test func surfacesAreSplitByLocale() throws {
        let forecast = try Self.forecast(
            Self.messaging([
                "m": Self.message(["trigger-if-all": ["OLD"]]),
                "n": Self.message(["surface": "notification", "trigger-if-all": ["IN_DE"]]),
            ]))
        #expect(forecast.surfaces.map(\.surface) == ["microsurvey", "notification"])
        #expect(forecast.surfaces.map { Self.range($0.eligible) } == [[0.4, 0.4], [0.6, 0.6]])
        #expect(forecast.surfaces[0].locales.map(\.locale) == ["de", "en"])
        #expect(forecast.surfaces[0].locales.map(\.contexts) == [6, 4])
        #expect(forecast.surfaces[0].locales.map { Self.range($0.eligible) } == [[0.5, 0.5], [0.25, 0.25]])
        #expect(Self.range(forecast.eligible) == [0.7, 0.7])
    }

    @Test func bucketsAndBranchesAreKnownWithoutASample() throws {
        let document = NimbusRecipe.experiment(
            "mine",
            [
                "control": Self.messaging(["m": Self.message(["is-control": true])]),
                "treatment": Self.messaging(["m": Self.message([:])]),
            ],
            [
                "targeting": "locale == 'de'",
                "bucketConfig": [
                    "randomizationUnit": "nimbus_id", "namespace": "n", "start": 9000, "count": 2000, "total": 10_000,
                ],
            ])
        let forecast = try Self.forecast(document)
        #expect(forecast.bucketShare == 0.2)
        #expect(Self.range(forecast.targeted) == [0.6, 0.6])
        #expect(Self.range(forecast.enrolled) == [0.12, 0.12])
        // The control is counted and not shown: half of the enrolled clients see a message.
        #expect(Self.range(forecast.eligible) == [0.06, 0.06])
        #expect(forecast.messages.map(\.branch) == ["control", "treatment"])
        #expect(forecast.messages.map(\.isControl) == [true, false])
        #expect(forecast.messages.map { Self.range($0.eligible) } == [[0.06, 0.06], [0.06, 0.06]])
    }

    private static let gates: [(JSONObject, ForecastGate)] = [
        (["appName": "other"], .differentAppName), (["channel": "beta"], .differentChannel),
        (["isEnrollmentPaused": true], .enrollmentsPaused), (["isFirefoxLabsOptIn": true], .firefoxLabs),
        (["endDate": "2026-03-01"], .ended), (["startDate": "2027-03-01"], .scheduled),
    ]

    @Test(arguments: gates)
    func aGateKeepsEverybodyOut(_ changes: JSONObject, _ gate: ForecastGate) throws {
        let document = NimbusRecipe.experiment("mine", ["a": Self.messaging(["m": Self.message([:])])], changes)
        let forecast = try Self.forecast(document, manifest: ["channel": "release"])
        #expect(forecast.gate == gate)
        #expect(Self.range(forecast.eligible) == [0, 0])
    }

    @Test func messagesOfTheSameSurfaceAreDisplacedByRank() throws {
        let others: KeyValuePairs<String, JSONValue> = [
            "other": Self.messaging([
                "above": Self.message(["style": "HIGH", "trigger-if-all": ["IN_DE"]]),
                "below": Self.message(["style": "LOW", "trigger-if-all": ["OLD"]]),
                "elsewhere": Self.message(["surface": "notification", "style": "LOW"]),
                "never": Self.message(["style": "LOW", "trigger-if-all": ["NEVER"]]),
                "perhaps": Self.message(["style": "LOW", "trigger-if-all": ["VISITED"]]),
                "control": Self.message(["style": "LOW", "is-control": true]),
            ])
        ]
        let forecast = try Self.forecast(
            Self.messaging(["mine": Self.message(["trigger-if-all": ["OLD"]])]), beside: others)
        let message = try #require(forecast.messages.first)
        #expect(message.displaces.map(\.key) == ["below", "perhaps"])
        #expect(message.displaces.map { Self.range($0.share) } == [[0.4, 0.4], [0, 0.4]])
        #expect(message.outrankedBy.map(\.key) == ["above"])
        #expect(message.outrankedBy.map { Self.range($0.share) } == [[0.3, 0.3]])
    }

    /// Messages of equal priority are ordered by key.
    @Test func itsOwnMessagesAreNoRivals() throws {
        let forecast = try Self.forecast(
            Self.messaging(["a": Self.message([:]), "c": Self.message([:])]),
            beside: ["other": Self.messaging(["b": Self.message([:])])])
        #expect(forecast.messages.map(\.key) == ["a", "c"])
        #expect(forecast.messages.map { $0.displaces.map(\.key) } == [["b"], []])
        #expect(forecast.messages.map { $0.outrankedBy.map(\.key) } == [[], ["b"]])
    }

    /// Only clients of that experiment have its message, and a context does not show which clients those are.
    @Test func aRivalOfAnExperimentMayBeThere() throws {
        let other = NimbusRecipe.experiment("other", ["a": Self.messaging(["z": Self.message(["style": "LOW"])])])
        let forecast = try Self.forecast(Self.messaging(["m": Self.message([:])]), beside: ["other": other])
        #expect(forecast.messages.first?.displaces.map { Self.range($0.share) } == [[0, 1]])
    }

    @Test func aControlThatEndsASurfaceDisplaces() throws {
        func displaced(_ onControl: String) throws -> [String]? {
            var document = Self.messaging(["m": Self.message(["is-control": true])]).object ?? [:]
            document["on-control"] = .string(onControl)
            let rival = Self.messaging(["z": Self.message(["style": "LOW"])])
            return try Self.forecast(.object(document), beside: ["other": rival]).messages.first?.displaces.map(
                \.key.text)
        }
        #expect(try displaced("show-none") == ["z"])
        #expect(try displaced("show-next-message") == [])
    }

    @Test func malformedMessagesAreTold() throws {
        let forecast = try Self.forecast(Self.messaging(["m": Self.message(["trigger-if-all": ["UNKNOWN"]])]))
        #expect(forecast.messages.first?.malformation == .unknownTrigger("UNKNOWN"))
        #expect(forecast.messages.first?.eligible == nil)
        #expect(forecast.surfaces.isEmpty)
        #expect(Self.range(forecast.eligible) == [0, 0])
    }

    @Test func aCapOfNothingShowsNothing() throws {
        var document = Self.messaging(["m": Self.message(["style": "NONE"])]).object ?? [:]
        document["styles"] = ["NONE": ["priority": 1, "max-display-count": 0]]
        #expect(Self.range(try Self.forecast(.object(document)).eligible) == [0, 0])
    }

    @Test func nothingIsSaidOfAnEmptySample() throws {
        let forecast = try Self.forecast(Self.messaging(["m": Self.message([:])]), over: [])
        #expect(forecast.contexts == 0)
        #expect(forecast.eligible == nil)
        #expect(forecast.surfaces.first?.locales.isEmpty == true)
        #expect(forecast.messages.first?.eligible == nil)
    }

    @Test func onlyABareMessageHasNoBuckets() throws {
        #expect(try Self.forecast(Self.messaging(["m": Self.message([:])])).bucketShare == 1)
        for (start, count, share) in [(0, 1000, 0.1), (0, 0, 0.0), (5000, 10_000, 1.0), (9500, 1000, 0.1)] {
            let document = NimbusRecipe.experiment(
                "mine", ["a": Self.messaging([:])],
                [
                    "bucketConfig": [
                        "randomizationUnit": "nimbus_id", "namespace": "n", "start": .integer(Int64(start)),
                        "count": .integer(Int64(count)), "total": 10_000,
                    ]
                ])
            #expect(abs(try Self.forecast(document).bucketShare - share) < 1e-12)
        }
    }

    @Test func identifiersAreTakenOut() {
        let context = Sample.context(["nimbus_id": "a", "user_id": "b", "age": 3], locale: "de")
        #expect(context.withoutIdentifiers.attributes == ["age": 3])
        #expect(context.withoutIdentifiers.locale == "de")
        let other = Sample.context(["age": 3])
        #expect(other.withoutIdentifiers === other)
    }
}
