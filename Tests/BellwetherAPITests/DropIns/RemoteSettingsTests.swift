import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Remote Settings' collections on one worker (docs/reference/http-api.md#remote-settings).
@Suite struct RemoteSettingsTests {
    private static let path = "/v1/buckets/main/collections/nimbus-mobile-experiments"

    private static func recipe(_ slug: String) -> JSONValue {
        [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": "N", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1],
            "branches": [["slug": "control", "ratio": 1]],
            "padding": .string(String(repeating: "x", count: 2000)),
        ]
    }

    private let worker: WorkerUnderTest
    private let timestamp: Int64

    init() throws {
        worker = try WorkerUnderTest(recipes: ["e": Self.recipe("e"), "f": Self.recipe("f")])
        timestamp = try #require(
            try worker.send(.get, Self.path + "/changeset").json.object?["timestamp"]?.integer)
    }

    private func ids(_ answer: RecordedResponse, _ member: String = "data") -> [String]? {
        answer.json.object?[member]?.array?.compactMap { $0.object?["id"]?.string }
    }

    @Test func `Records and a changeset`() throws {
        let records = try worker.send(.get, Self.path + "/records")
        #expect(records.status == 200 && ids(records) == ["f", "e"])
        for line in [
            "ETag: \"\(timestamp)\"", "Last-Modified: Tue, 10 Mar 2026 12:00:00 GMT", "Total-Records: 2",
            "Cache-Control: public, no-cache", "Content-Type: application/json", "Vary: Accept-Encoding",
        ] {
            #expect(records.headers.contains(line + "\r\n"), "\(line)")
        }
        let changeset = try worker.send(.get, Self.path + "/changeset?_expected=0")
        #expect(changeset.json.object?["timestamp"] == .integer(timestamp))
        #expect(changeset.json.object?["metadata"]?.object?["bucket"] == "main")
        #expect(ids(changeset, "changes") == ["f", "e"])
        #expect(changeset.headers.contains("Cache-Control: public, max-age=60\r\n"))
    }

    @Test(
        arguments: ["", "&_sort=last_modified", "&_since=0&_fields=slug", "&_sort=-last_modified&_since=1"],
        [1, 2, 3, 9])
    func `Pages have every record once`(_ query: String, _ limit: Int) throws {
        let names = ["a", "b", "c", "d", "e", "f"]
        let world = try WorkerUnderTest(
            recipes: Dictionary(uniqueKeysWithValues: names.map { ($0, Self.recipe($0)) }))
        let whole = try world.send(.get, Self.path + "/records?_x=1" + query)
        #expect(!whole.headers.contains("Next-Page"))
        var (address, read): (String?, [String]) = (Self.path + "/records?_limit=\(limit)" + query, [])
        for _ in 0...names.count where address != nil {
            let page = try world.send(.get, address ?? "", headers: [("Host", "127.0.0.1:8080")])
            read += try #require(ids(page))
            #expect(page.headers.contains("Total-Records: 6\r\n"))
            address = page.headers.split(separator: "\r\n").first { $0.hasPrefix("Next-Page: ") }.map {
                String($0.dropFirst("Next-Page: http://127.0.0.1:8080".count))
            }
        }
        #expect(address == nil && read == ids(whole))
    }

    @Test func `A page goes on where its last record was`() throws {
        let page = try worker.send(.get, Self.path + "/records?_limit=1")
        let token = try #require(page.headers.split(separator: "_token=").last?.split(separator: "\r\n").first)
        #expect(ids(page) == ["f"])
        _ = try worker.send(.put, "/v1/apps/app/recipes/g", body: Self.recipe("g"))
        let next = try worker.send(.get, Self.path + "/records?_limit=5&_token=\(token)")
        #expect(ids(next) == ["e"] && !next.headers.contains("Next-Page"))
    }

    @Test func `What is kept of a collection is bounded in bytes`() throws {
        let source = CollectionCache.Source(collection: "nimbus-mobile-experiments", app: nil)
        let query = try RecordQuery(items: [])
        for (bytes, isKept) in [(100, false), (1 << 20, true)] {
            let answers = CollectionCache(capacity: 10, bytes: bytes)
            let list = try #require(answers.list(source, in: worker.snapshot))
            let first = answers.content(.records, source, list, query)
            #expect((answers.content(.records, source, list, query) === first) == isKept)
        }
    }

    @Test func `Nothing new is 304`() throws {
        for tag in ["\"\(timestamp)\"", "W/\"\(timestamp)\"", "\"1\", \"\(timestamp)\"", "*"] {
            let answer = try worker.send(.get, Self.path + "/records", headers: [("If-None-Match", tag)])
            #expect(answer.status == 304 && answer.body.isEmpty)
            #expect(answer.headers.contains("ETag: \"\(timestamp)\"\r\n"))
            let changes = try worker.send(.get, Self.path + "/changeset", headers: [("If-None-Match", tag)])
            #expect(changes.status == 304 && changes.body.isEmpty)
            #expect(changes.headers.contains("Cache-Control: public, max-age=60\r\n"))
        }
        for tag in ["\"\(timestamp - 1)\"", "\(timestamp)", ""] {
            let answer = try worker.send(.get, Self.path + "/records", headers: [("If-None-Match", tag)])
            #expect(answer.status == 200, "\(tag)")
        }
    }

    @Test func `Only who knows the newest change may keep an answer for long`() throws {
        func caching(_ expected: String) throws -> String? {
            let answer = try worker.send(.get, Self.path + "/changeset?_expected=\(expected)")
            return answer.headers.split(separator: "\r\n").first { $0.hasPrefix("Cache-Control: ") }.map { String($0) }
        }
        #expect(try caching("\(timestamp)") == "Cache-Control: public, max-age=3600")
        #expect(try caching("%22\(timestamp)%22") == "Cache-Control: public, max-age=3600")
        for other in ["0", "\(timestamp - 1)", "\(timestamp + 1)", "x", ""] {
            #expect(try caching(other) == "Cache-Control: public, max-age=60", "\(other)")
        }
    }

    @Test func `What is newer, how many, in which order, which members`() throws {
        func records(_ query: String) throws -> [String]? {
            ids(try worker.send(.get, Self.path + "/records?" + query))
        }
        #expect(try records("_since=\(timestamp)") == [])
        #expect(try records("_since=%22\(timestamp - 1)%22") == ["f"])
        #expect(try records("gt_last_modified=0") == ["f", "e"])
        #expect(try records("_sort=last_modified") == ["e", "f"])
        #expect(try records("_limit=1") == ["f"] && records("_limit=99") == ["f", "e"])
        #expect(try records("_sort=last_modified&_limit=1&_since=1") == ["e"])
        let chosen = try worker.send(.get, Self.path + "/records?_fields=slug,none").json.object?["data"]?.array ?? []
        #expect(chosen.count == 2)
        #expect(chosen.allSatisfy { $0.object?.keys.sorted() == ["id", "last_modified", "slug"] })
    }

    /// The bytes of a list are made once for each snapshot, and not for each request.
    @Test func `The same question gets the same bytes`() throws {
        let source = CollectionCache.Source(collection: "nimbus-mobile-experiments", app: nil)
        let list = try #require(worker.worker.records.list(source, in: worker.worker.snapshot))
        func content(_ query: String) throws -> CollectionCache.Content {
            let items = query.split(separator: "&").map { item in
                let parts = item.split(separator: "=")
                return QueryItem(name: String(parts[0]), value: String(parts[1]))
            }
            return worker.worker.records.content(.records, source, list, try RecordQuery(items: items))
        }
        #expect(try content("") === content(""))
        #expect(try content("_since=1") === content("_since=2"), "what is newer is the same")
        #expect(try content("_since=1") !== content(""))
        #expect(try content("_since=\(timestamp)") !== content("_since=1"))
        let before = try content("")
        worker.worker.receive(Publication(snapshot: worker.worker.snapshot, settings: .open))
        #expect(try content("") !== before)
    }

    @Test func `A compressed answer keeps the tag that readers take apart`() throws {
        let plain = try worker.send(.get, Self.path + "/records")
        let packed = try worker.send(.get, Self.path + "/records", headers: [("Accept-Encoding", "gzip")])
        #expect(packed.headers.contains("Content-Encoding: gzip\r\nETag: \"\(timestamp)\"\r\n"))
        #expect(packed.body.count < plain.body.count && packed.body.starts(with: [0x1F, 0x8B]))
        let fields = packed.headers.split(separator: "\r\n").map { $0.prefix { $0 != ":" } }
        #expect(Set(fields).count == fields.count, "no field comes twice")
        let delta = try worker.send(
            .get, Self.path + "/records?_since=\(timestamp - 1)", headers: [("Accept-Encoding", "gzip")])
        #expect(delta.body != packed.body && delta.headers.contains("ETag: \"\(timestamp)\"\r\n"))
    }

    @Test(arguments: [
        ("/v1/buckets/main/collections/none/records", 404, 111), ("/v1/buckets/main/collections/none", 404, 111),
        ("/v1/buckets/main/collections/none/changeset", 404, 111), (path + "/records/none", 404, 110),
        (path + "/records?_since=x", 400, 107), (path + "/changeset?_since=x", 400, 107),
        (path + "/records?_since=%ff", 400, 107),
    ])
    func `Refusals have Kinto's form`(_ target: String, _ status: Int, _ errno: Int64) throws {
        let answer = try worker.send(.get, target)
        #expect(answer.status == status)
        let body = answer.json.object ?? [:]
        #expect(body["code"] == .integer(Int64(status)) && body["errno"] == .integer(errno))
        #expect(body["error"]?.string?.isEmpty == false && body["message"]?.string?.isEmpty == false)
    }

    @Test func `What a client looks at first`() throws {
        #expect(try worker.send(.get, "/v1/").json.object?["capabilities"] == [:])
        let collection = try worker.send(.get, Self.path)
        #expect(collection.json.object?["data"]?.object?["id"] == "nimbus-mobile-experiments")
        #expect(collection.json.object?["data"]?.object?["last_modified"] == .integer(timestamp))
        let record = try worker.send(.get, Self.path + "/records/e")
        #expect(record.json.object?["data"]?.object?["slug"] == "e")
        #expect(record.headers.contains("ETag: \"\(timestamp - 1)\"\r\n"))
        #expect(try worker.send(.get, "/v1/buckets/other/collections/x/records").status == 404)
        #expect(try worker.send(.put, Self.path + "/records/e", body: [:]).status == 405)
    }
}
