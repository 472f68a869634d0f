import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct PersonTests {
    private static func client(
        _ transport: any Transport, _ storage: any Storage = MemoryStorage(),
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) -> BellwetherClient {
        var configuration = ClientConfiguration()
        configuration.flushSeconds = nil
        change(&configuration)
        return BellwetherClient(
            configuration, transport: transport, storage: storage, clock: { Timestamp(seconds: 1_800_000_000) })
    }

    private static let accepting = { @Sendable (_: TransportRequest) in TransportResponse(status: 200) }

    @Test func `Identify is idempotent, and switches users`() async throws {
        let transport = ScriptedTransport(Self.accepting)
        let client = Self.client(transport)
        for user in ["ada", "ada", "bob"] { await client.identify(user) }
        #expect(await client.userID == "bob")
        await client.flush()
        #expect(transport.requests.map(\.path) == ["identify", "identify"])
        let users = try transport.requests.map { try JSONValue(parsing: $0.body ?? [])["user_id"].string }
        #expect(users == ["ada", "bob"])
    }

    @Test func `A reset makes a new client, and what waits is sent for the old one`() async throws {
        let transport = ScriptedTransport(Self.accepting)
        let client = Self.client(transport)
        let old = await client.clientID
        await client.identify("ada")
        await client.track("before")
        await client.reset()
        await client.track("after")
        #expect(await client.userID == nil)
        let new = await client.clientID
        #expect(new != old && new.utf8.count == 32)
        await client.flush()
        let clients = try transport.requests.map { try JSONValue(parsing: $0.body ?? [])["client_id"].string }
        #expect(clients == [old, old, new])
    }

    @Test func `The client remembers who it is`() async throws {
        let folder = try TemporaryDirectory()
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let first = Self.client(ScriptedTransport(Self.accepting), files)
        await first.identify("ada")
        await first.setAttributes(["plan": "pro", "age": 3])
        await first.setAttributes(["age": nil])
        let second = Self.client(ScriptedTransport(Self.accepting), files)
        #expect(await second.clientID == first.clientID)
        #expect(await second.userID == "ada")
        #expect(await second.attributes == ["plan": "pro"])
    }

    @Test func `Nothing is stored or sent before consent, and a withdrawal deletes all`() async throws {
        let folder = try TemporaryDirectory()
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let transport = ScriptedTransport(Self.accepting)
        let client = Self.client(transport, files) { $0.requiresConsent = true }
        await client.track("early")
        await client.identify("ada")
        #expect(await !client.refresh())
        #expect(try files.names().isEmpty && transport.requests.isEmpty)
        await client.setConsent(true)
        await client.track("e")
        #expect(try Set(files.names()).isSuperset(of: ["queue.ndjson", "settings.json"]))
        #expect(await Self.client(transport, files) { $0.requiresConsent = true }.isAllowed)
        await client.setConsent(false)
        #expect(try files.names().isEmpty)
        await client.flush()
        #expect(transport.requests.isEmpty)
    }

    @Test func `Who has opted out is not counted and shown nothing, also after a start`() async throws {
        let folder = try TemporaryDirectory()
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let transport = ScriptedTransport(Self.accepting)
        let client = Self.client(transport, files)
        await client.track("before")
        await client.setOptedOut(true)
        let started = Self.client(transport, files)
        for client in [client, started] {
            await client.track("after")
            await client.flush()
            #expect(await client.status.waiting == 0)
            #expect(await client.messages().source == .none)
        }
        #expect(transport.requests.isEmpty)
        await started.setOptedOut(false)
        await started.track("again")
        #expect(await started.status.waiting == 1)
    }

    @Test func `A function of the app changes and drops events before they are stored`() async throws {
        let transport = ScriptedTransport(Self.accepting)
        let client = Self.client(transport) { configuration in
            configuration.beforeSend = { event in
                guard event["name"] != "secret" else { return nil }
                var event = event
                event["properties"] = nil
                return event
            }
        }
        await client.track("secret")
        await client.track("open", properties: ["mail": "ada@example.com"])
        await client.flush()
        let sent = String(decoding: transport.requests.flatMap { $0.body ?? [] }, as: UTF8.self)
        #expect(sent.contains("\"open\"") && !sent.contains("secret") && !sent.contains("ada@"))
    }

    @Test func `An event that no daemon would take is not queued`() async throws {
        let client = Self.client(ScriptedTransport(Self.accepting))
        await client.track("")
        await client.track("e", count: 0)
        #expect(await client.status == ClientStatus(waiting: 0, refused: 2, lastRefusal: "event"))
    }

    @Test func `A user's drafts and answers are there on another device`() async throws {
        let app = try TestApp()
        try app.publish("q", SurveyTests.questionnaire)
        let (phone, tablet) = (
            try app.client(folder: try TemporaryDirectory()), try app.client(folder: try TemporaryDirectory())
        )
        for client in [phone, tablet] { await client.identify("ada") }
        var form = try #require(await phone.questionnaire(slug: "q").form)
        form.answers["recommend"] = .number(9)
        await phone.save(form)
        try await phone.flushAll()
        try await tablet.flushAll()
        let continued = try #require(await tablet.questionnaire(slug: "q").form)
        #expect(continued.answers["recommend"] == .number(9))
        #expect(continued.responseID != nil)
    }
}
