import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// A recipe's effect on a client does not depend on other published recipes.
@Suite struct BranchStabilityTests {
    private static let surface = "microsurvey"

    /// The recipe that never changes. Some clients are enrolled in it, some are not; only this recipe has messages on
    /// its surface.
    private static func one(isRollout: Bool) -> JSONValue {
        let branches = ["control", "a", "b"].map { branch -> JSONValue in
            let message: JSONValue = [
                "surface": .string(surface), "style": "OWN", "text": .string("One \(branch)"),
                "experiment": "{experiment}",
            ]
            let value: JSONValue = [
                "messages": .object(["one-\(branch)": message]), "styles": ["OWN": ["priority": 9]],
            ]
            return [
                "slug": .string(branch), "ratio": 1, "features": [["featureId": "messaging", "value": value]],
            ]
        }
        return [
            "schemaVersion": "1.12.0", "slug": "one", "userFacingName": "n", "userFacingDescription": "d",
            "proposedEnrollment": 7, "isEnrollmentPaused": false, "isRollout": .bool(isRollout),
            "branches": .array(branches),
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "shared", "start": 2000, "count": 6000],
        ]
    }

    /// Adds, pauses, ends and changes other recipes, on the other surface.
    private func disturb(_ scene: inout Scene, _ generator: inout RecipeGenerator) {
        for _ in 0..<generator.one(of: [1, 2, 5]) {
            let slug: Identifier = "e\(generator.one(of: [0, 1, 2, 3, 4, 5]))"
            let state = scene.snapshot?.recipes[slug]?.stored.state
            switch (state, generator.one(of: [0, 1, 2, 3])) {
            case (nil, _), (_, 0), (_, 1): scene.put(slug, Self.elsewhere(generator.recipe(slug.text)))
            case (_, 2), (.ended?, _): scene.publish(.deleteRecipe(slug: slug))
            case (.paused?, _): scene.publish(.setState(slug: slug, generator.one(of: [.live, .ended])))
            default: scene.publish(.setState(slug: slug, generator.one(of: [.paused, .ended])))
            }
        }
    }

    /// The same recipe without messages on the watched surface.
    private static func elsewhere(_ recipe: JSONValue) -> JSONValue {
        switch recipe {
        case .string(surface): "card"
        case .array(let items): .array(items.map(elsewhere))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: elsewhere($0.value)) }))
        default: recipe
        }
    }

    private func branch(_ scene: Scene) -> Identifier? {
        scene.state.enrollments.unpacked.enrollments.first { $0.slug == "one" }?.enrolledBranch?.branch
    }

    private static let seeds = Trials.count(UInt64(12), many: 40)

    @Test(arguments: 0..<seeds)
    func aBranchIsStableWhateverElseIsPublished(_ seed: UInt64) throws {
        var generator = RecipeGenerator(seed: seed)
        var scene = Scene(manifest: RecipeGenerator.manifest)
        scene.clientID = "client-\(seed)"
        // Other recipes may exist before.
        if seed % 2 == 0 { disturb(&scene, &generator) }
        _ = try scene.poll(["card"])
        scene.put("one", Self.one(isRollout: seed % 3 == 0))
        let offered = try scene.next(Identifier(Self.surface))
        let chosen = branch(scene)
        #expect(offered == chosen.map { "one-\($0)" })
        let told = scene.log.filter { $0.experiment == "one" }.map(\.phrase)
        #expect(told == (chosen == nil ? [] : ["enrollment(one)"]))
        for _ in 0..<12 {
            disturb(&scene, &generator)
            scene.now = scene.now.adding(seconds: generator.one(of: [1, 3600, 86_400, 30 * 86_400]))
            let attributes: [String: JSONValue] = ["age": .integer(generator.one(of: [20, 40]))]
            let keys = try scene.poll(["card", Identifier(Self.surface)], attributes: attributes).offers.filter {
                $0.message.facts.surface == Self.surface
            }.map(\.message.key)
            #expect(keys == [offered].compactMap(\.self))
            #expect(branch(scene) == chosen)
            #expect(scene.log.filter { $0.experiment == "one" }.map(\.phrase) == told)
        }
    }

    /// The seeds of the test above include enrolled and other clients.
    @Test func someAreInAndSomeAreNot() throws {
        let branches = try (0..<Self.seeds).map { seed in
            var scene = Scene(manifest: RecipeGenerator.manifest, recipes: ["one": Self.one(isRollout: false)])
            scene.clientID = "client-\(seed)"
            _ = try scene.poll([Identifier(Self.surface)])
            return branch(scene)
        }
        #expect(Set(branches) == [nil, "control", "a", "b"])
    }
}
