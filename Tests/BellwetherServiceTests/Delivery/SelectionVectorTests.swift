import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The rows of docs/reference/messaging.md#selection-examples, run through publishing, polls and events.
@Suite struct SelectionVectorTests {
    @Test(arguments: SelectionVector.all)
    func vector(_ vector: SelectionVector) throws {
        var scene = Scene(
            recipe: vector.recipe, manifest: SampleManifest.with(["dialect": .string(vector.dialect)]))
        for step in vector.steps {
            switch step {
            case .next(let surface, let expected):
                #expect(try scene.next(Identifier(surface)) == expected.map { Identifier($0) })
            case .displayed(let key): try scene.report(message: "displayed", key)
            case .clicked(let key): try scene.report(message: "clicked", key)
            case .dismissed(let key): try scene.report(message: "dismissed", key)
            }
        }
        let phrases = scene.log.filter { $0.name != "malformed_feature" }.map(\.phrase)
        #expect(phrases == vector.records)
        for (key, impressions) in vector.impressions {
            #expect(scene.state.ledger[Identifier(key)].displayCount == impressions, "impressions of \(key)")
        }
        if vector.impressions.isEmpty, vector.steps.count == 1 { #expect(scene.state.ledger.entries.isEmpty) }
    }

    @Test func everyVectorIsThere() {
        #expect(Set(SelectionVector.all.map(\.number)) == Set(1...23))
    }
}
