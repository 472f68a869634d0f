import BellwetherCore
import BellwetherJSON
import Testing

/// The placeholder `{experiment}` (docs/reference/messaging.md#experiment-placeholder).
@Suite struct ExperimentSubstitutionTests {
    @Test(arguments: [
        ("{experiment}", "slug"), ("a-{experiment}-b-{experiment}", "a-slug-b-slug"), ("{experimen}", "{experimen}"),
        ("{experiment", "{experiment"), ("{{experiment}}", "{slug}"), ("{Experiment}", "{Experiment}"), ("", ""),
        ("{exp{experiment}", "{expslug"), ("Zoë {experiment} 日本", "Zoë slug 日本"),
        ("{experiment}\u{301}", "slug\u{301}"),
    ])
    func text(_ text: String, _ expected: String) {
        #expect(ExperimentSubstitution.replace(in: text, slug: "slug") == expected)
    }

    @Test func keysAndValuesAtAnyDepth() {
        #expect(
            ExperimentSubstitution.apply(
                slug: "s",
                to: ["{experiment}": ["a": ["{experiment}", ["b-{experiment}": "{experiment}!"], 5, nil, true, 1.5]]])
                == ["s": ["a": ["s", ["b-s": "s!"], 5, nil, true, 1.5]]])
    }

    @Test func withoutASlugNothingIsReplaced() {
        #expect(ExperimentSubstitution.replace(in: "a {experiment}", slug: nil) == "a {experiment}")
    }

    @Test func whatIsPutInIsNotReadAgain() {
        #expect(ExperimentSubstitution.replace(in: "{experiment}", slug: "{experiment}x") == "{experiment}x")
    }

    @Test func keysThatBecomeOneKeepTheFirstPlaceAndTheLastValue() {
        let result = ExperimentSubstitution.apply(slug: "s", to: ["{experiment}": 1, "t": 2, "s": 3])
        #expect(result.keys == ["s", "t"])
        #expect(result["s"] == 3)
    }

    @Test func nothingToReplaceIsTheSameValue() {
        let value: JSONObject = ["a": ["b": ["c", 1, nil]]]
        #expect(ExperimentSubstitution.apply(slug: "s", to: value) == value)
    }
}
