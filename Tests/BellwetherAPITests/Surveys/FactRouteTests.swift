import BellwetherBase
import BellwetherCore
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// Answers that expressions read, over HTTP (docs/reference/audiences.md#answers).
@Suite struct FactRouteTests {
    private static let path = FactWorld.path
    private let world: FactWorld
    private let node: WorkerUnderTest

    init() async throws {
        world = try await FactWorld()
        node = world.nodes[0]
    }

    @discardableResult
    private func save(_ who: String, _ slug: String, _ value: Int64, more: JSONObject = [:]) throws -> String {
        var body: JSONObject = ["answers": ["q": .integer(value)], "is_complete": true]
        body[who.hasPrefix("u") ? "user_id" : "client_id"] = .string(who)
        for (key, value) in more { body[key] = value }
        let answer = try node.send(.post, "\(Self.path)/questionnaires/\(slug)/responses", body: .object(body))
        world.pass(milliseconds: 1000)
        return answer.json["id"].string ?? "\(answer.json)"
    }

    private func identify(_ client: String, _ user: String) throws {
        let body: JSONValue = ["client_id": .string(client), "user_id": .string(user)]
        #expect(try node.send(.post, "\(Self.path)/identify", body: body).status == 200)
    }

    private func delete(_ path: String) throws {
        #expect(try node.send(.delete, "\(Self.path)/\(path)").status == 204)
    }

    // MARK: Explain and copies

    @Test func `Explain tells a fact with its time`() throws {
        let time = world.now.rfc3339
        try save("c", "a", 9)
        let body: JSONValue = ["client_id": "c", "surface": "card"]
        let explained = try node.send(.post, "\(Self.path)/explain", body: body).json
        #expect(explained["audience"] == ["answers": ["n": ["value": 9.0, "at": .string(time)]]])
        #expect(explained["messages"][0]["reason"] == "selected")
        let other = try node.send(.post, "\(Self.path)/explain", body: ["client_id": "d", "surface": "card"]).json
        #expect(other["audience"] == .null)
    }

    @Test func `A hypothetical client has the answers of the request`() throws {
        func explain(_ body: JSONObject) throws -> RecordedResponse {
            var all = body
            all["surface"] = "card"
            return try node.send(.post, "\(Self.path)/explain", body: .object(all))
        }
        let found = try explain(["answers": ["n": 7, "other": ["a", "b"]]]).json
        #expect(found["audience"]["answers"]["n"]["value"] == 7.0 && found["messages"][0]["reason"] == "selected")
        #expect(found["audience"]["answers"]["other"] == .null, "no expression names it")
        let conflict = try explain(["client_id": "c", "answers": ["n": 7]])
        #expect(conflict.status == 400 && conflict.json["errors"][0]["code"] == "conflict")
        #expect(conflict.json["errors"][0]["pointer"] == "/answers")
        let bad = try explain(["answers": ["n": [:], "N": 1, "m": .string(.init(repeating: "x", count: 300))]])
        let codes = bad.json["errors"].array?.map { "\($0["pointer"].string ?? "") \($0["code"].string ?? "")" } ?? []
        #expect(bad.status == 400 && codes.sorted() == ["/answers/N identifier", "/answers/m type", "/answers/n type"])
    }

    @Test func `An agent does not read what respondents wrote`() throws {
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "facts": ["words": "t", "n": "q"],
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "t", "type": "text", "title": "T"], ["id": "q", "type": "nps", "title": "T"],
                ],
            ],
        ]
        try world.put("recipes/d", recipe)
        let trigger: JSONValue = [
            "triggers": ["T": "answer.words == 'x' && answer.n > 5"],
            "messages": ["t": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
        ]
        try world.put("recipes/words", trigger)
        try save("c", "d", 3, more: ["answers": ["t": "my words", "q": 3]])
        let arguments: JSONValue = ["app": "app", "client_id": "c", "surface": "card"]
        let call: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": ["name": "explain", "arguments": arguments],
        ]
        let told = try node.send(.post, "/mcp", body: call).json["result"]["structuredContent"]
        #expect(told["audience"]["answers"]["n"]["value"] == 3.0 && !told.text.contains("my words"), "\(told.text)")
        let explained = try node.send(.post, "\(Self.path)/explain", body: ["client_id": "c", "surface": "card"]).json
        #expect(explained["audience"]["answers"]["words"]["value"] == "my words")
    }

    @Test func `A copy of a person's data has the facts`() throws {
        let time = world.now.rfc3339
        try save("c", "a", 3)
        let want: JSONValue = ["n": ["value": 3.0, "at": .string(time), "slug": "a"]]
        func copy(_ person: String) throws -> JSONValue {
            try node.send(.get, "\(Self.path)/\(person)/export").json["facts"]
        }
        #expect(try copy("clients/c") == want && copy("clients/d") == .null)
        try identify("c", "u")
        #expect(try copy("users/u") == want && copy("clients/c") == .null)
    }

    // MARK: Which answers are facts

    @Test func `Previews, responses of development and drafts bring none`() throws {
        try save("c", "a", 9, more: ["force": true])
        try save("c", "b", 9, more: ["is_dev": true])
        try save("c", "c", 9, more: ["is_complete": false])
        #expect(try world.fact(of: "c") == .null)
        try save("c", "c", 8)
        #expect(try world.fact(of: "c") == 8.0)
    }

    @Test func `Whoever is screened out has no fact`() throws {
        var recipe = FactWorld.questionnaire(["n": "q"]).object ?? [:]
        let quota: JSONValue = ["name": "all", "when": true, "limit": 1]
        recipe["offer"] = ["surface": "card", "text": "?", "pacing": ["quotas": [quota]]]
        try world.put("recipes/a", .object(recipe))
        try save("c", "a", 9)
        try save("d", "a", 9)
        #expect(try world.fact(of: "c") == 9.0 && world.fact(of: "d") == .null)
    }

    @Test func `Removing the facts of a recipe leaves what was answered`() throws {
        try save("c", "a", 9)
        try world.put("recipes/a", FactWorld.questionnaire(nil))
        try save("d", "a", 9)
        #expect(try world.fact(of: "c") == 9.0 && world.fact(of: "d") == .null)
    }

    @Test func `Retention takes a fact with its response`() throws {
        var recipe = FactWorld.questionnaire(["n": "q"]).object ?? [:]
        recipe["retention_days"] = 3
        try world.put("recipes/a", .object(recipe))
        try save("c", "b", 4)
        try save("c", "a", 9)
        world.pass(milliseconds: 3 * 86_400_000)
        let app = try #require(node.worker.snapshot.apps["app"])
        CleanUpRuns(in: node.worker.services.persistence, now: node.now)
            .run(CleanUpRuns.rules(for: app, retentionDays: nil))
        #expect(try world.fact(of: "c") == .null && !world.isOffered(to: "c"), "no earlier answer comes back")
    }

    // MARK: Identification

    /// The user's own response stays, and the client's is kept without a respondent. The fact is the later one.
    private func saveTwice() throws -> String {
        try save("u", "a", 2)
        let id = try save("c", "a", 9)
        try identify("c", "u")
        #expect(try world.fact(of: "c") == 9.0)
        return id
    }

    @Test func `A fact goes with a response that has lost its respondent`() throws {
        try delete("responses/\(saveTwice())")
        #expect(try world.fact(of: "c") == .null)
    }

    @Test func `A fact of a user goes when the client is erased whose response it is`() throws {
        _ = try saveTwice()
        try identify("d", "u")
        #expect(try world.fact(of: "d") == 9.0 && world.isOffered(to: "d"))
        try delete("clients/c")
        #expect(try world.fact(of: "d") == .null && !world.isOffered(to: "d"))
    }

    @Test func `A new fact of a user reaches the polls of all clients`() throws {
        for client in ["c", "d"] { try identify(client, "u") }
        for _ in 0..<2 { #expect(try !world.isOffered(to: "d")) }
        try save("c", "a", 9)
        #expect(try world.isOffered(to: "d"))
        try save("u", "b", 1)
        for client in ["c", "d"] { #expect(try !world.isOffered(to: client)) }
    }

    // MARK: Flows

    private func flow(_ more: JSONObject) -> JSONValue {
        var flow: JSONObject = [
            "kind": "flow",
            "steps": [
                ["id": "s", "type": "form", "config": ["fields": [["id": "color", "type": "text", "label": "?"]]]],
                [
                    "id": "q", "type": "question",
                    "config": ["title": "?", "options": [["id": "one", "label": "1"], ["id": "two", "label": "2"]]],
                ],
            ],
        ]
        for (key, value) in more { flow[key] = value }
        return .object(flow)
    }

    private func walk(_ client: String, color: String?) throws -> String {
        let begun = try node.send(.post, "\(Self.path)/flows/f/runs", body: ["client_id": .string(client)])
        let id = begun.json["run_id"].string ?? "\(begun.json)"
        let form: JSONValue = color.map { ["color": .string($0)] } ?? [:]
        for (step, response) in [("s", form), ("q", ["selected": ["two"]])] as [(String, JSONValue)] {
            let action: JSONValue = ["action": "next", "step_id": .string(step), "response": response]
            let answer = try node.send(.post, "\(Self.path)/runs/\(id)/advance", body: action)
            #expect(answer.status == 200, "\(answer.json)")
        }
        world.pass(milliseconds: 1000)
        return id
    }

    private func color(_ person: String) throws -> JSONValue {
        try node.send(.get, "\(Self.path)/\(person)/export").json["facts"]["color"]["value"]
    }

    @Test func `A completed flow brings its answers`() throws {
        try world.put("recipes/f", flow(["facts": ["color": "s.color", "pick": "q.selected"]]))
        _ = try walk("c", color: "red")
        let facts = try node.send(.get, "\(Self.path)/clients/c/export").json["facts"]
        #expect(facts["color"]["value"] == "red" && facts["pick"]["value"] == ["two"])
        #expect(facts["pick"]["slug"] == "f")
    }

    @Test(arguments: ["run", "client"])
    func `A run that stays with an identified client takes its fact with it`(_ part: String) throws {
        try world.put("recipes/f", flow(["facts": ["color": "s.color"]]))
        let first = try walk("c", color: "red")
        _ = try walk("c", color: nil)
        try identify("c", "u")
        #expect(try color("users/u") == "red")
        try delete(part == "run" ? "responses/\(first)" : "clients/c")
        #expect(try color("users/u") == .null)
    }

    @Test func `An audience reads facts`() throws {
        let rules: JSONValue = ["conditions": [["trait": "answer.n", "operator": "gte", "value": 9]]]
        try world.put("recipes/f", flow(["active": true]))
        try world.put("recipes/fans", flow(["audience_rules": rules]))
        try identify("c", "u")
        func chosen(_ query: String) throws -> JSONValue {
            try node.send(.get, "\(Self.path)/flows/active\(query)").json["flow"]["slug"]
        }
        #expect(try chosen("?client_id=c") == "f")
        try save("u", "a", 9)
        #expect(try chosen("?client_id=c") == "fans" && chosen("?client_id=d") == "f" && chosen("") == "f")
        #expect(try chosen("?client_id=d&user_id=u") == "f", "the user of a query is not proved")
        for (body, slug) in [(["user_id": "u"], "fans"), (["client_id": "c"], "fans"), (["client_id": "d"], "f")]
            as [(JSONValue, String)]
        {
            let run = try node.send(.post, "\(Self.path)/flows/active/runs", body: body).json["run_id"].string ?? ""
            let listed = try node.send(.get, "\(Self.path)/responses/\(run)").json
            #expect(listed["slug"].string == slug || listed["flow"].string == slug, "\(listed.text)")
        }
    }

    // MARK: What else reads facts

    @Test func `Segments, predicates and conditions read facts`() throws {
        try world.put("recipes/fan", ["kind": "segment", "expression": "answer.n != null && answer.n >= 9"])
        let survey: JSONValue = [
            "kind": "survey", "name": "S", "predicates": ["fan": "answers.snack == 'Fruit' && answer.n >= 9"],
            "questions": [
                ["id": "snack", "question": "What?", "question_type": "single_select", "options": ["Fruit", "Bread"]],
                [
                    "id": "which", "question": "Which?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["snack"], "extra": ["predicate": "fan"]],
                ],
            ],
        ]
        try world.put("recipes/s", survey)
        func visible(_ client: String) throws -> JSONValue {
            let body: JSONValue = ["client_id": .string(client), "answers": ["snack": "Fruit"]]
            return try node.send(.post, "\(Self.path)/surveys/s/evaluate", body: body).json["visible"]
        }
        try save("c", "a", 9)
        #expect(try visible("c") == ["snack", "which"] && visible("d") == ["snack"])
        let body: JSONValue = ["client_id": "c", "answers": ["snack": "Fruit"], "is_complete": true]
        let refused = try node.send(.post, "\(Self.path)/surveys/s/responses", body: body)
        #expect(refused.status == 422, "the second question is asked of whoever answered 9")
        let other: JSONValue = ["client_id": "d", "answers": ["snack": "Fruit"], "is_complete": true]
        #expect(try node.send(.post, "\(Self.path)/surveys/s/responses", body: other).status == 201)

        let when: JSONValue = ["ref": "segment.fan", "op": "eq", "value": true]
        var asked = FactWorld.questionnaire(nil).object ?? [:]
        let quota: JSONValue = ["name": "fans", "when": when, "limit": 0]
        asked["offer"] = ["surface": "card", "text": "?", "pacing": ["quotas": [quota]]]
        try world.put("recipes/b", .object(asked))
        try identify("c", "u")
        for (client, status) in [("c", "screened_out"), ("d", "new")] {
            let body: JSONValue = ["client_id": .string(client), "answers": ["q": 1], "is_complete": true]
            let answer = try node.send(.post, "\(Self.path)/questionnaires/b/responses", body: body)
            #expect(answer.json["status"].string == status, "\(answer.json.text)")
        }
    }

    @Test func `Features follow the answers of a user's clients`() throws {
        let targeting: JSONObject = ["isRollout": true, "targeting": "answer.n != null && answer.n >= 5"]
        let flags = try FlagWorld(recipes: [
            "fuzzy": FlagWorld.recipe("fuzzy", feature: "search", ["on": ["fuzzy": true]], targeting),
            "a": FactWorld.questionnaire(["n": "q"]),
        ])
        func post(_ path: String, _ body: JSONValue) throws {
            let answer = try flags.worker.send(
                .post, "\(Self.path)/\(path)", headers: FlagWorld.bearer("mine"), body: body)
            #expect(answer.status / 100 == 2, "\(answer.json)")
        }
        func isFuzzy(_ client: JSONValue) throws -> JSONValue {
            try flags.ask("search.fuzzy", client: client).json["value"]
        }
        for client in ["c", "d"] { try post("identify", ["client_id": .string(client), "user_id": "u"]) }
        for _ in 0..<2 { #expect(try isFuzzy("d") == false && isFuzzy("e") == false) }
        try post("questionnaires/a/responses", ["client_id": "c", "answers": ["q": 7], "is_complete": true])
        for client in ["c", "d"] as [JSONValue] { #expect(try isFuzzy(client) == true) }
        #expect(try isFuzzy("e") == false)
    }

    // MARK: Publishing

    private func findings(_ slug: String, _ document: JSONValue, _ list: String) throws -> [String] {
        let answer = try node.send(.post, "\(Self.path)/recipes/validate?slug=\(slug)", body: document)
        return (answer.json[list].array ?? []).map { "\($0["pointer"].string ?? "") \($0["code"].string ?? "")" }
    }

    @Test func `The word is an attribute, or it is what facts are read by`() throws {
        let manifest: JSONValue = [
            "app_name": "a", "default_locale": "en-US", "surfaces": ["card"], "attributes": ["answer": "object"],
        ]
        let refused = try node.send(.put, "\(Self.path)/manifest", body: manifest)
        #expect(refused.status == 422 && refused.json["errors"][0]["code"] == "reserved")
        #expect(refused.json["errors"][0]["pointer"] == "/attributes/answer")
        for slug in FactWorld.recipes { try world.put("recipes/\(slug)", FactWorld.questionnaire(nil)) }
        try world.put("manifest", manifest)
        #expect(try findings("a", FactWorld.questionnaire(["n": "q"]), "errors") == ["/facts reserved"])
        #expect(try findings("f", flow(["facts": ["n": "s.color"]]), "errors") == ["/facts reserved"])
    }

    @Test func `A flow's facts are checked`() throws {
        let fields: JSONValue = [
            ["id": "color", "type": "text"], ["id": "mail", "type": "text", "sensitive": true],
            ["id": "word", "type": "password"], ["id": "photo", "type": "image_picker"],
            ["id": "name", "type": "signature"], ["id": "home", "type": "location"],
        ]
        let steps: JSONValue = [["id": "s", "type": "form", "config": ["fields": fields]]]
        let facts: JSONValue = [
            "a": "s.color", "b": "s.mail", "c": "s.word", "d": "s.photo", "e": "s.name", "f": "s.home", "g": "color",
            "h": "s.other", "I": "s.color", "j": 5,
        ]
        let document: JSONValue = ["kind": "flow", "steps": steps, "facts": facts]
        let found = try findings("f", document, "errors").sorted()
        #expect(
            found == [
                "/facts/I identifier", "/facts/b sensitive", "/facts/c sensitive", "/facts/d type", "/facts/e type",
                "/facts/f type", "/facts/g reference", "/facts/h reference", "/facts/j type",
            ])
        #expect(try findings("f", flow(["facts": 5]), "errors") == ["/facts type"])
    }

    @Test func `Names that no recipe declares, and comparisons that nothing guards, are warned of`() throws {
        func warnings(_ targeting: String) throws -> [String] {
            let recipe = FlagWorld.recipe(
                "e", feature: "messaging", ["on": [:]],
                ["targeting": .string(targeting), "isRollout": true, "channel": .null])
            return try findings("e", recipe, "warnings").filter { $0.contains("fact") || $0.contains("null_operand") }
        }
        #expect(try warnings("answer.n != null && answer.n >= 9") == [])
        #expect(try warnings("answer.n >= 9") == ["/targeting null_operand"])
        #expect(try warnings("answer.other == null") == ["/targeting unknown_fact"])
        let trigger: JSONValue = [
            "triggers": ["T": "answer.n >= 9 && answer.other == 1"],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
        ]
        #expect(try findings("m", trigger, "warnings").filter { !$0.hasSuffix("unknown_fact") } == [])
        #expect(try findings("m", trigger, "warnings") == ["/triggers/T unknown_fact"])
        var own = FactWorld.questionnaire(["mine": "q"]).object ?? [:]
        own["offer"] = ["surface": "card", "text": "?", "when": "answer.mine == null"]
        #expect(try findings("own", .object(own), "warnings").filter { $0.hasSuffix("unknown_fact") } == [])
    }

    @Test func `Clients and devices do not see which answers are facts`() throws {
        try world.put("recipes/f", flow(["facts": ["secret_name": "s.color"]]))
        try save("c", "a", 9)
        for path in ["bundle", "questionnaires/a?client_id=d", "flows/f", "messages?client_id=c"] {
            let answer = try node.send(.get, "\(Self.path)/\(path)")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 200 && !text.contains("facts") && !text.contains("secret_name"), "\(path)")
        }
        let bundle = try #require(CompiledAppBundle.read(try node.send(.get, "\(Self.path)/bundle").body))
        var state = ClientState()
        state.facts.note(9, as: "n", at: node.now, of: .init("run"))
        let app = bundle.compiledApp
        let query = PollQuery(clientID: "c", surfaces: ["card"], context: app.context([:]), now: node.now)
        #expect(app.decide(query, state: state).offers.isEmpty, "on a device answers are undefined")
        #expect(try world.isOffered(to: "c"))
    }
}
