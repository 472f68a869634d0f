import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Nothing is lost, and nothing is counted twice: what the app has tracked is compared with the daemon's telemetry.
@Suite(.serialized) struct DeliveryTests {
    @Test func `Events reach the daemon in their order`() async throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        let client = try app.client(folder: folder)
        for number in 0..<20 { await client.track("e\(number)", count: number + 1) }
        #expect(await client.status.waiting == 20)
        await client.flush()
        #expect(await client.status == ClientStatus(waiting: 0, dropped: 0, refused: 0, lastRefusal: nil))
        let names = try app.telemetry().map { $0["name"].string }
        #expect(names == (0..<20).map { "e\($0)" })
        #expect(try app.behavior()["e19"] == 20)
    }

    @Test func `A record is on disk before its call returns`() async throws {
        let folder = try TemporaryDirectory()
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let client = Self.client(ScriptedTransport { _ in TransportResponse(status: 503) }, files)
        for number in 0..<3 {
            await client.track("e\(number)")
            #expect(
                try files.read("queue.ndjson").map { String(decoding: $0, as: UTF8.self) }?
                    .contains("\"e\(number)\"") == true)
        }
        await client.dismissQuestionnaires()
        #expect(
            String(decoding: try files.read("queue.ndjson") ?? [], as: UTF8.self).contains("questionnaires/dismiss"))
    }

    @Test func `Calls of the app do not wait for the network, and throw nothing`() async throws {
        let network = HeldTransport()
        let client = Self.client(network)
        await client.track("first")
        let flush = Task { await client.flush() }
        await network.untilAsked()
        // The network does not answer. If a call waited for it, the test would not go on.
        await client.track("second")
        await client.identify("ada")
        await client.setAttributes(["plan": "pro"])
        #expect(await client.messages(surface: "card").messages.isEmpty)
        await client.dismissQuestionnaires()
        #expect(await client.status.waiting == 4)
        network.release()
        await flush.value
        #expect(await client.status == ClientStatus(waiting: 0))
    }

    @Test func `One request is in flight at a time`() async throws {
        let network = HeldTransport()
        let client = Self.client(network)
        await client.track("e")
        let calls = [Task { await client.flush() }, Task { await client.flush() }]
        await network.untilAsked()
        let refresh = Task { await client.refresh() }
        network.release()
        for call in calls { await call.value }
        _ = await refresh.value
        #expect(network.mostAtOnce == 1)
        #expect(network.paths.filter { $0 == "events" }.count == 1)
    }

    @Test func `An event whose response was lost is counted once`() async throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        let network = SwitchedTransport(try app.transport)
        let client = BellwetherClient(
            app.configuration(), transport: network,
            storage: try FileStorage(folder: URL(fileURLWithPath: folder.path)), clock: { TestClock().now })
        network.losesResponses = true
        await client.track("once")
        await client.flush()
        #expect(await client.status.waiting == 1)
        network.losesResponses = false
        await client.flush()
        #expect(try app.behavior() == ["once": 1])
    }

    @Test(arguments: [408, 425, 429, 500, 503, 401])
    func `An event stays in the queue while the daemon has not decided`(status: Int) async throws {
        let transport = ScriptedTransport { _ in TransportResponse(status: status) }
        let client = Self.client(transport)
        await client.track("e")
        await client.flush()
        #expect(await client.status.waiting == 1)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [400, 404, 413, 422])
    func `A final refusal removes the entry, and is reported`(status: Int) async throws {
        let client = Self.client(ScriptedTransport { _ in TransportResponse(status: status) })
        await client.track("e")
        await client.flush()
        #expect(await client.status == ClientStatus(waiting: 0, dropped: 0, refused: 1, lastRefusal: "\(status)"))
    }

    private static func client(
        _ transport: any Transport, _ storage: any Storage = MemoryStorage()
    ) -> BellwetherClient {
        var configuration = ClientConfiguration()
        configuration.flushSeconds = nil
        return BellwetherClient(
            configuration, transport: transport, storage: storage, clock: { Timestamp(seconds: 1_800_000_000) })
    }

    /// The app is killed by SIGKILL at any point between append and send, and is started again.
    @Test func `An app that is killed loses nothing and doubles nothing`() throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        var random = SeededGenerator(seed: 51)
        var taken: Set<String> = []
        let kills = Trials.count(20, many: 1000)
        for kill in 0..<kills {
            // The daemon keeps at most 500 names of events for a client.
            let tool = try Self.start(app, folder, client: "client-\(kill / 20)", count: 100_000, prefix: "k\(kill)")
            let last = Int.random(in: 0...20, using: &random)
            var number = -1
            while number < last {
                let line = try #require(tool.readLine(), "\(tool.errors)")
                number = try #require(Int(line))
                taken.insert("k\(kill)-\(number)")
            }
            tool.signal(SIGKILL)
            _ = try tool.wait()
        }
        try Self.drain(app, folder)
        let counted = try app.behavior()
        #expect(taken.subtracting(counted.keys).isEmpty, "lost")
        #expect(counted.filter { $0.value != 1 }.isEmpty, "doubled")
        #expect(taken.count >= kills)
    }

    @Test func `Two processes over one folder lose nothing and double nothing`() throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        let tools = try ["a", "b"].map { try Self.start(app, folder, count: 200, prefix: $0) }
        for tool in tools {
            while let line = tool.readLine(), !line.hasPrefix("sent"), !line.hasPrefix("waiting") {}
            #expect(try tool.wait() == 0, "\(tool.errors)")
        }
        try Self.drain(app, folder)
        let counted = try app.behavior()
        let expected = ["a", "b"].flatMap { prefix in (0..<200).map { "\(prefix)-\($0)" } }
        #expect(Set(counted.keys) == Set(expected))
        #expect(counted.values.allSatisfy { $0 == 1 })
    }

    /// RLIMIT_FSIZE stops the queue's file in the middle of a line, as a full disk does.
    @Test func `A full disk loses nothing and doubles nothing`() throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        let tool = try Self.start(app, folder, count: 60, prefix: "f", limit: 1_000)
        while let line = tool.readLine(), !line.hasPrefix("sent") { #expect(!line.hasPrefix("waiting")) }
        #expect(try tool.wait() == 0, "\(tool.errors)")
        let counted = try app.behavior()
        #expect(counted == Dictionary(uniqueKeysWithValues: (0..<60).map { ("f-\($0)", 1) }))
    }

    @Test func `Events of a full disk are written when there is room again`() async throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        let disk = FullStorage.Disk()
        let network = SwitchedTransport(try app.transport)
        network.isOn = false
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let client = BellwetherClient(
            app.configuration(), transport: network, storage: FullStorage(files, disk), clock: { TestClock().now })
        await client.track("before")
        disk.isFull = true
        await client.track("during")
        disk.isFull = false
        await client.track("after")
        let queue = try #require(try files.read("queue.ndjson"))
        #expect(queue.count(where: { $0 == UInt8(ascii: "\n") }) == 3)
        disk.isFull = true
        network.isOn = true
        await client.flush()
        #expect(await client.status.waiting == 0)
        // The cursor could not be written, and the next start sends again: ids make that harmless.
        disk.isFull = false
        try await app.client(folder: folder).flushAll()
        #expect(try app.behavior() == ["before": 1, "during": 1, "after": 1])
    }

    @Test func `A clock that goes back or is ahead loses nothing`() async throws {
        let (app, folder, clock) = (try TestApp(), try TemporaryDirectory(), TestClock())
        let client = try app.client(folder: folder, clock: clock)
        await client.track("now")
        clock.move(seconds: -40 * 365 * 86_400)
        await client.track("back")
        clock.move(seconds: 50 * 365 * 86_400)
        await client.track("ahead")
        await client.flush()
        clock.move(seconds: -10 * 365 * 86_400)
        await client.track("right")
        await client.flush()
        #expect(await client.status == ClientStatus(waiting: 0, dropped: 0, refused: 0, lastRefusal: nil))
        #expect(try app.behavior() == ["now": 1, "back": 1, "ahead": 1, "right": 1])
    }

    @Test func `A full queue drops the oldest behaviour events first, and answers never`() async throws {
        let transport = ScriptedTransport { _ in TransportResponse(status: 503) }
        var configuration = ClientConfiguration()
        (configuration.flushSeconds, configuration.queueBytes) = (nil, 20_000)
        let folder = try TemporaryDirectory()
        let files = try FileStorage(folder: URL(fileURLWithPath: folder.path))
        let client = BellwetherClient(
            configuration, transport: transport, storage: files, clock: { Timestamp(seconds: 1_800_000_000) })
        await client.identify("ada")
        for number in 0..<300 {
            await client.track("e\(number)")
            #expect(try files.size(of: "queue.ndjson") <= 20_000)
        }
        await client.dismissQuestionnaires()
        let queue = String(decoding: try #require(try files.read("queue.ndjson")), as: UTF8.self)
        #expect(queue.contains("\"path\":\"identify\"") && queue.contains("questionnaires/dismiss"))
        #expect(!queue.contains("\"e0\"") && queue.contains("\"e299\""))
        let status = await client.status
        #expect(status.dropped > 0 && status.dropped + status.waiting == 302)
    }

    @Test func `A part of a line that a crash has left is no entry`() async throws {
        let (app, folder) = (try TestApp(), try TemporaryDirectory())
        try await app.client(folder: folder).track("whole")
        let path = folder.path + "/queue.ndjson"
        let torn = try Data(contentsOf: URL(fileURLWithPath: path)) + Data(#"{"id":"x","kind":"beha"#.utf8)
        try torn.write(to: URL(fileURLWithPath: path))
        let client = try app.client(folder: folder)
        #expect(await client.status.waiting == 1)
        await client.track("next")
        try await client.flushAll()
        #expect(try app.behavior() == ["whole": 1, "next": 1])
    }

    private static func start(
        _ app: TestApp, _ folder: TemporaryDirectory, client: String = "client", count: Int, prefix: String,
        limit: Int? = nil
    ) throws -> RunningCommand {
        let limits = limit.map { ["/usr/bin/prlimit", "--fsize=\($0)"] } ?? []
        return try RunningCommand(
            limits + [
                URL(fileURLWithPath: BellwetherProgram.path).deletingLastPathComponent().path + "/client-tool",
                try app.address.absoluteString, app.name, folder.path + "/files", client, "\(count)", prefix,
            ])
    }

    /// Starts the app once more, which sends what is left.
    private static func drain(_ app: TestApp, _ folder: TemporaryDirectory) throws {
        let tool = try start(app, folder, count: 0, prefix: "none")
        #expect(tool.readLine() == "sent")
        #expect(try tool.wait() == 0, "\(tool.errors)")
    }
}
