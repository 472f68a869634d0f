import BellwetherJSON
import HTTPWire
import Testing

/// The erasure of a client, and its effect on the client's next polls.
@Suite struct ErasureRoutesTests {
    private let worker: WorkerUnderTest

    init() throws {
        let once: JSONValue = [
            "styles": ["ONCE": ["priority": 50, "max-display-count": 1]],
            "messages": ["m": ["surface": "card", "text": "x", "style": "ONCE"]],
        ]
        worker = try WorkerUnderTest(recipes: ["r": once])
    }

    private func display(_ client: String) throws {
        let event: JSONValue = ["type": "message", "action": "displayed", "message": "m"]
        _ = try worker.send(.post, "/v1/apps/app/events", body: ["client_id": .string(client), "events": [event]])
    }

    private func isOffered(_ client: String) throws -> Bool {
        try worker.send(.get, "/v1/apps/app/messages?client_id=\(client)").json["messages"].array?.isEmpty == false
    }

    @Test func `An erased client is as one that was never seen`() throws {
        try display("c")
        try display("d")
        #expect(try !isOffered("c"))
        let answer = try worker.send(.delete, "/v1/apps/app/clients/c")
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(try isOffered("c"))
        #expect(try !isOffered("d"))
        #expect(try worker.send(.delete, "/v1/apps/app/clients/c").status == 204)
        try display("c")
        #expect(try !isOffered("c"))
    }

    @Test(arguments: ["a%0Ab", String(repeating: "n", count: 129)])
    func `What is no id is refused`(_ id: String) throws {
        #expect(try worker.send(.delete, "/v1/apps/app/clients/\(id)").status == 400)
    }
}
