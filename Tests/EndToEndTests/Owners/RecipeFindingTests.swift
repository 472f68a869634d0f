import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Faults and warnings of recipes, each with its pointer (docs/reference/http-api.md#faults-and-warnings).
@Suite struct RecipeFindingTests {
    /// A recipe and the locations of its faults.
    private static let faults: [(JSONValue, [String])] = [
        ([], [" type"]), ("text", [" type"]), ([:], [" unknown_kind"]), (["nonsense": 1], [" unknown_kind"]),
        (
            ["triggers": ["BAD": "1 +", "WORSE": "!x", "FINE": "true"]],
            ["/triggers/BAD jexl_parse", "/triggers/WORSE jexl_parse"]
        ),
        (["messages": [:], "slug": "another"], ["/slug slug_mismatch"]),
    ]

    @Test(arguments: faults.indices)
    func `A fault refuses the recipe, and all are named`(_ index: Int) throws {
        let (recipe, expected) = Self.faults[index]
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/recipes/r", recipe)
        #expect(places(expectProblem(answer, 422)) == expected)
        expectProblem(try app.server.get("\(app.path)/recipes/r"), 404)
        let validated = try app.server.post(
            "\(app.path)/recipes/validate", recipe["slug"] == .null ? recipe : ["messages": [:], "slug": 7])
        #expect(validated.status == 422 || recipe["slug"] != .null)
    }

    @Test func `A fault's message says where in the expression`() throws {
        let app = try TestApp()
        let answer = try app.server.put("\(app.path)/recipes/r", ["triggers": ["BAD": "1 == 1 =="]])
        #expect(expectProblem(answer, 422).first?["message"].string?.contains("byte") == true)
    }

    @Test func `An unknown key of an offer is a fault, with the key that is near`() throws {
        let app = try TestApp()
        let offer: JSONValue = [
            "surface": "homescreen", "text": "Hi", "trigger": ["launchs": 3], "pacing": ["tags": 1],
        ]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "offer": offer,
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "?", "multline": true]]],
        ]
        let errors = expectProblem(try app.server.put("\(app.path)/recipes/q", recipe), 422)
        #expect(
            places(errors) == ["/offer/trigger/launchs unknown_key", "/offer/pacing/tags type"])
        #expect(errors.first?["did_you_mean"] == "launches")
        var fixed = recipe.object ?? [:]
        fixed["offer"] = ["surface": "homescreen", "text": "Hi", "trigger": ["daysSinceFirstLaunch": 3]]
        let answer = try app.server.put("\(app.path)/recipes/q", .object(fixed))
        let warnings = answer.json["warnings"].array ?? []
        #expect(answer.status == 201 && warnings.contains { $0["did_you_mean"] == "multiline" })
    }

    /// Mistakes that the SDK tolerates: the recipe is published and served as the SDK would read it, and each mistake
    /// gives a warning.
    private static let warnings: [(JSONObject, [String])] = [
        (["style": "NOPE"], ["/messages/m/style unknown_style"]),
        (["style": 7], ["/messages/m/style type"]),
        (["surface": "nowhere"], ["/messages/m/surface unknown_surface"]),
        (["action": "NOPE"], ["/messages/m/action unknown_action"]),
        (["trigger-if-all": ["NOPE", "ALWAYS"]], ["/messages/m/trigger-if-all/0 unknown_trigger"]),
        (["except-if-any": ["NOPE"]], ["/messages/m/except-if-any/0 unknown_trigger"]),
        (["text": ""], ["/messages/m/text empty_text"]),
        (["title": 1, "button-label": false], ["/messages/m/title type", "/messages/m/button-label type"]),
        (["is-control": "yes"], ["/messages/m/is-control type"]),
        (["trigger-if-all": "ALWAYS"], ["/messages/m/trigger-if-all type"]),
        (["microsurveyConfig": ["options": [1]]], ["/messages/m/microsurveyConfig/options/0 type"]),
        (["colour": "red"], ["/messages/m/colour unknown_key"]),
        (["trigger": ["ALWAYS"]], ["/messages/m/trigger alias"]),
        (["exclude-if-any": ["NEVER"]], ["/messages/m/exclude-if-any alias"]),
        (["microsurveyConfig": ["answers": ["A"]]], ["/messages/m/microsurveyConfig/answers alias"]),
    ]

    @Test(arguments: warnings.indices)
    func `What the SDK tolerates is a warning, and a fault when asked to be strict`(_ index: Int) throws {
        let (fields, expected) = Self.warnings[index]
        let app = try TestApp()
        let target = "\(app.path)/recipes/r"
        let recipe = Sample.message("m", fields)
        let strict = try app.server.put(target + "?strict=true", recipe)
        #expect(Set(places(expectProblem(strict, 422))) == Set(expected))
        let validated = try app.server.post("\(app.path)/recipes/validate", recipe)
        #expect(validated.status == 200)
        expectProblem(try app.server.post("\(app.path)/recipes/validate?strict=true", recipe), 422)
        expectProblem(try app.server.get(target), 404)
        let published = try app.server.put(target, recipe)
        #expect(published.status == 201)
        #expect(Set(places(published.json["warnings"])) == Set(expected))
        #expect(published.json["warnings"] == validated.json["warnings"])
    }

    /// An expression, and the code of its warning.
    @Test(
        arguments: [
            ("undeclared == 1", "undeclared_identifier"), ("'text'", "not_boolean"), ("2.0", "not_boolean"),
            ("1 < 'a'", "always_fails"), ("plan|shout == 'A'", "unknown_transform"),
        ])
    func `An expression that parses is at most a warning`(_ expression: String, _ code: String) throws {
        let app = try TestApp()
        let answer = try app.publish("r", ["triggers": ["T": .string(expression)]])
        #expect(places(answer.json["warnings"]).contains("/triggers/T \(code)"))
    }

    @Test func `Aliases are read as what their authors meant`() throws {
        let app = try TestApp()
        try app.publish("a", Sample.message("never", ["trigger": ["NEVER"]]))
        try app.publish("b", Sample.message("out", ["exclude-if-any": ["ALWAYS"]]))
        try app.publish(
            "c",
            Sample.message("s", ["surface": "microsurvey", "microsurveyConfig": ["answers": ["A", "B"]]]))
        try app.publish("d", Sample.message("both", ["trigger": ["NEVER"], "trigger-if-all": ["ALWAYS"]]))
        let answer = try app.poll().json["messages"]
        #expect(Set(answer.strings("key")) == ["both", "s"])
        let survey = answer.array?.first { $0["key"] == "s" } ?? .null
        #expect(survey["microsurvey"]["options"].strings("text") == ["A", "B"])
    }

    @Test func `The seed's recipe is taken as printed, with one warning`() throws {
        let app = try TestApp(manifest: .file(Repository.apps + "/firefox-ios/manifest.json"))
        let recipe = try JSONValue.file(Repository.recipes + "/firefox-ios/homepage-microsurvey.json")
        let answer = try app.publish("homepage-microsurvey", recipe)
        #expect(
            places(answer.json["warnings"]) == [
                "/messages/homepage-microsurvey-message/microsurveyConfig/answers alias"
            ])
    }

    @Test func `Malformed JSON is 400, with its place`() throws {
        let app = try TestApp()
        for text in ["{\"messages\": }", "", "{\"a\": 1, \"a\": 2}", "\u{FEFF}{}", "{} {}"] {
            let answer = try app.server.send("PUT", "\(app.path)/recipes/r", body: Array(text.utf8))
            #expect(expectProblem(answer, 400).first?["code"].string?.hasPrefix("json_") == true)
        }
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let answer = try app.server.send("PUT", "\(app.path)/recipes/r", body: Array("{\"x\": \(deep)}".utf8))
        #expect(places(expectProblem(answer, 400)) == [" json_depth"])
    }
}
