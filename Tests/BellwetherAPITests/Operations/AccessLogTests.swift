import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherAPI

/// The fields of a line of the access log, and the data that it must not contain.
@Suite struct AccessLogTests {
    private let worker: WorkerUnderTest
    private var log: AccessLog { worker.worker.services.accessLog }

    init() throws {
        worker = try WorkerUnderTest()
        worker.worker.services.accessLog.turn(on: true)
    }

    /// The lines since the last call, each parsed as JSON.
    private func lines() throws -> [JSONValue] {
        let lines = log.take()
        let read = try lines.bytes.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
        #expect(lines.count == read.count)
        #expect(lines.bytes.isEmpty || lines.bytes.last == 0x0A)
        return read
    }

    private func line(
        _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [],
        body: JSONValue? = nil
    ) throws -> JSONObject {
        _ = try worker.send(method, target, headers: headers, body: body)
        let lines = try lines()
        #expect(lines.count == 1)
        return lines.first?.object ?? [:]
    }

    @Test func `A line has every member, in order`() throws {
        let line = try line(
            .get, "/v1/apps/app/messages?client_id=somebody&locale=de", headers: [("X-Request-Id", "r-1")])
        #expect(
            line.map(\.key) == [
                "at", "id", "peer", "method", "route", "path", "app", "token", "status", "bytes", "duration_us",
            ])
        #expect(line["at"] == "2026-03-10T12:00:00Z")
        #expect(line["id"] == "r-1" && line["method"] == "GET" && line["app"] == "app" && line["token"] == "dev")
        #expect(line["route"] == "/v1/apps/{app}/messages" && line["path"] == "/v1/apps/app/messages")
        #expect(line["status"] == 200 && (line["bytes"]?.integer ?? 0) > 2)
        #expect((line["duration_us"]?.integer ?? -1) >= 0)
    }

    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "00-\(trace)-b7ad6b7169203331-01"

    @Test func `A line of a traced request has the ids that the request names`() throws {
        let target = "/v1/apps/app/messages?client_id=c"
        for _ in 0..<2 {
            let line = try line(.get, target, headers: [("traceparent", Self.parent), ("tracestate", "a=1")])
            #expect(line.map(\.key).prefix(5) == ["at", "id", "trace_id", "span_id", "peer"])
            #expect(line["trace_id"] == .string(Self.trace) && line["span_id"] == "b7ad6b7169203331")
        }
        let lost = try line(.get, "/nowhere", headers: [("Traceparent", Self.parent)])
        #expect(lost["trace_id"] == .string(Self.trace) && lost["status"] == 404)
        let none: [[(name: String, value: String)]] = [
            [("traceparent", Self.parent.uppercased())], [("tracestate", "a=1")], [("traceparent", "")],
            [("traceparent", Self.parent), ("traceparent", Self.parent)],
            // Together, the lines would be a value of a later version.
            [("traceparent", "01" + Self.parent.dropFirst(2) + "-x"), ("traceparent", Self.parent)],
        ]
        for headers in none {
            let line = try line(.get, target, headers: headers)
            #expect(line["status"] == 200 && line["trace_id"] == nil && line["span_id"] == nil)
        }
    }

    @Test func `An answer that waited for the store is there, once`() throws {
        let event: JSONValue = ["client_id": "c", "events": [["type": "behavior", "name": "visit"]]]
        let line = try line(.post, "/v1/apps/app/events", body: event)
        #expect(line["route"] == "/v1/apps/{app}/events" && line["status"] == 200)
        worker.store.fail(.overloaded)
        #expect(try self.line(.post, "/v1/apps/app/events", body: event)["status"] == 503)
    }

    @Test func `What met no route is there, without one`() throws {
        let missing = try line(.get, "/nowhere")
        #expect(missing["route"] == .null && missing["path"] == "/nowhere" && missing["status"] == 404)
        #expect(missing["app"] == .null && missing["token"] == .null)
        #expect(try line(.patch, "/metrics")["status"] == 405)
        #expect(try line(.options, "*")["path"] == "*")
        #expect(try line(.get, "/v1/apps/%FF/messages")["status"] == 400)
    }

    @Test(arguments: [
        ("/v1/apps/app/clients/somebody", "/v1/apps/app/clients/{client_id}"),
        ("/v1/apps/app/clients/some%2Fbody", "/v1/apps/app/clients/{client_id}"),
        ("/v1/app/clients/somebody", "/v1/app/clients/..."), ("/v1/CLIENTS/somebody/x", "/v1/CLIENTS/..."),
        ("/submit/somebody", "/submit/..."), ("/v1/apps/app/manifest", "/v1/apps/app/manifest"),
        ("/a//b", "/a//b"),
    ])
    func `A path names nobody`(_ path: String, _ shown: String) throws {
        #expect(try line(.delete, path + "?client_id=somebody")["path"]?.string == shown)
    }

    @Test(arguments: ["bw_", "owl_client_", "a", String(repeating: "z", count: 32), "Bearer%20x_"])
    func `A token in a path is not told, whatever its prefix`(_ prefix: String) throws {
        let token = TokenText.make(prefix: prefix)
        for path in ["/v1/tokens/", "/", "/v1/apps/", "/v1/apps/app/recipes/"] {
            #expect(try line(.delete, path + token)["path"]?.string == path + "{token}")
        }
        let recipe = "/v1/apps/app/recipes/" + String(repeating: "long-", count: 12)
        #expect(try line(.delete, recipe)["path"]?.string == recipe, "a slug has no capitals")
    }

    @Test func `Nor does the path of a ping`() throws {
        let line = try line(.put, "/submit/org-x/baseline/1/somebody", body: [:])
        #expect(line["path"] == "/submit/org-x/baseline/1/{document_id}")
    }

    @Test func `Nothing of a query, a body or a token is there`() throws {
        let secret = "s3cr3t"
        _ = try worker.send(
            .post, "/v1/apps/app/events?x=\(secret)", headers: [("Authorization", "Bearer \(secret)")],
            body: ["client_id": .string(secret), "events": [["type": "behavior", "name": .string(secret)]]])
        let text = String(decoding: log.take().bytes, as: UTF8.self)
        #expect(text.hasSuffix("\n") && !text.contains(secret))
    }

    @Test(arguments: [
        "/\"},{\"a\":\"", "/\\", "/\\u0022", "/a%0D%0Ab", "/%1B[31m", "/\(String(repeating: "a", count: 8000))",
        "/\(String(repeating: "\"", count: 8000))",
    ])
    func `No path breaks a line`(_ path: String) throws {
        _ = try worker.send(.get, path)
        let lines = log.take()
        #expect(lines.count == 1 && lines.bytes.filter { $0 == 0x0A }.count == 1)
        #expect(lines.bytes.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
        #expect(lines.bytes.count < 1000)
        let text = try JSONValue(parsing: Array(lines.bytes.dropLast())).object?["path"]?.string ?? ""
        #expect(path.hasPrefix(text) || text.hasSuffix("..."))
    }

    @Test func `No name of an app breaks a line, however it is written`() throws {
        for app in ["%0A", "%22", "%E2%80%AE", "%F0%9F%92%A3", "%00", "%C2%85"] {
            let line = try line(.get, "/v1/apps/\(app)/messages?client_id=c")
            #expect(line["status"] == 404)
            #expect(line["app"]?.string?.unicodeScalars.count == 1)
        }
        _ = try worker.send(.get, "/v1/apps/%E2%80%AE/messages?client_id=c")
        #expect(log.take().bytes.allSatisfy { $0 < 0x7F })
    }

    @Test func `Bytes are those of the content that was sent`() throws {
        let whole = try line(.get, "/__version__")["bytes"]?.integer ?? 0
        #expect(whole > 0)
        #expect(try line(.head, "/__version__")["bytes"] == 0)
        let openapi = try worker.send(.get, "/metrics", headers: [("Accept-Encoding", "gzip")])
        #expect(try lines().first?.object?["bytes"]?.integer == Int64(openapi.body.count))
    }

    @Test func `Off, nothing is kept`() throws {
        log.turn(on: false)
        _ = try worker.send(.get, "/__version__")
        #expect(log.take() == AccessLog.Lines())
        #expect(log.droppedLines == 0)
    }

    @Test func `More than the bound is dropped and counted, and there is room again after a taking`() {
        let log = AccessLog()
        let wakes = Mutex(0)
        log.connect { wakes.withLock { $0 += 1 } }
        let line = [UInt8](repeating: 0x61, count: 1 << 20) + [0x0A]
        for _ in 0..<10 { log.append(line) }
        #expect(log.droppedLines == 3)
        #expect(log.take().count == 7)
        log.append([0x0A])
        #expect(log.droppedLines == 3 && log.take().bytes == [0x0A])
        #expect(wakes.withLock { $0 } == 2)
        log.countDropped(2)
        #expect(log.samples.map(\.value) == [5])
    }
}
