import BellwetherJSON
import TestSupport
import Testing

/// `bellwether explain` (docs/reference/http-api.md#the-command-explain): the same as the explain route, offline, on
/// files.
@Suite struct ExplainCommandTests {
    private static let strings: JSONValue = ["T": ["Title": "Hello"]]
    private static let recipes: [(String, JSONValue)] = [
        (
            "one",
            Sample.message(
                "card", ["trigger-if-all": ["ADULT", "TWO_VISITS"], "except-if-any": ["IS_BETA"], "title": "T/Title"])
        ),
        ("two", NimbusRecipe.experiment("two", ["a": Sample.message("tested", ["style": "ONCE"])])),
        ("three", ["triggers": ["ADULT": "plan == 'gold' && age >= 18"]]),
        (
            "over",
            NimbusRecipe.experiment(
                "over", ["a": Sample.message("past")], ["startDate": "2020-01-01", "endDate": "2020-02-01"])
        ),
        ("four", Sample.message("broken", ["style": "NOPE"])),
        ("five", NimbusRecipe.experiment("five", ["a": Sample.message("next")], ["startDate": "2099-01-01"])),
    ]
    private static let request: JSONValue = [
        "surface": "card", "now": "2026-11-21T07:00:00Z",
        "context": ["age": 17, "plan": "gold", "beta": true, "locale": "de", "nimbus_id": "n", "nobody": 1],
        "events": [["name": "visit", "at": "2026-11-20T09:00:00Z"]],
        "ledger": ["tested": ["display_count": 1, "dismissed": true]],
    ]

    private func arguments(_ folder: TemporaryDirectory, request: JSONValue = request) throws -> [String] {
        let manifest = try folder.write(TestApp.manifest.text, to: "manifest.json")
        try folder.write(Self.strings.text, to: "strings/en-US.json")
        for (slug, recipe) in Self.recipes { try folder.write(recipe.text, to: "recipes/\(slug).json") }
        let question = try folder.write(request.text, to: "request.json")
        return [
            "--manifest", manifest, "--strings", folder.path + "/strings", "--recipes", folder.path + "/recipes",
            "--request", question,
        ]
    }

    private func explain(_ arguments: [String]) throws -> Command {
        try Command.run([BellwetherProgram.path, "explain"] + arguments)
    }

    @Test func `As JSON it is what the API answers`() throws {
        let folder = try TemporaryDirectory()
        let result = try explain(arguments(folder) + ["--json"])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let app = try TestApp()
        _ = try app.server.put("\(app.path)/strings/en-US", Self.strings)
        for (slug, recipe) in Self.recipes { try app.publish(slug, recipe) }
        let answer = try app.server.post("\(app.path)/explain", Self.request)
        #expect(answer.status == 200)
        #expect(result.lines == [answer.text])

        let card = answer.json["messages"].array?.first { $0["key"] == "card" } ?? .null
        #expect(
            card["blocked_by"] == [
                ["gate": "trigger", "trigger": "ADULT", "expression": "age >= 18", "values": ["age": 17]],
                [
                    "gate": "trigger", "trigger": "TWO_VISITS",
                    "expression": "'visit'|eventSum('Years', 4, 0) >= 2",
                    "values": ["'visit'|eventSum('Years', 4, 0)": 1.0],
                ],
                ["gate": "exclusion", "trigger": "IS_BETA", "expression": "beta == true", "values": ["beta": true]],
            ])
        let tested = answer.json["messages"].array?.first { $0["key"] == "tested" } ?? .null
        #expect(
            tested["blocked_by"] == [
                ["gate": "display_cap", "values": ["display_count": 1, "max_display_count": 1, "expired": false]],
                ["gate": "interaction", "values": ["dismissals": 1, "clicked": false]],
            ])
        let broken = answer.json["messages"].array?.first { $0["key"] == "broken" } ?? .null
        #expect(broken["blocked_by"][0]["gate"] == "malformed")
    }

    @Test func `For people it is a tree`() throws {
        let folder = try TemporaryDirectory()
        let result = try explain(arguments(folder))
        #expect(result.status == 0)
        #expect(
            result.output == """
                card at 2026-11-21T07:00:00Z: nothing is shown

                enrollments
                ├─ ✓ four: Enrolled rollout (Qualified)
                ├─ ✓ one: Enrolled rollout (Qualified)
                ├─ ✓ three: Enrolled rollout (Qualified)
                └─ ✓ two: Enrolled a (Qualified)

                not served
                ├─ five: scheduled for 2099-01-01T00:00:00Z
                └─ over: ended since 2020-02-01T00:00:00Z

                ✗ tested: expired (card, priority 50)
                ├─ ✗ displays: 1 of 1
                ├─ ✗ dismissed
                └─ ✓ ALWAYS: true

                ✗ card: trigger_false (card, priority 40)
                ├─ ✓ displays: 0 of 1000
                ├─ ✗ ADULT: plan == 'gold' && age >= 18
                │  └─ age >= 18 must be true: age is 17
                ├─ ✗ TWO_VISITS: 'visit'|eventSum('Years', 4, 0) >= 2
                │  └─ 'visit'|eventSum('Years', 4, 0) is 1.0
                └─ ✗ except IS_BETA: beta == true
                   └─ beta is true

                ✗ broken: malformed (card)
                └─ ✗ malformed: its style "NOPE" is not known

                """)
    }

    @Test func `The tree says how far a gate of pacing is`() throws {
        let folder = try TemporaryDirectory()
        let arguments = try arguments(folder)
        let pacing: JSONValue = ["start": "2099-01-01T00:00:00Z", "sample": ["count": 0, "total": 10]]
        try folder.write(Sample.message("late", ["pacing": pacing]).text, to: "recipes/late.json")
        let result = try explain(arguments)
        #expect(result.output.contains("✗ late: not_started (card, priority 40)\n"), "\(result.output)")
        #expect(result.output.contains("─ ✗ not started: until 2099-01-01T00:00:00Z\n"), "\(result.output)")
        #expect(result.output.contains("─ ✗ sampled out: count 0, total 10, bucket null\n"), "\(result.output)")
    }

    @Test func `What cannot be read is told, and the exit is 1`() throws {
        let folder = try TemporaryDirectory()
        let fine = try arguments(folder)
        func expectRefusal(_ arguments: [String], _ text: String) throws {
            let result = try explain(arguments)
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(result.errors.contains(text), "\(result.errors)")
        }
        try expectRefusal(["--manifest", folder.path + "/none"] + fine[2...], "/none: it cannot be read")
        try expectRefusal(fine[..<4] + ["--recipes", folder.path + "/none"] + fine[6...], "the folder cannot be read")
        try expectRefusal(fine[..<6] + ["--request", folder.path + "/none"], "/none: it cannot be read")
        try expectRefusal(
            arguments(folder, request: ["surface": "nowhere", "now": "soon"]), "/surface: the app has no surface")
        let events = JSONValue.array((0..<1001).map { _ in ["name": "visit"] })
        try expectRefusal(arguments(folder, request: ["surface": "card", "events": events]), "[too_many]")
        try folder.write("{", to: "request.json")
        try expectRefusal(fine, "request.json: ")
        try folder.write(Self.request.text, to: "request.json")
        try folder.write("{\"triggers\": {\"T\": \"1 +\"}}", to: "recipes/bad.json")
        try expectRefusal(fine, "[jexl_parse] at /triggers/T")
        let usage = try explain(["--manifest", "m"])
        #expect(usage.status == 64)
    }
}
