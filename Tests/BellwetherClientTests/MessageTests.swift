import BellwetherBase
import BellwetherClient
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct MessageTests {
    private static let messages: JSONValue = [
        "messages": [
            "hello": [
                "surface": "card", "text": "Hello %@", "trigger-if-all": ["ALWAYS"], "style": "DEFAULT",
                "action": "https://example.com/?plan={plan}",
            ],
            "again": ["surface": "card", "text": "You came back", "trigger-if-all": ["VISITED"], "style": "URGENT"],
            "mood": [
                "surface": "microsurvey", "text": "How is it?", "trigger-if-all": ["ALWAYS"],
                "microsurveyConfig": ["options": ["Good", "Bad"]],
            ],
        ],
        "styles": ["URGENT": ["priority": 90, "max-display-count": 1]],
    ]

    private static func app() throws -> TestApp {
        let app = try TestApp()
        try app.publish("greetings", Self.messages)
        return app
    }

    private func offline(_ app: TestApp, bundle: [UInt8]?, storage: any Storage = MemoryStorage()) -> BellwetherClient {
        let network = ScriptedTransport { _ in TransportResponse(status: 503) }
        return BellwetherClient(
            app.configuration { $0.builtInBundle = bundle }, transport: network, storage: storage,
            clock: { TestClock().now })
    }

    @Test func `The daemon's answer is offered, and then what the device decides`() async throws {
        let (app, folder) = (try Self.app(), try TemporaryDirectory())
        let client = try app.client(folder: folder) { $0.locale = "en" }
        #expect(await client.messages() == MessageOffers(messages: [], source: .none, ageSeconds: nil))
        await client.setAttributes(["plan": "pro"])
        #expect(await client.refresh())
        let first = await client.messages(surface: "card")
        #expect(first.source == .daemon)
        let hello = try #require(first.messages.first)
        #expect(
            hello.key == "hello" && hello.text == "Hello Trails" && hello.action?.url == "https://example.com/?plan=pro"
        )
        // Two visits make another message eligible, before any request.
        await client.track("visit", count: 2)
        let second = await client.messages(surface: "card")
        #expect(second.source == .device && second.messages.map(\.key) == ["again"])
        #expect(await client.refresh())
        let third = await client.messages(surface: "card")
        #expect(third.source == .daemon && third.messages.map(\.key) == ["again"])
        #expect(third.messages.first?.text == second.messages.first?.text)
    }

    @Test func `Displays, presses and dismissals are counted once, here and at the daemon`() async throws {
        let (app, folder) = (try Self.app(), try TemporaryDirectory())
        let client = try app.client(folder: folder)
        await client.track("visit", count: 2)
        await client.refresh()
        let again = try #require(await client.messages(surface: "card").messages.first)
        #expect(again.key == "again")
        await client.displayed(again)
        // The cap of one display holds at once.
        let hello = try #require(await client.messages(surface: "card").messages.first)
        #expect(hello.key == "hello")
        await client.displayed(hello)
        await client.clicked(hello)
        #expect(await client.messages(surface: "card").messages.isEmpty)
        try await client.flushAll()
        let recorded = try app.telemetry().filter { $0["category"] == "messaging" }
        #expect(
            recorded.map { "\($0["name"].string ?? "") \($0["extra"]["message_key"].string ?? "")" }
                == ["expired again", "shown again", "shown hello", "clicked hello"])
        #expect(await client.refresh())
        #expect(await client.messages(surface: "card").messages.isEmpty)
    }

    @Test func `A microsurvey is answered once`() async throws {
        let (app, folder) = (try Self.app(), try TemporaryDirectory())
        let client = try app.client(folder: folder)
        await client.refresh()
        let mood = try #require(await client.messages(surface: "microsurvey").messages.first)
        #expect(mood.microsurvey?.options == ["Good", "Bad"])
        await client.report(.shown, mood)
        await client.respond(to: mood, option: 1)
        #expect(await client.messages(surface: "microsurvey").messages.isEmpty)
        try await client.flushAll()
        await client.respond(to: mood, option: 0)
        await client.flush()
        #expect(await client.status.lastRefusal == "already_responded")
        let submitted = try app.telemetry().filter { $0["name"] == "submit_button_tapped" }
        #expect(submitted.map { $0["extra"]["user_selection"] } == ["Bad"])
    }

    @Test func `A start without network shows the message of the bundle in the app`() async throws {
        let app = try Self.app()
        let client = offline(app, bundle: try app.bundle())
        let offers = await client.messages(surface: "card")
        #expect(offers.source == .device && offers.messages.map(\.key) == ["hello"])
        #expect(offers.ageSeconds != nil)
    }

    @Test func `A start without network shows the daemon's last answer, with its age`() async throws {
        let (app, folder) = (try Self.app(), try TemporaryDirectory())
        // A transport that refuses the bundle, so that only the answer is kept.
        let network = try app.transport
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let online = BellwetherClient(
            app.configuration(), transport: WithoutBundle(network), storage: files, clock: { TestClock().now })
        #expect(await online.refresh())
        let clock = TestClock()
        clock.move(seconds: 3600)
        let client = BellwetherClient(
            app.configuration(), transport: ScriptedTransport { _ in TransportResponse(status: 503) }, storage: files,
            clock: { clock.now })
        #expect(await !client.refresh())
        let offers = await client.messages(surface: "card")
        #expect(offers.source == .cache && offers.messages.map(\.key) == ["hello"])
        #expect((offers.ageSeconds ?? 0) >= 3599)
        await client.dismissed(try #require(offers.messages.first))
        #expect(await client.messages(surface: "card").messages.isEmpty)
    }

    /// A transport whose daemon has no bundle.
    private struct WithoutBundle: Transport {
        let transport: any Transport
        init(_ transport: any Transport) { self.transport = transport }
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            request.path == "bundle" ? TransportResponse(status: 404) : try await transport.send(request)
        }
    }

    /// Random apps and clients: the same messages, with the same texts, whether the daemon or the device decides.
    @Test(arguments: 0..<Trials.count(3, many: 40))
    func `The device decides as the daemon does`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed + 1))
        let app = try TestApp()
        let triggers = ["ALWAYS", "VISITED", "PRO", "NEVER"]
        var messages = JSONObject()
        for number in 0..<12 {
            messages["m\(number)"] = [
                "surface": .string(["card", "microsurvey"].randomElement(using: &random) ?? "card"),
                "text": .string("Text \(number) for %@"),
                "trigger-if-all": [.string(triggers.randomElement(using: &random) ?? "ALWAYS")],
                "style": .string("S\(Int.random(in: 0..<3, using: &random))"),
            ]
        }
        let styles: JSONValue = [
            "S0": ["priority": 10, "max-display-count": 1], "S1": ["priority": 50, "max-display-count": 2],
            "S2": ["priority": 90, "max-display-count": 3],
        ]
        try app.publish("random", ["messages": .object(messages), "styles": styles])
        let bundle = try app.bundle()
        var shown = 0
        for person in 0..<4 {
            let folder = try TemporaryDirectory()
            let online = try app.client(folder: folder) { ($0.clientID, $0.locale) = ("c\(person)", "en") }
            let device = offline(app, bundle: bundle)
            if Bool.random(using: &random) {
                for client in [online, device] { await client.setAttributes(["plan": "pro"]) }
            }
            for _ in 0..<8 {
                #expect(await online.refresh())
                let (daemons, devices) = (await online.messages(), await device.messages())
                #expect(daemons.source == .daemon && devices.source == .device)
                #expect(daemons.messages.map(\.comparable) == devices.messages.map(\.comparable))
                let step = Int.random(in: 0..<4, using: &random)
                guard let message = daemons.messages.randomElement(using: &random), step > 0 else {
                    for client in [online, device] { await client.track("visit") }
                    continue
                }
                shown += 1
                for client in [online, device] {
                    switch step {
                    case 1: await client.clicked(message)
                    case 2: await client.dismissed(message)
                    default: await client.displayed(message)
                    }
                }
            }
        }
        #expect(shown > 5)
    }
}

extension OfferedMessage {
    /// The message without the language of the texts, which the poll of an app names.
    fileprivate var comparable: [String] {
        [
            key.text, surface.text, style.text, "\(revision)", "\(priority)", "\(maxDisplayCount ?? -1)",
            "\(displayCount)", "\(String(describing: enrollment))", title ?? "-", text, buttonLabel ?? "-",
            action?.url ?? "-", microsurvey.map { "\($0)" } ?? "-",
        ]
    }
}
