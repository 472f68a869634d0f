import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The list of recipes, and their current documents (docs/reference/http-api.md#recipes).
@Suite struct RecipeListTests {
    private static let mood: JSONValue = [
        "messages": [
            "mood": ["text": "How is it?", "surface": "card", "style": "DEFAULT", "presents": "trips"],
            "other": ["text": "Hello", "style": "DEFAULT"],
        ]
    ]
    private static let trips: JSONValue = [
        "kind": "questionnaire", "name": "First trips", "hosted": true,
        "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "Why?"]]],
    ]

    /// An app with recipes that the API has published.
    private func world(_ recipes: KeyValuePairs<String, JSONValue>) throws -> WorkerUnderTest {
        let world = try WorkerUnderTest()
        for (slug, document) in recipes {
            let put = try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: document)
            try #require(put.status == 201, "\(String(decoding: put.body, as: UTF8.self))")
        }
        return world
    }

    private func header(_ name: String, of answer: RecordedResponse) -> String? {
        let line = answer.headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        return line.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    }

    private func recipe(_ slug: String, _ world: WorkerUnderTest) throws -> JSONValue {
        let answer = try world.send(.get, "/v1/apps/app/recipes")
        #expect(answer.status == 200)
        let recipes = try #require(answer.json.object?["recipes"]?.array)
        return try #require(recipes.first { $0.object?["slug"]?.string == slug })
    }

    @Test func `A list tells what each recipe is, where it is shown, and what it presents`() throws {
        let world = try self.world(["trips": Self.trips, "mood": Self.mood])
        let mood = try recipe("mood", world).object ?? [:]
        #expect(mood["kind"] == "messages" && mood["name"] == .null && mood["hosted"] == false)
        #expect(mood["keys"] == ["mood", "other"] && mood["presents"] == ["trips"])
        #expect(mood["surfaces"]?.array?.first == "card" && mood["surfaces"]?.array?.count == 2)
        #expect(mood["state"] == "live" && mood["in_force"] == mood["revision"] && mood["draft"] == .null)
        #expect(mood["branches"] == [] && mood["starts"] == .null)
        let trips = try recipe("trips", world).object ?? [:]
        #expect(trips["kind"] == "questionnaire" && trips["name"] == "First trips" && trips["hosted"] == true)
    }

    @Test func `A draft beside what is live has its revision and author`() throws {
        let world = try self.world(["trips": Self.trips, "mood": Self.mood])
        let before = try recipe("mood", world).object ?? [:]
        let put = try world.send(
            .put, "/v1/apps/app/recipes/mood?state=draft", body: ["messages": ["mood": ["text": "New"]]])
        #expect(put.status == 200)
        let listed = try recipe("mood", world).object ?? [:]
        #expect(listed["in_force"] == before["in_force"] && listed["keys"] == ["mood", "other"])
        let draft = try #require(listed["draft"]?.object)
        #expect(draft["revision"] == listed["draft_revision"] && draft["author"]?.string != nil)
        for (query, text) in [("?state=live", "How is it?"), ("?state=draft", "New"), ("", "New")] {
            let answer = try world.send(.get, "/v1/apps/app/recipes/mood" + query)
            #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains(text))
            let number = query == "?state=live" ? before["in_force"] : draft["revision"]
            #expect(header("Bellwether-Revision", of: answer).flatMap { Int64($0) }.map(JSONValue.integer) == number)
        }
        #expect(try world.send(.get, "/v1/apps/app/recipes/mood?state=gone").status == 400)
    }

    @Test func `A document that is not stored is rendered as its preview would be`() throws {
        let world = try self.world(["trips": Self.trips, "mood": Self.mood])
        let page = try world.send(.post, "/v1/apps/app/recipes/render?slug=x&locale=de", body: Self.trips)
        #expect(page.status == 200 && page.json.object?["kind"] == "questionnaire")
        #expect(page.json.object?["locale"] == "de")
        #expect(page.json.object?["shown"]?.text.contains("\"slug\":\"x\"") == true)
        #expect(page.json.object?["offer"] == .null)
        var invited = Self.trips.object ?? [:]
        invited["offer"] = ["surface": "card", "title": "A minute?", "text": "Two questions", "button-label": "Go"]
        let invitation = try world.send(.post, "/v1/apps/app/recipes/render", body: .object(invited)).json
        let offer = invitation.object?["offer"]?.object ?? [:]
        #expect(offer["title"] == "A minute?" && offer["text"] == "Two questions" && offer["button_label"] == "Go")
        let messages = try world.send(.post, "/v1/apps/app/recipes/render", body: Self.mood)
        #expect(messages.json.object?["kind"] == "message")
        #expect(messages.json.object?["shown"]?.object?["messages"]?.array?.isEmpty == false)
        // The presented recipe need not exist yet: the message's card is shown.
        let keys = messages.json.object?["shown"]?.object?["messages"]?.array?.compactMap { $0.object?["key"]?.string }
        #expect(keys == ["mood", "other"])
        let nothing = try world.send(.post, "/v1/apps/app/recipes/render", body: ["messages": [:]])
        #expect(nothing.status == 422 && nothing.json.object?["errors"]?.array?.count == 1)
    }

    @Test func `A list that has not changed is not sent again`() throws {
        let world = try self.world(["trips": Self.trips, "mood": Self.mood])
        let first = try world.send(.get, "/v1/apps/app/recipes")
        let tag = try #require(header("ETag", of: first))
        #expect(try world.send(.get, "/v1/apps/app/recipes", headers: [("If-None-Match", tag)]).status == 304)
        _ = try world.send(.post, "/v1/apps/app/recipes/mood/state", body: ["state": "paused"])
        let again = try world.send(.get, "/v1/apps/app/recipes", headers: [("If-None-Match", tag)])
        #expect(again.status == 200)
        let listed = try recipe("mood", world).object ?? [:]
        #expect(listed["state"] == "paused" && listed["not_served"]?.object?["reason"] == "paused")
    }

    @Test func `34.6 Counts tell how many have started and submitted each recipe that is answered`() throws {
        let world = try self.world(["trips": Self.trips, "mood": Self.mood, "tour": FlowRouteTests.flow()])
        let path = "/v1/apps/app/questionnaires/trips/responses"
        for (client, more) in [
            ("a", [:]), ("b", ["is_complete": true]), ("c", ["is_dev": true]), ("d", ["force": true]),
        ] as [(String, JSONObject)] {
            world.pass(seconds: 60)
            var body: JSONObject = ["client_id": .string(client), "answers": ["q": "x"]]
            for member in more { body[member.key] = member.value }
            #expect(try world.send(.post, path, body: .object(body)).status == 201)
        }
        let answer = try world.send(.get, "/v1/apps/app/recipes?counts=true")
        let counts = Dictionary(
            uniqueKeysWithValues: (answer.json.object?["recipes"]?.array ?? []).map {
                ($0.object?["slug"]?.string ?? "", $0.object?["counts"])
            })
        #expect(counts["trips"] == ["started": 2, "submitted": 1, "last_at": "2026-03-10T12:02:00Z"])
        #expect(counts["tour"] == ["started": 0, "submitted": 0, "last_at": .null] && counts["mood"] == .some(nil))
        #expect(header("ETag", of: answer) == nil)
        #expect(try recipe("trips", world).object?["counts"] == nil)
        #expect(try world.send(.get, "/v1/apps/app/recipes?count=true").status == 400)
    }
}
