import BellwetherClient
import BellwetherJSON
import Testing

@Suite struct TestTransportTests {
    /// The example of docs/swift.md.
    @Test func `A client of tests shows what the test says, and keeps what was recorded`() async throws {
        let daemon = TestTransport(messages: [["key": "hello", "surface": "home", "style": "CARD", "text": "Hello"]])
        let client = BellwetherClient(tests: daemon)
        await client.refresh()
        let message = try #require(await client.messages(surface: "home").messages.first)
        await client.clicked(message)
        await client.flush()
        #expect(await daemon.events.map { $0["action"] } == ["clicked"])
    }

    @Test func `A test decides how requests are answered`() async throws {
        let refusal = TransportResponse(status: 404)
        let daemon = TestTransport(answers: ["questionnaires/q": refusal, "events": TransportResponse(status: 503)])
        let client = BellwetherClient(tests: daemon)
        #expect(await client.questionnaire(slug: "q").form == nil)
        await client.track("e")
        await client.flush()
        #expect(await client.status.waiting == 1)
        #expect(await daemon.events.map { $0["name"] } == ["e"])
        #expect(await daemon.requests.map(\.path).contains("questionnaires/q"))
    }
}
