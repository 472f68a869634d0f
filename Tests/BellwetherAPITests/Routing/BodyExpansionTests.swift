import BellwetherJSON
import Gzip
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Compressed bodies, on every route (docs/reference/http-api.md#compressed-requests).
@Suite struct BodyExpansionTests {
    private static let path = "/v1/apps/app/events"
    private static let routes = Routes.all.indices.filter {
        [HTTPMethod.post, .put, .patch].contains(Routes.all[$0].method)
    }
    private static let small: APISettings = {
        var settings = APISettings.open
        (settings.bodyBytes, settings.ownerBodyBytes, settings.listBodyBytes) = (100_000, 300_000, 300_000)
        return settings
    }()

    private func events(_ names: [String] = ["visit"]) -> JSONValue {
        ["client_id": "c", "events": .array(names.map { ["type": "behavior", "name": .string($0)] })]
    }

    private func send(
        _ body: [UInt8], to path: String = path, by method: HTTPMethod = .post, coding: String = "gzip",
        on worker: WorkerUnderTest
    ) throws -> RecordedResponse {
        let headers = [(name: "Content-Encoding", value: coding), (name: "Content-Type", value: "application/json")]
        return worker.send(try Request(method, path, headers: headers, body: body))
    }

    @Test(arguments: routes)
    func `A route knows nothing of codings`(_ index: Int) throws {
        let route = Routes.all[index]
        let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? "app" : String($0) }.joined(separator: "/")
        let worker = try WorkerUnderTest(settings: Self.small)
        let unknown = try send(Array("{}".utf8), to: path, by: route.method, coding: "br", on: worker)
        #expect(unknown.status == 415)
        #expect(unknown.headers.contains("Accept-Encoding: gzip\r\n"))
        let plain = try send(Array("{}".utf8), to: path, by: route.method, on: worker)
        #expect(plain.status == 400 && plain.json["errors"][0]["code"] == "gzip")
        let limit = route.body.limit(Self.small)
        var random = SeededGenerator(seed: 1)
        let noise = (0..<(limit / 80)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let large = try #require(
            Deflation.gzip(noise + [UInt8](repeating: 0x20, count: limit + 1 - noise.count), level: 1))
        let refused = try send(large, to: path, by: route.method, on: worker)
        #expect(refused.status == 413 && refused.json["detail"].string?.contains("\(limit) bytes") == true)
    }

    @Test func `What was compressed is read as if it was not`() throws {
        let worker = try WorkerUnderTest()
        let zipped = try #require(Deflation.gzip(events().encoded, level: 6))
        for coding in ["gzip", "x-gzip", "GZip"] {
            #expect(try send(zipped, coding: coding, on: worker).json["accepted"] == 1)
        }
        #expect(try send(events().encoded, coding: "identity", on: worker).json["accepted"] == 1)
        let manifest = try #require(Deflation.gzip(WorkerUnderTest.manifest.encoded, level: 6))
        #expect(try send(manifest, to: "/v1/apps/other/manifest", by: .put, on: worker).status == 201)
    }

    @Test(arguments: ["gzip, gzip", "br", "deflate", "gzip;q=1", "zstd"])
    func `Another coding is 415`(_ coding: String) throws {
        let worker = try WorkerUnderTest()
        let zipped = try #require(Deflation.gzip(events().encoded, level: 6))
        #expect(try send(zipped, coding: coding, on: worker).status == 415)
    }

    @Test func `What is broken, cut or followed by something is 400`() throws {
        let worker = try WorkerUnderTest()
        let zipped = try #require(Deflation.gzip(events().encoded, level: 6))
        for bytes in [Array(zipped.dropLast()), zipped + [0], zipped + Array("{}".utf8), [0x1F, 0x8B]] {
            let answer = try send(bytes, on: worker)
            #expect(answer.status == 400 && answer.json["errors"][0]["code"] == "gzip")
        }
        #expect(try worker.send(.post, Self.path, body: events()).json["accepted"] == 1)
    }

    @Test func `The route's limit holds once it is expanded, and so does the ratio`() throws {
        let worker = try WorkerUnderTest(settings: Self.small)
        func answer(padded count: Int) throws -> RecordedResponse {
            let text = events().encoded
            let padding = [UInt8](repeating: 0x20, count: count - text.count)
            return try send(try #require(Deflation.gzip(text + padding, level: 9)), on: worker)
        }
        #expect(try answer(padded: 65_536).status == 200)
        let dense = try answer(padded: 65_537)
        #expect(dense.status == 413 && dense.json["detail"].string?.contains("100 times") == true)
        let names = (0..<900).map { "event-\(($0 &* 2_654_435_761) & 0xFFFF)" }
        #expect(try send(try #require(Deflation.gzip(events(names).encoded, level: 1)), on: worker).status == 200)
    }

    @Test func `An idempotency key knows the body by what it says`() throws {
        let worker = try WorkerUnderTest()
        let body = WorkerUnderTest.manifest.encoded
        let key = [(name: "Idempotency-Key", value: "k"), (name: "Content-Type", value: "application/json")]
        let path = "/v1/apps/other/manifest"
        let first = worker.send(try Request(.put, path, headers: key, body: body))
        #expect(first.status == 201)
        let coded = key + [(name: "Content-Encoding", value: "gzip")]
        let zipped = try #require(Deflation.gzip(body, level: 6))
        let second = worker.send(try Request(.put, path, headers: coded, body: zipped))
        #expect(second.status == 201 && second.body == first.body)
    }

    @Test func `What is expanded and not answered yet is bounded`() throws {
        let bytes = ExpandedBytes(bound: 100)
        var shares = [bytes.take(200)]
        #expect(shares[0] != nil && bytes.take(1) == nil, "one alone is let in")
        shares = []
        shares = [bytes.take(60), bytes.take(40)]
        #expect(bytes.held == 100 && bytes.take(1) == nil)
        shares.removeLast()
        #expect(bytes.take(40) != nil)
    }

    @Test func `Who waits holds what was expanded, who is answered does not`() throws {
        let worker = try WorkerUnderTest()
        let zipped = try #require(Deflation.gzip(events().encoded, level: 6))
        let headers = [(name: "Content-Encoding", value: "gzip")]
        let answer = worker.begin(try Request(.post, Self.path, headers: headers, body: zipped))
        #expect(worker.worker.expandedBytes.held == events().encoded.count)
        worker.settle()
        #expect(answer.status == 200 && worker.worker.expandedBytes.held == 0)
    }

    /// The cached response to a poll is not used for a request with the same bytes and another coding.
    @Test func `A coding is part of the question`() throws {
        let worker = try WorkerUnderTest()
        let question: JSONValue = ["client_id": "c"]
        let zipped = try #require(Deflation.gzip(question.encoded, level: 6))
        for _ in 0..<2 { #expect(try send(zipped, to: "/v1/apps/app/messages", on: worker).status == 200) }
        for _ in 0..<2 {
            #expect(try worker.send(.post, "/v1/apps/app/messages", body: question).status == 200)
            #expect(try send(question.encoded, to: "/v1/apps/app/messages", on: worker).status == 400)
        }
    }
}
