import BellwetherCore
import BellwetherJSON
import Testing

/// The values that targeting can read in a stateless evaluation (docs/reference/experiments.md#stateless-evaluation).
@Suite struct FeatureTargetingTests {
    private func words(_ targeting: String, _ context: JSONObject = [:]) throws -> String? {
        let recipe = FeatureScene.recipe("e", ["targeting": .string(targeting)])
        return try FeatureScene(["e": recipe]).words("e", "client", context)
    }

    private static let isIn = "Enrolled Qualified on"
    private static let isOut = "NotEnrolled NotTargeted"

    @Test(arguments: [
        "app_name == 'sample' && app_id == 'org.sample' && channel == 'release'", "app_version == null",
        "app_build == null", "language == null && region == null", "is_already_enrolled == false",
    ])
    func theAppIsKnown(_ targeting: String) throws { #expect(try words(targeting) == Self.isIn) }

    @Test func theContextLiesOverTheApp() throws {
        let targeting = "app_id == 'mine' && app_version == '2' && app_build == null"
        #expect(try words(targeting, ["app_id": "mine", "app_version": "2", "app_build": .null]) == Self.isIn)
        #expect(try words("is_already_enrolled", ["is_already_enrolled": true]) == Self.isOut)
    }

    @Test(arguments: [
        ("en-US", "language == 'en' && region == 'US'"), ("es", "language == 'es' && region == null"),
        ("-unknown", "language == null && region == 'unknown'"), ("zh-Hant-TW", "language == 'zh' && region == 'Hant'"),
        ("en-", "language == 'en' && region == null"), ("", "language == '' && region == null"),
        ("é-\u{301}", "language == 'é' && region == '\u{301}'"),
    ])
    func theLocaleHasParts(locale: String, targeting: String) throws {
        #expect(try words(targeting, ["locale": .string(locale)]) == Self.isIn)
        #expect(try words("locale == '\(locale)'", ["locale": .string(locale)]) == Self.isIn)
    }

    @Test func whatTheContextSaysOfLanguageCounts() throws {
        let context: JSONObject = ["locale": "en-US", "language": "de", "region": ["CH"]]
        #expect(try words("language == 'de' && 'CH' in region", context) == Self.isIn)
        #expect(try words("language == null", ["locale": 3]) == Self.isIn)
    }

    @Test(arguments: ["locale == null", "os == 'iOS'", "nimbus_id == null", "days_since_install == 0", "x.y"])
    func whatWasNotSentIsUndefined(_ targeting: String) throws {
        #expect(try words(targeting)?.hasPrefix("Error ") == true)
    }

    @Test(arguments: [
        "'2.0'|versionCompare('1.0') > 0", "'visit'|eventSum('Years', 1, 0) == 0",
        "'visit'|eventLastSeen('Days') > 0", "'x'|bucketSample(0, 10000, 10000)", "'x'|preferenceIsUserSet",
    ])
    func thereAreNoTransforms(_ targeting: String) throws {
        #expect(try words(targeting)?.contains("there is no transform") == true)
        // The error occurs only if the transform is evaluated, as in every expression.
        #expect(try words("true || (\(targeting))") == Self.isIn)
        #expect(try words("(\(targeting)) || true") == Self.isIn)
    }

    @Test(arguments: ["1", "'true'", "null", "age", "tags"])
    func onlyABooleanTargets(_ targeting: String) throws {
        #expect(try words(targeting, ["age": 3, "tags": [true]])?.hasPrefix("Error ") == true)
    }

    @Test func valuesKeepTheirTypes() throws {
        let context: JSONObject = [
            "count": 3, "ratio": 0.5, "user": ["plan": "paid", "tags": ["a", "b"]], "off": false,
        ]
        let targeting = "count == 3 && ratio < 1 && user.plan == 'paid' && 'b' in user.tags && off == false"
        #expect(try words(targeting, context) == Self.isIn)
        #expect(try words("user.plan == 'free'", context) == Self.isOut)
    }

    @Test func anExpensiveContextIsAnErrorAndNoMore() throws {
        let items = JSONValue.array(Array(repeating: 1, count: 200_000))
        #expect(try words("'x' in items", ["items": items])?.hasPrefix("Error ") == true)
    }
}
