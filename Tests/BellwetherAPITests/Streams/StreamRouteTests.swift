import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The streams on which clients learn that they have to ask again (docs/reference/streams.md).
@Suite struct StreamRouteTests {
    private static let path = "/v1/apps/app/stream"

    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest(recipes: ["one": Self.message("age > 1")])
    }

    private static func message(_ trigger: String) -> JSONValue {
        [
            "triggers": ["T": .string(trigger)],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
        ]
    }

    /// Opens a stream, and returns it with what it has told at once.
    private func open(
        _ query: String, headers: [(name: String, value: String)] = [], in world: WorkerUnderTest? = nil
    ) throws -> RecordedStream {
        let world = world ?? self.world
        let count = world.streams.count
        #expect(try world.send(.get, "\(Self.path)?\(query)", headers: headers).status == 200)
        try #require(world.streams.count == count + 1)
        return world.streams[count]
    }

    /// What a stream tells in its next turn, if it was woken; a second after its last event.
    private func told(_ stream: RecordedStream) -> Int {
        world.pass(seconds: 2)
        return stream.turnIfDue().events.count
    }

    private func publish(_ trigger: String, draft: Bool = false) throws {
        let path = "/v1/apps/app/recipes/two" + (draft ? "?state=draft" : "")
        let status = try world.send(.put, path, body: Self.message(trigger)).status
        #expect([200, 201].contains(status))
    }

    @Test func `A stream begins with its id, and tells at once that one has to ask`() throws {
        let stream = try open("client_id=c")
        let lines = stream.content.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("retry: ") && lines[1].hasPrefix("id: ") && lines[2].isEmpty)
        let event = try #require(stream.content.events.first)
        #expect(event.name == "message" && event.id == String(lines[1].dropFirst(4)))
        #expect(event.data["type"] == "refetchEvaluation")
        #expect(event.data["etag"].string == world.snapshot.apps["app"]?.publication.etag)
        #expect(event.data["lastModified"] == .integer(world.now.milliseconds / 1000))
        #expect(stream.content.events.count == 1 && !stream.content.contains("\"c\""))
        let again = try open("client_id=c", headers: [("Last-Event-ID", event.id)])
        #expect(again.content.events.isEmpty && again.content.contains("id: \(event.id)\n"))
        #expect(try open("client_id=c&last_event_id=\(event.id)").content.events.isEmpty)
        #expect(try open("client_id=c&last_event_id=other").content.events.count == 1)
        #expect(try open("client_id=d&last_event_id=\(event.id)x").content.events.count == 1)
    }

    @Test func `What is published is told, a draft is not`() throws {
        let stream = try open("client_id=c")
        try publish("age > 2")
        #expect(told(stream) == 1)
        try publish("age > 2")
        #expect(told(stream) == 0, "the same document")
        try publish("age > 3", draft: true)
        #expect(told(stream) == 0, "a draft")
        #expect(try world.send(.post, "/v1/apps/app/recipes/two/state", body: ["state": "paused"]).status == 200)
        #expect(told(stream) == 1)
        #expect(try world.send(.put, "/v1/apps/app/strings/de", body: ["T": ["hello": "Hallo"]]).status < 300)
        #expect(told(stream) == 1)
    }

    @Test func `Several changes within a second are one event`() throws {
        let stream = try open("client_id=c")
        try publish("age > 2")
        #expect(stream.turnIfDue().events.isEmpty && stream.due ?? 0 <= 1000, "the first event was just sent")
        try publish("age > 3")
        world.pass(milliseconds: 1000)
        #expect(stream.turn().events.count == 1)
        world.pass(milliseconds: 5000)
        #expect(stream.turn().events.isEmpty)
    }

    @Test func `A slow reader gets one event when it reads again`() throws {
        let stream = try open("client_id=c")
        stream.isBlocked = true
        for number in 2..<5 {
            try publish("age > \(number)")
            world.pass(seconds: 20)
            #expect(stream.turn().isEmpty)
        }
        stream.isBlocked = false
        #expect(stream.turn().events.count == 1)
    }

    @Test func `A stream beats, and ends after its time`() throws {
        let stream = try open("client_id=c")
        #expect(stream.due == 15_000)
        world.pass(seconds: 15)
        #expect(stream.turn() == ":\n\n" && stream.due == 15_000)
        world.pass(seconds: 3600)
        _ = stream.turn()
        #expect(!stream.isOpen && world.worker.streams.all.isEmpty)
        let other = try open("client_id=c")
        other.drain()
        #expect(other.content.hasSuffix("\n\n") && other.content.components("retry: ") == 2 && !other.isOpen)
    }

    private func sendEvent(_ client: String, _ id: String, headers: [(name: String, value: String)] = []) throws {
        let body: JSONValue = [
            "client_id": .string(client), "events": [["type": "behavior", "name": "opened", "id": .string(id)]],
        ]
        #expect(try world.send(.post, "/v1/apps/app/events", headers: headers, body: body).status == 200)
    }

    @Test func `A client's commits are told to its streams, but not to the one that made them`() throws {
        let (mine, named, other) = (
            try open("client_id=c"), try open("client_id=c&name=tab"), try open("client_id=d&name=tab")
        )
        try sendEvent("c", "1")
        #expect(told(mine) == 1 && told(named) == 1 && told(other) == 0)
        try sendEvent("c", "1")
        #expect(told(mine) == 0, "a duplicate")
        try sendEvent("c", "2", headers: [("Bellwether-Stream", "tab")])
        #expect(told(mine) == 1 && told(named) == 0)
        #expect(try world.send(.get, "/v1/apps/app/messages?client_id=c&age=5&surfaces=card").status == 200)
        #expect(told(mine) == 0, "a poll")
        let erased = try world.send(.delete, "/v1/apps/app/clients/c")
        #expect(erased.status < 300 && told(mine) == 1)
    }

    @Test func `What one client of a user does is told to the others`() throws {
        for client in ["c", "d"] {
            let body: JSONValue = ["client_id": .string(client), "user_id": "u"]
            #expect(try world.send(.post, "/v1/apps/app/identify", body: body).status == 200)
        }
        let stream = try open("client_id=d")
        let dismissal: JSONValue = ["client_id": "c", "user_id": "u"]
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: dismissal).status == 200)
        #expect(told(stream) == 1)
        let late = try open("client_id=e")
        #expect(try world.send(.post, "/v1/apps/app/identify", body: ["client_id": "e", "user_id": "u"]).status == 200)
        #expect(told(late) == 1)
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: dismissal).status == 200)
        #expect(told(late) == 1, "it is the user's now")
    }

    @Test func `Bad requests are told`() throws {
        #expect(try world.send(.get, Self.path).status == 400)
        #expect(try world.send(.get, Self.path + "?client_id=c&name=a%20b").status == 400)
        #expect(try world.send(.get, Self.path + "?client_id=c&other=1").status == 400)
        #expect(try world.send(.get, "/v1/apps/none/stream?client_id=c").status == 404)
        let head = try world.send(.head, Self.path + "?client_id=c")
        #expect(head.status == 200 && head.headers.contains("text/event-stream") && world.streams.isEmpty)
        let bad = try world.send(.post, Self.path, body: ["name": "a b", "more": 1])
        #expect(bad.status == 400 && bad.json["errors"].array?.count == 3)
    }

    @Test func `The fifth stream of a client ends its oldest one`() throws {
        let first = try open("client_id=c")
        for _ in 0..<3 { _ = try open("client_id=c") }
        #expect(first.isOpen)
        _ = try open("client_id=c")
        _ = first.turnIfDue()
        #expect(!first.isOpen && world.worker.streams.all.count == 4)
    }

    @Test func `A node and an address have as many streams as they may`() throws {
        var settings = try FlagWorld.settings()
        (settings.streams.limit, settings.streams.addressLimit) = (2, 1)
        let world = try WorkerUnderTest(settings: settings)
        let header = [(name: "Authorization", value: "Bearer mine")]
        _ = try open("client_id=a", headers: header, in: world)
        let second = try open("client_id=b", headers: header, in: world)
        let refused = try world.send(.get, Self.path + "?client_id=c", headers: header)
        #expect(refused.status == 503 && refused.headers.contains("Retry-After"))
        second.finish()
        _ = try open("client_id=c", headers: header, in: world)
    }

    @Test func `A ticket opens one stream, as long as its token is valid`() throws {
        let world = try WorkerUnderTest(settings: FlagWorld.settings())
        let header = [(name: "Authorization", value: "Bearer mine")]
        func url(_ body: JSONValue) throws -> String {
            let answer = try world.send(.post, Self.path, headers: header, body: body)
            #expect(answer.status == 200 && answer.json["inactivity_seconds"] == 120)
            return answer.json["url"].string ?? ""
        }
        let ticket = try url(["client_id": "a b", "name": "tab"])
        #expect(try url(["client_id": "a b", "name": "tab"]) == ticket && !ticket.contains("mine"))
        #expect(try world.send(.get, ticket).status == 200)
        for (wrong, right) in [("a%20b", "ab"), ("name=tab", "name=tub"), ("/app/", "/other/"), ("&name=tab", "")] {
            #expect(try world.send(.get, ticket.replacing(wrong, with: right)).status == 401, "\(right)")
        }
        let other = ticket.replacing("/stream", with: "/messages")
        #expect(try world.send(.get, other).status == 401)
        let stream = try #require(world.streams.first)
        var settings = world.worker.settings
        settings.tokens = TokenTable([])
        world.worker.receive(Publication(snapshot: world.snapshot, settings: settings))
        _ = stream.turnIfDue()
        #expect(!stream.isOpen)
        #expect(try world.send(.get, ticket).status == 401)
    }

    @Test func `OpenFeature's clients get the address of their stream`() throws {
        let world = try FlagWorld().worker
        let header = [(name: "Authorization", value: "Bearer mine")]
        let body: JSONValue = ["context": ["targetingKey": "c"]]
        let answer = try world.send(.post, FlagWorld.path, headers: header, body: body)
        let stream = answer.json["eventStreams"][0]
        #expect(stream["type"] == "sse" && stream["inactivityDelaySec"] == 120)
        let url = try #require(stream["endpoint"]["requestUri"].string)
        #expect(try world.send(.get, url).status == 200)
        let tag = answer.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6)
        let known = [(name: "If-None-Match", value: String(tag ?? ""))]
        #expect(try world.send(.post, FlagWorld.path, headers: header + known, body: body).status == 304)
        let etag = world.snapshot.apps["app"]?.publication.digest ?? ""
        let named = FlagWorld.path + "?flagConfigEtag=%22\(etag)%22&flagConfigLastModified=1"
        #expect(try world.send(.post, named, headers: header, body: body).status == 200)
        let twice = FlagWorld.path + "?flagConfigEtag=a&flagConfigEtag=b"
        #expect(try world.send(.post, twice, headers: header, body: body).status == 400)
        let one = try world.send(.post, FlagWorld.path + "/checkout.steps", headers: header, body: body)
        #expect(one.json["eventStreams"] == .null)
        var settings = world.worker.settings
        settings.streams.limit = 0
        world.worker.receive(Publication(snapshot: world.snapshot, settings: settings))
        #expect(try world.send(.post, FlagWorld.path, headers: header, body: body).json["eventStreams"] == .null)
    }
}

/// An event of a stream.
private struct StreamEvent {
    var name = ""
    var id = ""
    var data = JSONValue.null
}

extension String {
    /// The events in a stream's text: the blocks with data.
    fileprivate var events: [StreamEvent] {
        replacing("\n\n", with: "\u{0}").split(separator: "\u{0}").compactMap { block in
            var event = StreamEvent()
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") {
                    event.data = (try? JSONValue(parsing: Array(line.dropFirst(6).utf8))) ?? .null
                }
            }
            return event.data == .null ? nil : event
        }
    }

    /// How often a text occurs.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
