import BellwetherCore
import BellwetherJSON
import Testing

/// The merge of one value over another (docs/reference/experiments.md#patch-rule).
@Suite struct JSONPatchTests {
    /// The patch, the patched value, and the result.
    @Test(
        arguments: [
            ([:], ["a": 1], ["a": 1]), (["a": nil], ["a": 1], [:]), (["a": 1], ["a": nil], ["a": 1]),
            (["a": []], ["a": [1]], ["a": []]), (["a": ["a": 1]], ["a": ["a": 2, "b": 2]], ["a": ["a": 1, "b": 2]]),
            (["a": nil], [:], ["a": nil]), (["a": ["b": nil]], ["a": ["b": 1, "c": 2]], ["a": ["c": 2]]),
            (["a": ["b": nil]], [:], ["a": ["b": nil]]), (["a": 1], ["a": ["b": 2]], ["a": 1]),
            (["a": ["b": 2]], ["a": 1], ["a": ["b": 2]]), (["a": ["b": 2]], ["a": nil], ["a": ["b": 2]]),
            (["a": nil], ["a": nil], [:]), (["b": 1], ["a": 2], ["a": 2, "b": 1]),
        ] as [(JSONObject, JSONObject, JSONObject)])
    func vector(_ patch: JSONObject, _ fallback: JSONObject, _ expected: JSONObject) {
        #expect(JSONPatch.merge(patch, over: fallback) == expected)
    }

    @Test func keysAreBytes() {
        #expect(JSONPatch.merge(["\u{E9}": nil], over: ["e\u{301}": 1]) == ["e\u{301}": 1, "\u{E9}": nil])
    }

    @Test(arguments: 0..<200)
    func laws(_ seed: UInt64) {
        var random = JSONGenerator(seed: seed)
        let layers = (0..<5).map { _ in random.object(depth: 3) }
        let fallback = layers[0]
        #expect(JSONPatch.merge([:], over: fallback) == fallback, "an empty patch changes nothing")
        #expect(JSONPatch.merge(fallback, over: [:]) == fallback, "over nothing the patch is the result")
        for patch in layers.dropFirst() {
            #expect(JSONPatch.merge(patch, over: fallback) == Self.naive(patch, over: fallback))
        }
        let oneByOne = layers.dropFirst().reduce(fallback) { Self.naive($1, over: $0) }
        #expect(JSONPatch.merge(layers) == oneByOne, "many at once are one after another")
        if !Self.hasNull(.object(layers[1])) {
            let once = JSONPatch.merge(layers[1], over: fallback)
            #expect(JSONPatch.merge(layers[1], over: once) == once, "without nulls, twice is once")
        }
    }

    /// The rule exactly as in its text.
    private static func naive(_ patch: JSONObject, over fallback: JSONObject) -> JSONObject {
        var result = fallback
        for (key, value) in patch {
            switch (value, fallback[key]) {
            case (_, nil): result[key] = .some(value)
            case (.null, .some): result[key] = nil
            case (.object(let above), .some(.object(let below))): result[key] = .object(naive(above, over: below))
            case (_, .some): result[key] = value
            }
        }
        return result
    }

    private static func hasNull(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .object(let members): members.contains { hasNull($0.value) }
        default: false
        }
    }
}
