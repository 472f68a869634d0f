import BellwetherBase
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Webhooks of the real program: rows of the outbox are sent, signed, to allowed addresses.
@Suite struct WebhookTests {
    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver

    init() throws {
        folder = try TemporaryDirectory()
        receiver = try WebhookReceiver { number in number == 0 ? .status(500) : .status(204) }
    }

    /// Puts webhooks into the outbox of a data directory that no daemon uses.
    private func write(_ ids: [String], secret: String? = nil) throws {
        let store = try SQLiteStore(directory: folder.path + "/data")
        var group = WriteGroup()
        group.outbox = ids.map {
            OutboxRow(
                id: Identifier($0), app: "app", url: receiver.url + "?key=1", secretName: secret,
                body: Array("{\"n\": 1}".utf8),
                createdAt: BellwetherService.Clock.system.now())
        }
        _ = try store.write([group])
        store.close()
    }

    private func daemon(allowing networks: String, secrets: String = "{}", environment: [String: String] = [:]) throws
        -> Daemon
    {
        let config = try folder.write(
            "webhooks: {allow_networks: [\(networks)], secrets: \(secrets)}\n", to: "c.yaml")
        return try Daemon(["--dev", "--config", config], data: folder, environment: environment)
    }

    private func items(_ daemon: Daemon) throws -> [JSONValue] {
        try daemon.get("/v1/apps/app/webhooks").json["items"].array ?? []
    }

    @Test func `What waits is sent, tried again, signed and deleted`() throws {
        try write(["msg_1", "msg_2"], secret: "crm")
        // Only commands use proxies; webhooks do not.
        let proxy = try WebhookReceiver { _ in .status(200) }
        let names = ["http_proxy", "all_proxy", "ALL_PROXY"]
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://127.0.0.1:\(proxy.port)") })
        let daemon = try daemon(
            allowing: "127.0.0.0/8", secrets: "{crm: whsec_Zm9v}", environment: environment)
        #expect(eventually { receiver.requests.count >= 3 })
        for request in receiver.requests {
            let id = try #require(request.headers["webhook-id"])
            let timestamp = try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
            let content = Array("\(id).\(timestamp).{\"n\": 1}".utf8)
            let code = HMAC.authenticationCode(for: content, key: Array("foo".utf8))
            #expect(request.headers["webhook-signature"] == "v1," + Base64.encode(Array(code)[...]))
            #expect(
                request.headers["content-type"] == "application/json" && request.line == "POST /hook?key=1 HTTP/1.1")
        }
        #expect(Set(receiver.requests.compactMap { $0.headers["webhook-id"] }) == ["msg_1", "msg_2"])
        #expect(try eventually { try items(daemon).isEmpty })
        #expect(proxy.connectionCount == 0)
        for line in [
            "bellwether_webhooks_sent_total 2", "bellwether_webhooks_failures_total 1",
            "bellwether_webhooks_dead_total 0", "bellwether_webhooks_waiting 0",
        ] {
            let isTold = try eventually { try daemon.get("/metrics").text.contains(line) }
            #expect(isTold, "\(line)")
        }
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    @Test func `A notice goes on with the trace of the change, also when it is tried again`() throws {
        let daemon = try daemon(allowing: "127.0.0.0/8")
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let headers = [
            "Content-Type": "application/json", "traceparent": "00-\(trace)-b7ad6b7169203331-01", "tracestate": "a=1",
        ]
        let manifest = """
            {"app_name": "a", "default_locale": "en-US", "surfaces": ["card"], "notices": [{"url": "\(receiver.url)"}]}
            """
        let recipe = "{\"messages\": {\"m\": {\"surface\": \"card\", \"text\": \"x\"}}}"
        for (path, body) in [("manifest", manifest), ("recipes/r", recipe)] {
            let put = try daemon.send("PUT", "/v1/apps/app/\(path)", headers: headers, body: Array(body.utf8))
            #expect(put.status == 201)
        }
        // The first response is a 500, and the retry follows after a delay.
        #expect(eventually { receiver.requests.count >= 3 })
        let sent = receiver.requests.compactMap { $0.headers["traceparent"] }.compactMap { TraceContext(stored: $0) }
        #expect(sent.count == 3 && sent.allSatisfy { $0.traceID == trace && $0.flags == 1 })
        #expect(Set(sent.map(\.parentID) + ["b7ad6b7169203331"]).count == 4)
        #expect(receiver.requests.allSatisfy { $0.headers["tracestate"] == "a=1" })
    }

    @Test func `An address of the operator's own network is refused unless it is allowed`() throws {
        try write(["msg_1"])
        let daemon = try daemon(allowing: "")
        let refusal = WebhookFailure.refusedAddress.sentence
        #expect(try eventually { try items(daemon).first?["last_failure"].string == refusal })
        #expect(receiver.connectionCount == 0)
        #expect(try items(daemon).first?["url"].string == receiver.url)
        let list = try Command.bellwether(
            "webhooks", "--app", "app", "--state", "pending", "--json",
            environment: ["BELLWETHER_URL": "http://127.0.0.1:\(daemon.port)"])
        #expect(list.status == 0, "\(list.errors)")
        #expect(list.output.contains("\"id\":\"msg_1\"") && !list.output.contains("key=1"))
        _ = try folder.write("webhooks: {allow_networks: [127.0.0.1]}\n", to: "c.yaml")
        daemon.signal(SIGHUP)
        // The receiver's first response is a 500, and the retry follows after a delay.
        #expect(eventually { receiver.requests.count >= 1 })
    }

    /// Files in /proc have no size, so they are read to the end.
    private func hasLibcurl(_ daemon: Daemon) throws -> Bool {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/\(daemon.pid)/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(maps.contains("libevent"))
        return maps.contains("libcurl")
    }

    @Test func `A daemon that sends nothing has no libcurl`() throws {
        let daemon = try daemon(allowing: "")
        #expect(try !hasLibcurl(daemon))
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        try write(["msg_1"])
        let sending = try self.daemon(allowing: "127.0.0.0/8")
        #expect(eventually { receiver.requests.count >= 1 })
        #expect(try hasLibcurl(sending))
    }

    @Test(arguments: [
        ("{allow_networks: [10.0.0.1/8]}", "webhooks.allow_networks"), ("{secrets: {a: whsec_!}}", "webhooks.secrets"),
        ("{secrets: {a: ''}}", "webhooks.secrets"),
    ])
    func `A fault of the settings stops the start and quotes no secret`(_ text: String, _ name: String) throws {
        let config = try folder.write("webhooks: \(text)\n", to: "c.yaml")
        let check = try Command.bellwether("serve", "--config", config, "--check")
        #expect(check.status != 0 && check.errors.contains(name) && !check.errors.contains("whsec_!"))
    }
}
