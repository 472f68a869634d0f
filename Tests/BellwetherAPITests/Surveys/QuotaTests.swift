import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Quotas, response limits and session caps (docs/reference/messaging.md#quotas).
@Suite struct QuotaTests {
    private static let path = "/v1/apps/app/questionnaires/q"
    private static let men: JSONValue = ["ref": "answer.sex", "op": "eq", "value": "m"]

    private static func recipe(_ pacing: JSONValue) -> JSONValue {
        let questions: JSONValue = [
            [
                "id": "sex", "type": "single_choice", "title": "?",
                "options": [["id": "m", "label": "M"], ["id": "f", "label": "F"]],
            ],
            ["id": "why", "type": "text", "title": "Why?"],
        ]
        return [
            "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": questions],
            "offer": ["surface": "card", "text": "A minute?", "pacing": pacing],
        ]
    }

    private static func world(pacing: JSONValue, app: JSONValue? = nil) throws -> WorkerUnderTest {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        manifest["attributes"] = ["age": "number", "plan": "string"]
        if let app { manifest["pacing"] = app }
        return try WorkerUnderTest(manifest: .object(manifest), recipes: ["q": recipe(pacing)])
    }

    private static func body(_ client: String, _ answers: JSONValue, final: Bool) -> JSONValue {
        ["client_id": .string(client), "answers": answers, "is_complete": .bool(final)]
    }

    private func save(
        _ world: WorkerUnderTest, _ client: String, _ answers: JSONValue, final: Bool = false
    ) throws -> RecordedResponse {
        try world.send(.post, Self.path + "/responses", body: Self.body(client, answers, final: final))
    }

    /// The verdict of `explain`. A publish comes first, because the updates of quota levels use the same queue.
    private func verdict(_ world: WorkerUnderTest, _ client: String = "somebody") throws -> JSONValue {
        _ = try world.send(.put, "/v1/apps/app/strings/en-US", body: [:])
        let body: JSONValue = ["client_id": .string(client), "surface": "card"]
        let messages = try world.send(.post, "/v1/apps/app/explain", body: body).json["messages"].array ?? []
        let keys = try world.send(.get, "/v1/apps/app/messages?client_id=\(client)").json["messages"].array ?? []
        let reason = messages.first?["reason"] ?? .null
        #expect(keys.isEmpty == (reason != "selected"))
        return reason
    }

    @Test func aDraftTakesAPlaceAndGivesItBack() throws {
        let quota: JSONValue = ["name": "men", "when": Self.men, "limit": 1]
        let world = try Self.world(pacing: ["quotas": [quota]])
        #expect(try save(world, "a", ["sex": "m"]).json["status"] == "draft")
        let turnedAway = try save(world, "b", ["sex": "m"])
        #expect(turnedAway.status == 201 && turnedAway.json["status"] == "screened_out")
        #expect(turnedAway.json["was_submitted"] == false)
        let later = try save(world, "b", ["sex": "f"])
        #expect(later.status == 409 && later.json["errors"][0]["code"] == "quota_full")
        #expect(try save(world, "a", ["sex": "f"]).json["status"] == "draft")
        #expect(try save(world, "c", ["sex": "m"], final: true).json["status"] == "new")
        #expect(try save(world, "d", ["sex": "m"], final: true).json["status"] == "screened_out")
        #expect(world.store.records.count { $0.contains("questionnaire.screened_out") } == 2)
        let listed = try world.send(.get, Self.path + "/responses?status=screened_out").json["items"].array
        #expect(listed?.count == 2)
    }

    @Test func aFullQuotaThatEndsNothingAcceptsAndDoesNotCount() throws {
        let quota: JSONValue = ["name": "men", "when": Self.men, "limit": 1, "action": "continue"]
        let world = try Self.world(pacing: ["quotas": [quota]])
        for client in ["a", "b", "c"] {
            #expect(try save(world, client, ["sex": "m"], final: true).json["status"] == "new")
        }
        #expect(try verdict(world) == "selected")
    }

    @Test func whatIsFullForEverybodyIsNotOffered() throws {
        let world = try Self.world(pacing: ["quotas": [["name": "all", "when": true, "limit": 1]]])
        #expect(try verdict(world) == "selected")
        let first = try save(world, "a", [:])
        #expect(first.json["status"] == "draft")
        #expect(try verdict(world) == "quota_full")
        let id = try #require(first.json["id"].string)
        #expect(try world.send(.delete, "/v1/apps/app/responses/\(id)").status == 204)
        #expect(try verdict(world) == "selected", "a deleted response gives its place back")
    }

    @Test func aQuotaOfAnAnswerIsOfferedStill() throws {
        let world = try Self.world(pacing: ["quotas": [["name": "men", "when": Self.men, "limit": 0]]])
        #expect(try save(world, "a", ["sex": "m"]).json["status"] == "screened_out")
        #expect(try verdict(world) == "selected")
    }

    @Test func aQuotaOfAnAttributeTurnsThoseAwayWhoHaveIt() throws {
        let when: JSONValue = ["ref": "attr.age", "op": "gte", "value": 18]
        let world = try Self.world(pacing: ["quotas": [["name": "n", "when": when, "limit": 0]]])
        func keys(_ query: String) throws -> Int {
            try world.send(.get, "/v1/apps/app/messages?client_id=c&\(query)").json["messages"].array?.count ?? -1
        }
        #expect(try keys("age=17") == 1)
        #expect(try keys("age=18") == 0)
    }

    /// A poll evaluates the conditions of a full quota if they need few steps; otherwise the save does.
    @Test func aPollTakesOnlySoManyStepsForFullQuotas() throws {
        let test: JSONValue = ["ref": "attr.plan", "op": "matches", "value": "(?:[^a]?.?){999}z"]
        let when: JSONValue = ["any": .array(Array(repeating: test, count: 100))]
        let world = try Self.world(pacing: ["quotas": [["name": "n", "when": when, "limit": 0]]])
        func keys(_ plan: String) throws -> Int {
            let body: JSONValue = ["client_id": "c", "context": ["plan": .string(plan)]]
            return try world.send(.post, "/v1/apps/app/messages", body: body).json["messages"].array?.count ?? -1
        }
        #expect(try keys("z") == 0)
        #expect(try keys(String(repeating: "b", count: 4_000)) == 1)
    }

    @Test func responsesAreLimited() throws {
        let world = try Self.world(pacing: ["response_limit": 2])
        #expect(try save(world, "draft", [:]).json["status"] == "draft")
        for client in ["a", "b"] { #expect(try save(world, client, [:], final: true).json["status"] == "new") }
        #expect(try verdict(world) == "response_limit")
        #expect(try save(world, "draft", [:], final: true).json["status"] == "screened_out")
        let results = try world.send(.get, "/v1/apps/app/results/q").json
        #expect(results["submitted_count"] == 2)
    }

    @Test func ofManyAtOnceOnlySoManyAreAdmitted() throws {
        let world = try Self.world(pacing: ["quotas": [["name": "men", "when": Self.men, "limit": 7]]])
        let answers = try (0..<64).map { number in
            try world.begin(
                .post, Self.path + "/responses", body: Self.body("c\(number)", ["sex": "m"], final: number % 2 == 0))
        }
        world.settle()
        let statuses = answers.compactMap { $0.json["status"].string }
        #expect(statuses.count == 64)
        #expect(statuses.filter { $0 != "screened_out" }.count == 7)
    }

    @Test func ofManySubmitsOfOneRespondentOneWins() throws {
        let world = try Self.world(pacing: [:])
        let answers = try (0..<64).map { _ in
            try world.begin(.post, Self.path + "/responses", body: Self.body("c", ["sex": "m"], final: true))
        }
        world.settle()
        #expect(answers.filter { $0.json["was_submitted"] == true }.count == 1)
        #expect(answers.filter { $0.status == 409 }.count == 63)
    }

    @Test func faultsOfQuotasAreTold() throws {
        let world = try WorkerUnderTest()
        let quotas: JSONValue = [
            ["name": "a", "when": ["ref": "answer.q", "op": "nope"], "limit": 1],
            ["name": "a", "when": true, "limit": -1, "action": "stop"],
        ]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "?"]]],
            "offer": ["surface": "card", "text": "?", "pacing": ["quotas": quotas]],
        ]
        let refusal = try world.send(.put, "/v1/apps/app/recipes/q", body: recipe)
        #expect(refusal.status == 422, "\(refusal.json)")
    }

    private static func experiment(_ pacing: JSONValue, presents slug: String) -> JSONValue {
        let message: JSONValue = [
            "surface": "card", "text": "A minute?", "presents": .string(slug), "pacing": pacing,
        ]
        return NimbusRecipe.experiment(
            "e", ["control": ["messages": [:]], "asked": ["messages": ["m": message]]])
    }

    @Test func conditionsOfQuotasInExperimentsAreCheckedWithAllFaults() throws {
        let world = try Self.world(pacing: [:])
        let quotas: JSONValue = [
            ["name": "a", "when": ["ref": "answer.sex", "op": "nope"], "limit": 1],
            ["name": "b", "when": ["all": [true, ["ref": "sex", "op": "eq", "value": "m"]]], "limit": 1],
            ["name": "c", "when": Self.men, "limit": 1],
        ]
        let recipe = Self.experiment(["quotas": quotas], presents: "q")
        let refusal = try world.send(.put, "/v1/apps/app/recipes/e", body: recipe)
        let pointers = (refusal.json["errors"].array ?? []).compactMap { $0["pointer"].string }
        let place = "/branches/1/features/0/value/messages/m/pacing/quotas"
        #expect(refusal.status == 422 && pointers == ["\(place)/0/when/op", "\(place)/1/when/all/1/ref"])
        let style: JSONValue = [
            "styles": ["S": ["priority": 1, "max-display-count": 1, "pacing": ["quotas": quotas]]]
        ]
        let bare = try world.send(.put, "/v1/apps/app/recipes/bare", body: style)
        #expect(bare.json["errors"].array?.count == 2)
    }

    @Test func quotasThatAnswersCannotFillAreWarnedOf() throws {
        func warnings(_ condition: JSONValue, presents: Bool) throws -> [String] {
            let quotas: JSONValue = ["quotas": [["name": "n", "when": condition, "limit": 1]]]
            let world = try Self.world(pacing: [:])
            let recipe = presents ? Self.experiment(quotas, presents: "q") : Self.recipe(quotas)
            let answer = try world.send(.post, "/v1/apps/app/recipes/validate?slug=e", body: recipe)
            #expect(answer.status == 200, "\(answer.json)")
            return (answer.json["warnings"].array ?? []).compactMap { warning in
                guard let pointer = warning["pointer"].string, pointer.contains("quotas/0/when") else { return nil }
                let place = pointer.split(separator: "/").drop { $0 != "when" }.joined(separator: "/")
                return "\(warning["code"].string ?? "") \(place)"
            }
        }
        let cases: [(JSONValue, [String])] = [
            (["ref": "answer.sex", "op": "eq", "value": "x"], ["unknown_option when/value"]),
            (["ref": "answer.sez", "op": "eq", "value": "m"], ["unknown_question when/ref"]),
            (["ref": "answer.sex", "op": "gt", "value": "m"], ["type_mismatch when/value"]),
            (
                ["all": [Self.men, ["ref": "answer.sex", "op": "eq", "value": "f"]]], ["never_true when"]
            ),
            (["any": [Self.men, ["not": Self.men]]], ["always_true when"]),
            (false, ["never_true when"]), (true, []), (Self.men, []),
            (["ref": "attr.age", "op": "gt", "value": 3], []),
        ]
        for (condition, expected) in cases {
            for presents in [true, false] {
                #expect(try warnings(condition, presents: presents) == expected, "\(condition)")
            }
        }
    }

    @Test func aSessionCapCountsTheSessionOfThePoll() throws {
        let world = try Self.world(pacing: [:], app: ["caps": [["count": 1, "session": true]]])
        func keys(_ session: String?) throws -> Int {
            let query = session.map { "&session_id=\($0)" } ?? ""
            return try world.send(.get, "/v1/apps/app/messages?client_id=c\(query)").json["messages"].array?.count ?? -1
        }
        func show(_ session: String?) throws {
            var event: JSONObject = ["type": "message", "action": "displayed", "message": "q"]
            if let session { event["session_id"] = .string(session) }
            let body: JSONValue = ["client_id": "c", "events": [.object(event)]]
            #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
        }
        try show(nil)
        #expect(try keys("s1") == 1)
        try show("s1")
        #expect(try keys("s1") == 0 && keys("s2") == 1 && keys(nil) == 1)
        let posted = try world.send(
            .post, "/v1/apps/app/messages", body: ["client_id": "c", "session_id": "s1", "context": [:]])
        #expect(posted.json["messages"] == [])
        try show("s2")
        #expect(try keys("s1") == 1 && keys("s2") == 0, "the newest session is kept")
        #expect(try world.send(.get, "/v1/apps/app/messages?client_id=c&session_id=").status == 400)
    }

    @Test func whatAClientSaysOfItsLaunchesCounts() throws {
        var offer: JSONObject = ["surface": "card", "text": "?"]
        offer["trigger"] = ["launches": 3, "days_since_first_launch": 2]
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card"]
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "?"]]],
            "offer": .object(offer),
        ]
        let world = try WorkerUnderTest(manifest: .object(manifest), recipes: ["q": recipe])
        func keys(_ counters: JSONValue) throws -> Int {
            let body: JSONValue = ["client_id": "c", "context": ["counters": counters]]
            return try world.send(.post, "/v1/apps/app/messages", body: body).json["messages"].array?.count ?? -1
        }
        #expect(try keys([:]) == 0)
        #expect(try keys(["launches": 3]) == 0)
        #expect(try keys(["launches": 3, "days_since_first_launch": 2]) == 1)
        #expect(try keys(["launches": 3, "hours_since_first_launch": 48]) == 1)
        #expect(try keys(["launches": -1]) == -1)
    }
}
