import BellwetherJSON
import TestSupport
import Testing

/// PUT and `validate` give the same warnings about mistakes in a recipe, before any client gets it.
@Suite struct RecipeCheckTests {
    /// A recipe and its warnings.
    private static let recipes: [(JSONValue, [String])] = [
        (["triggers": ["T": "age == 'x'"]], ["/triggers/T type_mismatch"]),
        (["triggers": ["T": "age > 18 && age < 10"]], ["/triggers/T never_true"]),
        (["triggers": ["T": "age >= 1 || age < 1"]], ["/triggers/T always_true"]),
        (["triggers": ["T": "1 in tags"]], ["/triggers/T integer_in_list"]),
        (Sample.message("m", ["trigger-if-all": ["NEVER"]]), ["/messages/m/trigger-if-all/0 never_true"]),
        (Sample.message("m", ["title": "Microsurvey/Nope"]), ["/messages/m/title unknown_string_id"]),
        (Sample.message("m", ["action": "https://x.org/{nope}"]), ["/messages/m/action unknown_attribute"]),
        (["styles": ["S": ["max-display-count": 0]]], ["/styles/S/max-display-count cap_zero"]),
        (
            NimbusRecipe.experiment(
                "r", ["a": Sample.message("m", ["title": "Microsurvey/Nope", "style": "NONE"])],
                ["targeting": "plan > 1"]),
            [
                "/targeting type_mismatch", "/branches/0/features/0/value/messages/m/style unknown_style",
                "/branches/0/features/0/value/messages/m/title unknown_string_id",
            ]
        ),
    ]

    @Test(arguments: recipes.indices)
    func `A warning names its place, and is a fault when asked to be strict`(_ index: Int) throws {
        let (recipe, expected) = Self.recipes[index]
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        #expect(Set(places(expectProblem(try app.server.put(target + "?strict=true", recipe), 422))) == Set(expected))
        expectProblem(try app.server.post("\(app.path)/recipes/validate?strict=true", recipe), 422)
        expectProblem(try app.server.get(target), 404)
        let validated = try app.server.post("\(app.path)/recipes/validate", recipe)
        let published = try app.server.put(target, recipe)
        #expect(published.status == 201)
        #expect(Set(places(published.json["warnings"])) == Set(expected))
        #expect(published.json["warnings"] == validated.json["warnings"])
        // The same document again gives the same warnings.
        #expect(try app.server.put(target, recipe).json["warnings"] == published.json["warnings"])
    }

    @Test func `What is live beside it counts`() throws {
        let app = try TestApp()
        try app.publish("one", Sample.message("a"))
        #expect(
            places(try app.publish("two", Sample.message("b")).json["warnings"]) == ["/messages/b/style priority_tie"])
        // A draft is not live, and a recipe is not compared with itself.
        try app.publish("three", Sample.message("c", ["surface": "notification"]), query: "?state=draft")
        #expect(
            try app.publish("four", Sample.message("d", ["surface": "notification"])).json["warnings"].array == [])
        #expect(
            try app.publish("four", Sample.message("e", ["surface": "notification"])).json["warnings"].array == [])
        let next = Sample.message("f", ["surface": "notification"])
        let named = try app.server.post("\(app.path)/recipes/validate?slug=four", next)
        #expect(named.json["warnings"].array == [])
        let nameless = try app.server.post("\(app.path)/recipes/validate", next)
        #expect(places(nameless.json["warnings"]) == ["/messages/f/style priority_tie"])
        expectProblem(try app.server.post("\(app.path)/recipes/validate?slug=", next), 400)

        let buckets: JSONObject = [
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "shared", "start": 0, "count": 100]
        ]
        try app.publish("x", NimbusRecipe.experiment("x", ["a": [:]], buckets))
        let overlapping = try app.publish("y", NimbusRecipe.experiment("y", ["a": [:]], buckets))
        #expect(places(overlapping.json["warnings"]) == ["/bucketConfig bucket_overlap"])
        #expect(overlapping.json["warnings"][0]["message"].string?.contains("\"x\"") == true)
    }

    @Test func `Strings of the app count`() throws {
        let app = try TestApp()
        _ = try app.server.put("\(app.path)/strings/en-US", ["T": ["Known": "Hello", "Other": "Bye"]])
        _ = try app.server.put("\(app.path)/strings/de", ["T": ["Known": "Hallo"]])
        func told(_ title: JSONValue) throws -> [String] {
            places(try app.publish("r", Sample.message("m", ["title": title])).json["warnings"])
        }
        #expect(try told("T/Known") == [])
        #expect(try told("T/Other") == ["/messages/m/title missing_translation"])
        #expect(try told("T/Nope") == ["/messages/m/title unknown_string_id"])
    }

    @Test func `A manifest's own messaging is checked`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["messaging"] = ["triggers": ["T": "age == 'x'"]]
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/manifest", .object(manifest))
        #expect(places(answer.json["warnings"]) == ["/messaging/triggers/T type_mismatch"])
        let strict = try app.server.put("\(app.path)/manifest?strict=true", .object(manifest))
        #expect(places(expectProblem(strict, 422)) == ["/messaging/triggers/T type_mismatch"])
    }

    @Test func `Hostile expressions cost little and crash nothing`() throws {
        let app = try TestApp()
        let wide = (0..<400).map { "age == \($0)" }.joined(separator: " || ")
        let deep = String(repeating: "(", count: 60) + "age > 1 && city == 'x'" + String(repeating: ")", count: 60)
        let many = (0..<200).map { "'\($0)' in plan" }.joined(separator: " && ")
        var triggers: JSONObject = ["WIDE": .string(wide), "DEEP": .string(deep), "MANY": .string(many)]
        for index in 0..<300 {
            triggers["T\(index)"] = .string("age > \(index) && age < 9 || plan == 'a' && plan != 'b' || beta")
        }
        let answer = try app.publish("r", ["triggers": .object(triggers)])
        #expect(answer.json["warnings"].array?.contains { $0["code"] == "undeclared_identifier" } == true)
    }
}
