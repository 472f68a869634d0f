import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Messages that present questionnaires and surveys, and pacing (docs/reference/messaging.md#pacing).
@Suite struct OfferTests {
    private static func questionnaire(_ offer: JSONObject?, _ more: JSONObject = [:]) -> JSONValue {
        var recipe: JSONObject = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "nps", "title": "Tell?"]]],
            "notify": ["url": "https://hooks.example/canary"],
        ]
        if let offer { recipe["offer"] = .object(offer) }
        for member in more { recipe[member.key] = member.value }
        return .object(recipe)
    }

    private static func offer(_ more: JSONObject = [:]) -> JSONObject {
        var offer: JSONObject = ["surface": "card", "text": "A minute?"]
        for member in more { offer[member.key] = member.value }
        return offer
    }

    private static func manifest(_ pacing: JSONValue? = nil) -> JSONValue {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card", "banner", "microsurvey"]
        if let pacing { manifest["pacing"] = pacing }
        return .object(manifest)
    }

    private func poll(_ world: WorkerUnderTest, _ query: String = "client_id=c1") throws -> [JSONValue] {
        try world.send(.get, "/v1/apps/app/messages?\(query)").json["messages"].array ?? []
    }

    private func keys(_ world: WorkerUnderTest, _ query: String = "client_id=c1") throws -> [String] {
        try poll(world, query).compactMap { $0["key"].string }
    }

    private func send(_ world: WorkerUnderTest, _ event: JSONValue, client: String = "c1") throws {
        let body: JSONValue = ["client_id": .string(client), "events": [event]]
        let answer = try world.send(.post, "/v1/apps/app/events", body: body)
        #expect(answer.json["accepted"] == 1, "\(answer.json)")
    }

    private func show(_ world: WorkerUnderTest, _ key: String = "q", client: String = "c1") throws {
        try send(world, ["type": "message", "action": "displayed", "message": .string(key)], client: client)
    }

    private func reason(_ world: WorkerUnderTest, _ key: String = "q", client: String = "c1") throws -> JSONValue {
        let body: JSONValue = ["client_id": .string(client), "surface": "card"]
        let messages = try world.send(.post, "/v1/apps/app/explain", body: body).json["messages"].array ?? []
        return messages.first { $0["key"].string == key }?["reason"] ?? .null
    }

    @Test func anOfferIsAMessageThatPresentsItsRecipe() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer())])
        let message = try #require(try poll(world).first)
        #expect(message["key"] == "q" && message["text"] == "A minute?")
        #expect(
            message["presents"] == [
                "kind": "questionnaire", "slug": "q", "revision": 1, "url": "/v1/apps/app/questionnaires/q",
            ])
        try send(world, ["type": "message", "action": "clicked", "message": "q"])
        #expect(try keys(world) == ["q"], "a press opens it and does not end it")
        try send(world, ["type": "message", "action": "dismissed", "message": "q"])
        #expect(try keys(world).isEmpty)
    }

    @Test func withoutAnOfferNothingIsOffered() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest(), recipes: ["q": Self.questionnaire(nil)])
        #expect(try keys(world).isEmpty)
    }

    @Test func whoHasAnsweredIsNotAskedAgain() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer())])
        let save: JSONValue = ["client_id": "c1", "answers": ["q1": 9], "is_complete": true, "message": "q"]
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/q/responses", body: save).status == 201)
        #expect(try keys(world).isEmpty && reason(world) == "already_responded")
        #expect(try keys(world, "client_id=c2") == ["q"])
        _ = try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: ["client_id": "c2"])
        #expect(try keys(world, "client_id=c2").isEmpty && reason(world, client: "c2") == "opted_out")
    }

    @Test func aMessageMayPresentARecipeOrAnUnknownOne() throws {
        let messages: JSONValue = [
            "messages": [
                "m": ["surface": "card", "text": "t", "presents": "q"],
                "n": ["surface": "banner", "text": "t", "presents": "nothing"],
            ]
        ]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["bare": messages, "q": Self.questionnaire(nil, ["is_active": false])])
        #expect(try keys(world).isEmpty)
        #expect(try reason(world, "m") == "inactive" && reason(world, "n") == "malformed")
    }

    @Test func countersStartAnOffer() throws {
        let trigger: JSONValue = ["launches": 3, "days_since_first_launch": 7]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer(["trigger": trigger]))])
        try send(world, ["type": "behavior", "name": "app_launch", "count": 3])
        world.pass(seconds: 7 * 86_400 - 1)
        #expect(try keys(world).isEmpty && reason(world) == "trigger_false")
        let question: JSONValue = ["client_id": "c1", "surface": "card"]
        let explained = try world.send(.post, "/v1/apps/app/explain", body: question).json["messages"].array?.first
        let blocker = explained?.object?["blocked_by"]?.array?.first?.object
        #expect(explained?.object?["blocked_by"]?.array?.count == 1)
        #expect(blocker?["gate"] == "launches")
        #expect(blocker?["values"] == ["launches": 3, "foregrounds": 0, "first_launch_at": "2026-03-10T12:00:00Z"])
        #expect(
            blocker?["wanted"] == ["launches": 3, "foregrounds": 0, "seconds_since_first_launch": 604_800])
        world.pass(seconds: 1)
        #expect(try keys(world) == ["q"])
        let counters = try world.send(.get, "/v1/apps/app/clients/c1/counters").json
        #expect(counters == ["launches": 3, "foregrounds": 0, "first_launch_at": "2026-03-10T12:00:00Z"])
    }

    @Test func aScheduleOpensAndEnds() throws {
        let pacing: JSONValue = ["start": "2026-03-10T13:00:00Z", "end": "2026-03-10T14:00:00Z"]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer(["pacing": pacing]))])
        #expect(try keys(world).isEmpty && reason(world) == "not_started")
        world.pass(seconds: 3600)
        #expect(try keys(world) == ["q"])
        world.pass(seconds: 3600)
        #expect(try keys(world).isEmpty && reason(world) == "ended")
    }

    @Test func aDisplayPolicyReplacesTheCap() throws {
        let pacing: JSONValue = ["display": "some", "limit": 7]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer(["pacing": pacing]))])
        #expect(try poll(world).first?["max_display_count"] == .null)
        for _ in 0..<7 {
            #expect(try keys(world) == ["q"])
            try show(world)
        }
        #expect(try keys(world).isEmpty && reason(world) == "display_limit")
    }

    @Test func cooldownsOfItsOwnAndOverAll() throws {
        let own: JSONValue = ["cooldown_seconds": 3600]
        let recipes: [String: JSONValue] = [
            "q": Self.questionnaire(Self.offer(["pacing": own])),
            "r": Self.questionnaire(Self.offer(["surface": "banner"])),
        ]
        let world = try WorkerUnderTest(manifest: Self.manifest(["cooldown_seconds": 600]), recipes: recipes)
        #expect(try keys(world) == ["q"], "with a cooldown over all there is one offer")
        try show(world)
        #expect(try reason(world) == "cooldown" && keys(world).isEmpty)
        world.pass(seconds: 660)
        #expect(try keys(world) == ["r"])
        try show(world, "r")
        world.pass(seconds: 3000)
        #expect(try keys(world) == ["q"])
    }

    @Test func capsCountOverAllMessages() throws {
        let caps: JSONValue = [
            "caps": [["count": 2, "seconds": 86_400], ["count": 1, "seconds": 3600, "tags": ["ask"]]]
        ]
        let recipes: [String: JSONValue] = [
            "q": Self.questionnaire(Self.offer(["pacing": ["tags": ["ask"]]])),
            "r": Self.questionnaire(Self.offer(["surface": "banner", "pacing": ["tags": ["ask"]]])),
        ]
        let world = try WorkerUnderTest(manifest: Self.manifest(caps), recipes: recipes)
        #expect(try keys(world) == ["q"], "offers of one answer count against what the caps leave")
        try show(world)
        #expect(try keys(world).isEmpty && reason(world) == "global_cap")
        world.pass(seconds: 3660)
        #expect(try keys(world) == ["q"])
        try show(world, "r")
        world.pass(seconds: 3660)
        #expect(try keys(world).isEmpty, "two a day")
        world.pass(seconds: 86_400)
        #expect(try keys(world) == ["q"])
    }

    @Test func quietHoursAreTheRespondents() throws {
        var manifest =
            Self.manifest(
                ["quiet_hours": ["from": "22:00", "to": "08:00", "utc_offset_attribute": "offset"]]
            ).object ?? [:]
        manifest["attributes"] = ["offset": "number"]
        let world = try WorkerUnderTest(
            manifest: .object(manifest), recipes: ["q": Self.questionnaire(Self.offer())])
        #expect(try keys(world) == ["q"], "noon in UTC")
        #expect(try keys(world, "client_id=c1&offset=600").isEmpty, "ten in the evening")
        #expect(try keys(world, "client_id=c1&offset=-240") == ["q"], "eight in the morning")
        #expect(try keys(world, "client_id=c1&offset=-241").isEmpty)
        #expect(try keys(world, "client_id=c1&offset=1e300") == ["q"], "no distance from UTC")
    }

    @Test func aSampleStays() throws {
        let pacing: JSONValue = ["sample": ["count": 1, "total": 4]]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer(["pacing": pacing]))])
        let first = try (0..<200).map { try !keys(world, "client_id=s\($0)").isEmpty }
        let second = try (0..<200).map { try !keys(world, "client_id=s\($0)").isEmpty }
        #expect(first == second && (30...70).contains(first.count(where: \.self)))
    }

    /// A display to one client of a user counts for all clients of that user.
    @Test func aUsersDisplaysCountOnAllClients() throws {
        let pacing: JSONValue = ["display": "once"]
        let world = try WorkerUnderTest(
            manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer(["pacing": pacing]))])
        for client in ["c1", "c2"] {
            let body: JSONValue = ["client_id": .string(client), "user_id": "u1"]
            #expect(try world.send(.post, "/v1/apps/app/identify", body: body).status == 200)
        }
        #expect(try keys(world, "client_id=c2") == ["q"])
        try show(world)
        #expect(try keys(world, "client_id=c2").isEmpty && reason(world, client: "c2") == "display_limit")
        #expect(try keys(world, "client_id=c3") == ["q"])
    }

    @Test func theBundleHasNoSecrets() throws {
        let world = try WorkerUnderTest(manifest: Self.manifest(), recipes: ["q": Self.questionnaire(Self.offer())])
        let bundle = try world.send(.get, "/v1/apps/app/bundle")
        let text = String(decoding: bundle.body, as: UTF8.self)
        #expect(bundle.status == 200 && text.contains("Tell?") && !text.contains("canary"))
        #expect(
            try !String(decoding: world.send(.get, "/v1/apps/app/questionnaires/q").body, as: UTF8.self).contains(
                "canary"))
    }
}
