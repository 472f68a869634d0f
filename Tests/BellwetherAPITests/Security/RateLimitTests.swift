import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Rate limits of routes (settings `limits.rate.*`).
@Suite struct RateLimitTests {
    /// SHA-256 of "test".
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let poll = "/v1/apps/app/messages?client_id="

    private func worker(_ change: (inout RateSettings) -> Void, isOpen: Bool = true) throws -> WorkerUnderTest {
        var settings = APISettings.open
        settings.isOpen = isOpen
        settings.tokens = TokenTable([try Token("test:client:app:\(Self.digest)")])
        change(&settings.rates)
        let recipe: JSONValue = [
            "messages": [
                "s": [
                    "surface": "microsurvey", "text": "?", "trigger-if-all": ["ALWAYS"],
                    "microsurveyConfig": ["options": ["A", "B"]],
                ]
            ]
        ]
        return try WorkerUnderTest(recipes: ["r": recipe], settings: settings)
    }

    private func poll(_ worker: WorkerUnderTest, _ client: String = "c") throws -> RecordedResponse {
        try worker.send(.get, Self.poll + client)
    }

    private func expectRefusal(_ answer: RecordedResponse, after seconds: Int) {
        #expect(answer.status == 429)
        #expect(answer.headers.contains("Retry-After: \(seconds)\r\n"))
        #expect(answer.headers.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.json["errors"][0]["code"] == "rate_limited")
        #expect(answer.json["title"] == "Too Many Requests")
    }

    @Test func `Without the settings there is no limit, and no table`() throws {
        let worker = try worker { _ in }
        for _ in 0..<200 { #expect(try poll(worker).status == 200) }
    }

    @Test func `A client that asks too often is told when to come again; others are not its matter`() throws {
        let worker = try worker { $0.client = .init(perSecond: 1, burst: 3) }
        for _ in 0..<3 { #expect(try poll(worker).status == 200) }
        expectRefusal(try poll(worker), after: 1)
        #expect(try poll(worker, "d").status == 200)
        worker.pass(seconds: 1)
        #expect(try poll(worker).status == 200)
        expectRefusal(try poll(worker), after: 1)
    }

    @Test func `Polls, events, answers and participation are one client's together`() throws {
        let app = "/v1/apps/app"
        let event: JSONValue = ["type": "behavior", "name": "n"]
        let requests: [(HTTPMethod, String, JSONValue?)] = [
            (.get, "\(app)/messages?client_id=c", nil), (.head, "\(app)/messages?client_id=c", nil),
            (.post, "\(app)/messages", ["client_id": "c"]),
            (.post, "\(app)/events", ["client_id": "c", "events": [event]]),
            (.post, "\(app)/responses", ["client_id": "c", "message": "s", "option": "0"]),
            (.get, "\(app)/clients/c/participation", nil),
            (.put, "\(app)/clients/c/participation", ["experiments": true]),
        ]
        for (method, target, body) in requests {
            let headers = body.map { [(name: "Content-Length", value: "\($0.encoded.count)")] } ?? []
            let worker = try worker { $0.client = .init(perSecond: 1, burst: 1) }
            let first = try worker.send(method, target, headers: headers, body: body)
            #expect((200...201).contains(first.status), "\(method) \(target)")
            // Each request counts against the same limit, so all the others are refused after any one of them.
            for (method, target, body) in requests {
                let headers = body.map { [(name: "Content-Length", value: "\($0.encoded.count)")] } ?? []
                let answer = try worker.send(method, target, headers: headers, body: body)
                #expect(answer.status == 429, "\(method) \(target)")
            }
        }
    }

    private func send(_ clients: [String], to worker: WorkerUnderTest) throws -> RecordedResponse {
        let lines = clients.map { #"{"client_id": "\#($0)", "type": "behavior", "name": "n"}"# }
        let body = Array(lines.joined(separator: "\n").utf8)
        let headers = [(name: "Content-Type", value: "application/x-ndjson")]
        let request = try Request(.post, "/v1/apps/app/events", headers: headers, body: body)
        return worker.send(request)
    }

    @Test func `In a body of many clients each counts once, and only the events of the fast ones are left out`() throws
    {
        let worker = try worker { $0.client = .init(perSecond: 1, burst: 2) }
        #expect(try send(["a", "a", "a", "a", "b"], to: worker).json["accepted"] == 5)
        #expect(try send(["a"], to: worker).json["accepted"] == 1)
        let answer = try send(["c", "a", "b", "a"], to: worker)
        #expect(answer.status == 200)
        #expect(answer.json["accepted"] == 2)
        #expect(answer.json["rejected"].array?.map { $0["index"] } == [1, 3])
        #expect(answer.json["rejected"].array?.allSatisfy { $0["code"] == "rate_limited" } == true)
        expectRefusal(try send(["a", "b"], to: worker), after: 1)
        worker.pass(seconds: 1)
        #expect(try send(["a", "b"], to: worker).json["accepted"] == 2)
    }

    @Test func `A token's requests count together, however it is written`() throws {
        let worker = try worker({ $0.token = .init(perSecond: 2, burst: 3) }, isOpen: false)
        func ask(_ header: String, _ client: String = "c") throws -> RecordedResponse {
            try worker.send(.get, Self.poll + client, headers: [("Authorization", header)])
        }
        for (client, header) in ["Bearer test", "bearer test", "BEARER test"].enumerated() {
            #expect(try ask(header, "c\(client)").status == 200)
        }
        expectRefusal(try ask("BeArEr test", "other"), after: 1)
        // A request that the token does not permit counts, too.
        let forbidden = try worker.send(.get, "/v1/apps", headers: [("Authorization", "Bearer test")])
        #expect(forbidden.status == 429)
        worker.pass(seconds: 1)
        #expect(try worker.send(.get, "/v1/apps", headers: [("Authorization", "Bearer test")]).status == 403)
        #expect(try ask("Bearer test").status == 200)
        #expect(try ask("Bearer test").status == 429)
    }

    @Test func `Who has no token counts by address, and routes for watchers are never closed`() throws {
        let worker = try worker({ $0.address = .init(perSecond: 1, burst: 2) }, isOpen: false)
        func ask(_ peer: PeerAddress, _ target: String = Self.poll + "c", token: String? = "wrong") throws -> Int {
            let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
            var request = try Request(.get, target, headers: headers)
            request.peer = peer
            return worker.send(request).status
        }
        let peer = PeerAddress.ipv4(0xC000_0201, port: 1)
        #expect(try [ask(peer), ask(peer, token: nil), ask(peer)] == [401, 401, 429])
        #expect(try ask(.ipv6(0, 0xFFFF_C000_0201, port: 9)) == 429, "the same address in another notation")
        #expect(try ask(.ipv4(0xC000_0202, port: 1)) == 401)
        #expect(try ask(peer, token: "test") == 200, "a token that is known is not the address' matter")
        for path in ["/__lbheartbeat__", "/__heartbeat__", "/metrics"] {
            for _ in 0..<5 { #expect(try ask(peer, path, token: nil) == 200) }
        }
        let network: (UInt64) -> PeerAddress = { .ipv6(0x2001_0DB8_0000_0001, $0, port: 1) }
        #expect(try [ask(network(1)), ask(network(2)), ask(network(3))] == [401, 401, 429])
        #expect(try ask(.ipv6(0x2001_0DB8_0000_0002, 1, port: 1)) == 401)
        for _ in 0..<5 { #expect(try ask(.unknown) == 401) }
    }

    @Test func `Handshakes and requests of an address count together, and those of trusted proxies do not`() throws {
        var settings = APISettings.open
        settings.isOpen = false
        settings.rates.address = .init(perSecond: 1, burst: 2)
        settings.proxies = TrustedProxies([try AddressBlock("192.0.2.9")])
        let worker = try WorkerUnderTest(settings: settings)
        let peer = PeerAddress.ipv4(0xC000_0201, port: 1)
        func isAdmitted(_ peer: PeerAddress) -> Bool { worker.worker.admitsHandshake(from: peer) }
        var request = try Request(.get, Self.poll + "c")
        request.peer = peer
        #expect(isAdmitted(peer))
        #expect(worker.send(request).status == 401)
        #expect(!isAdmitted(peer))
        #expect(isAdmitted(.ipv4(0xC000_0202, port: 1)))
        for _ in 0..<5 { #expect(isAdmitted(.ipv4(0xC000_0209, port: 1))) }
        worker.pass(seconds: 1)
        #expect(isAdmitted(peer))
        #expect(!isAdmitted(peer))
    }

    @Test func `A reload sets limits and takes them away; what was used stays used`() throws {
        let worker = try worker { _ in }
        func set(_ rate: RateSettings.Rate) {
            var publication = Publication(snapshot: worker.worker.snapshot, settings: worker.worker.settings)
            publication.settings.rates.client = rate
            worker.worker.receive(publication)
        }
        #expect(try poll(worker).status == 200)
        set(.init(perSecond: 1, burst: 1))
        #expect(try poll(worker).status == 200)
        #expect(try poll(worker).status == 429)
        set(.init(perSecond: 0, burst: 1))
        #expect(try poll(worker).status == 200)
        set(.init(perSecond: 1, burst: 1))
        #expect(try poll(worker).status == 429)
    }

    @Test func `Refusals are counted`() throws {
        let worker = try worker { $0.client = .init(perSecond: 1, burst: 1) }
        for _ in 0..<4 { _ = try poll(worker) }
        let reading = worker.worker.services.metrics.reading
        #expect(reading.limited == [0, 3, 0, 0, 0, 0, 0, 0])
        let codes = reading.refusals.map { "\($0.key.code) \($0.value)" }
        #expect(codes == ["rate_limited 3"])
    }
}
