import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// Repeated polls of identified clients. The `ResponseCache` answers them while the rows of the client and of its user
/// are unchanged.
@Suite struct IdentifiedPollTests {
    private let world: WorkerUnderTest

    init() throws {
        let recipe: JSONValue = [
            "messages": [
                "once": ["surface": "card", "text": "x", "style": "ONCE"], "then": ["surface": "card", "text": "y"],
            ],
            "styles": ["ONCE": ["priority": 90, "max-display-count": 1]],
        ]
        world = try WorkerUnderTest(recipes: ["r": recipe])
    }

    private func post(_ path: String, _ body: JSONValue) throws {
        let answer = try world.send(.post, "/v1/apps/app/\(path)", body: body)
        #expect(answer.status == 200, "\(answer.json.text)")
    }

    private func identify(_ client: String, as user: String) throws {
        try post("identify", ["client_id": .string(client), "user_id": .string(user)])
    }

    private func display(_ message: String, to client: String) throws {
        let event: JSONValue = ["type": "message", "action": "displayed", "message": .string(message)]
        try post("events", ["client_id": .string(client), "events": [event]])
    }

    private func request(_ client: String) throws -> Request {
        try Request(.get, "/v1/apps/app/messages?client_id=\(client)")
    }

    /// The key of the offered message. The first of two polls reads the rows that are not in memory.
    private func poll(_ client: String) throws -> String? {
        _ = world.send(try request(client))
        return world.send(try request(client)).json["messages"][0]["key"].string
    }

    /// Whether the same poll would be answered from memory.
    private func isKept(_ client: String) throws -> Bool {
        let answers = world.worker.responses
        guard let kept = answers.key(for: try request(client)).flatMap(answers.find) else { return false }
        return kept.holds(at: world.now) && world.worker.services.persistence.areCurrent(kept.rows) == true
    }

    @Test func `A repeated poll is answered from memory`() throws {
        try identify("a", as: "u")
        #expect(try poll("a") == "once")
        #expect(try isKept("a"))
    }

    @Test func `It is decided anew when another device of the user was shown something`() throws {
        try identify("a", as: "u")
        try identify("b", as: "u")
        #expect(try poll("a") == "once" && isKept("a"))
        try display("once", to: "b")
        #expect(try !isKept("a"))
        #expect(try poll("a") == "then" && isKept("a"))
    }

    @Test func `It is decided anew for another user, and when the user is erased`() throws {
        try identify("a", as: "u")
        try identify("b", as: "v")
        try display("once", to: "b")
        #expect(try poll("a") == "once" && isKept("a"))
        try identify("a", as: "v")
        #expect(try !isKept("a"))
        #expect(try poll("a") == "then" && isKept("a"))
        let answer = try world.send(.delete, "/v1/apps/app/users/v")
        #expect((200..<300).contains(answer.status), "\(answer.json.text)")
        #expect(try !isKept("a"))
        #expect(try poll("a") == "once")
    }

    @Test func `A user whose row is not in memory is read first`() throws {
        try identify("a", as: "u")
        #expect(try poll("a") == "once" && isKept("a"))
        world.worker.services.persistence.table.forget(UserReference(app: "app", id: "u").tableKey)
        #expect(try !isKept("a"))
        #expect(try poll("a") == "once" && isKept("a"))
    }
}
