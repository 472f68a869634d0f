import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// A publish compiles only expressions that the previous catalog does not have.
@Suite struct TriggerReuseTests {
    private func catalog(_ triggers: [String], after previous: Catalog? = nil) throws -> Catalog {
        var messages = JSONObject()
        var texts = JSONObject()
        for (place, text) in triggers.enumerated() {
            texts["T\(place)"] = .string(text)
            messages["m\(place)"] = ["text": "x", "surface": "microsurvey", "trigger-if-all": [.string("T\(place)")]]
        }
        let recipe: JSONObject = ["messages": .object(messages), "triggers": .object(texts)]
        return try Sample.catalog(["e": .object(recipe)], in: Sample.manifest(), after: previous)
    }

    @Test func oneTextIsCompiledOnce() throws {
        let first = try catalog(["age > 1", "age > 2", "age > 2"])
        #expect(first.triggers.map(\.source) == ["age > 1", "age > 2"])
        let second = try catalog(["age > 3", "age > 2"], after: first)
        let kept = try #require(first.triggers.first { $0.source == "age > 2" })
        #expect(second.triggers.contains { $0 === kept })
        let third = try catalog(["age > 3"], after: second)
        #expect(third.triggers.map(\.source) == ["age > 3"], "what no message uses is gone")
    }
}
