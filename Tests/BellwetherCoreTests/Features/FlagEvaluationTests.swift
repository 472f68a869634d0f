import BellwetherCore
import BellwetherJSON
import Testing

/// The value of a flag for a client, and its reason (docs/reference/features.md#values-and-reasons).
@Suite struct FlagEvaluationTests {
    private typealias Scene = FlagScene

    @Test func `Without recipes a flag has its default`() throws {
        let scene = try Scene([:])
        #expect(scene.words("checkout.steps") == "3 STATIC default default")
        #expect(scene.words("checkout.rate") == "1.0 STATIC default default")
        #expect(scene.words("checkout.hint") == "- STATIC default none")
        #expect(
            scene.flag("checkout")?.value == [
                "steps": 3, "label": "Buy", "rate": 1.0, "express": false,
                "layout": ["columns": 2, "colors": ["ink": "black"]],
            ])
        #expect(scene.words("checkout")?.hasSuffix("STATIC default default") == true)
    }

    @Test func `A key that is not declared is no flag`() throws {
        let scene = try Scene([:])
        for key in ["", "checkou", "checkout.", "checkout.step", "checkout.steps.x", "messaging", "Checkout", ".steps"]
        {
            #expect(scene.flag(key) == nil)
        }
    }

    @Test func `A rollout matches, an experiment with one branch too, and several branches split`() throws {
        let on: JSONValue = ["steps": 1]
        #expect(
            try Scene(["r": Scene.recipe("r", ["on": on], rollout: true)]).words("checkout.steps")
                == "1 TARGETING_MATCH on rollout")
        #expect(
            try Scene(["e": Scene.recipe("e", ["on": on])]).words("checkout.steps") == "1 TARGETING_MATCH on experiment"
        )
        let split = try Scene(["e": Scene.recipe("e", ["on": on, "on2": on])]).flag("checkout.steps")
        #expect(split?.reason == .split && split?.recipe == "e" && split?.variant.text.hasPrefix("on") == true)
    }

    @Test func `A branch that leaves a variable alone is a variant all the same`() throws {
        let scene = try Scene(["e": Scene.recipe("e", ["control": .null, "treatment": ["steps": 1]])])
        var seen: Set<String> = []
        for number in 0..<40 { seen.insert(scene.words("checkout.steps", "c\(number)") ?? "") }
        #expect(seen == ["3 SPLIT control default", "1 SPLIT treatment experiment"])
        // No branch sets this variable, so the experiment does not affect it.
        #expect(scene.words("checkout.label") == "\"Buy\" STATIC default default")
        #expect(scene.words("checkout.hint") == "- STATIC default none")
    }

    @Test func `An experiment lies over a rollout, and both over the defaults`() throws {
        let scene = try Scene([
            "r": Scene.recipe(
                "r", ["on": ["steps": 2, "label": "Order", "layout": ["colors": ["ink": "red"]]]], rollout: true),
            "e": Scene.recipe("e", ["only": ["steps": 1, "layout": ["columns": 1]]]),
        ])
        #expect(scene.words("checkout.steps") == "1 TARGETING_MATCH only experiment")
        #expect(scene.words("checkout.label") == "\"Order\" TARGETING_MATCH on rollout")
        #expect(scene.flag("checkout.layout")?.value == ["columns": 1, "colors": ["ink": "red"]])
        #expect(scene.words("checkout.express") == "false STATIC default default")
        #expect(scene.flag("checkout")?.recipe == "e")
    }

    @Test func `A null gives the default back`() throws {
        let scene = try Scene([
            "r": Scene.recipe("r", ["on": ["steps": 2, "hint": "x"]], rollout: true),
            "e": Scene.recipe("e", ["only": ["steps": nil, "label": nil, "hint": nil]]),
        ])
        #expect(scene.words("checkout.steps") == "3 TARGETING_MATCH only default")
        #expect(scene.words("checkout.label") == "\"Buy\" TARGETING_MATCH only default")
        #expect(scene.words("checkout.hint") == "- TARGETING_MATCH only none")
        #expect(scene.flag("checkout")?.value?.object?["hint"] == nil)
    }

    @Test func `A value of another type is left out`() throws {
        let scene = try Scene([
            "e": Scene.recipe("e", ["only": ["steps": "1", "rate": 2, "express": 1, "more": 5, "label": "Go"]])
        ])
        #expect(scene.words("checkout.steps") == "3 STATIC default default")
        #expect(scene.words("checkout.rate") == "2.0 TARGETING_MATCH only experiment")
        #expect(scene.words("checkout.express") == "false STATIC default default")
        #expect(scene.flag("checkout")?.value?.object?["more"] == 5, "what is not declared stays")
        #expect(scene.flag("checkout.more") == nil)
    }

    @Test func `A paused recipe contributes nothing`() throws {
        let paused = Scene.recipe("p", ["on": ["steps": 1, "hint": "x"]], rollout: true)
        let alone = try Scene([:], paused: ["p": paused])
        #expect(alone.words("checkout.steps") == "3 STATIC default default")
        #expect(alone.words("checkout.hint") == "- DISABLED default none")
        let beside = try Scene(["e": Scene.recipe("e", ["only": ["hint": "y"]])], paused: ["p": paused])
        #expect(beside.words("checkout.hint") == "\"y\" TARGETING_MATCH only experiment")
    }

    @Test func `The whole of a feature without defaults is disabled with its only recipe`() throws {
        let features: JSONValue = ["checkout": ["variables": ["hint": ["type": "string"]]]]
        let recipe = Scene.recipe("p", ["on": ["hint": "x"]], rollout: true)
        #expect(
            try Scene(features: features, [:], paused: ["p": recipe]).words("checkout") == "- DISABLED default none")
        #expect(try Scene(features: features, [:]).words("checkout") == "- STATIC default none")
        #expect(
            try Scene(features: features, ["p": recipe]).words("checkout")
                == #"{"hint":"x"} TARGETING_MATCH on rollout"#)
    }

    @Test func `Targeting reads the context`() throws {
        let scene = try Scene(["e": Scene.recipe("e", ["only": ["steps": 1]], ["targeting": "age > 30"])])
        #expect(scene.words("checkout.steps", "c", ["age": 31]) == "1 TARGETING_MATCH only experiment")
        #expect(scene.words("checkout.steps", "c", ["age": 30]) == "3 STATIC default default")
        #expect(scene.words("checkout.steps") == "3 STATIC default default")
    }
}
