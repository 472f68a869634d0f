import BellwetherJSON
import Testing

@testable import BellwetherCore

/// What is kept of triggers from one publish to the next.
@Suite struct TriggerLibraryTests {
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
        let first = try catalog(["age > 1", "age > 2"])
        let second = try catalog(["age > 3", "age > 2"], after: first)
        let kept = try #require(first.triggers.first { $0.source == "age > 2" })
        #expect(second.triggers.contains { $0 === kept })
        #expect(second.library.series === first.library.series && second.library.count == 3)
    }

    @Test func aTextKeepsItsNumber() {
        var library = TriggerLibrary()
        let numbers = ["a", "b", "c"].map { library.trigger($0).number }
        #expect(Set(numbers) == [0, 1, 2])
        #expect(["a", "b", "c", "\u{E9}", "e\u{301}"].map { library.trigger($0).number } == numbers + [3, 4])
    }

    /// Texts that change with every publish do not gather for ever, and numbers are never given twice in a series.
    @Test func whatNobodyUsesIsForgotten() throws {
        var last = try catalog(["age > 0"])
        var series = 0
        for age in 1...2_500 {
            let next = try catalog(["age > \(age)"], after: last)
            if next.library.series !== last.library.series { series += 1 }
            #expect(next.library.count <= TriggerLibrary.slack + 2)
            last = next
        }
        #expect(series == 2)
        #expect(last.triggers.map(\.source) == ["age > 2500"])
    }
}
