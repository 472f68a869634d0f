import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherService

/// The search through the audit, newest first (docs/reference/http-api.md#audit).
@Suite struct AuditSearchTests {
    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest()
        for name in ["b", "c", "a"] {
            let recipe: JSONValue = [
                "kind": "questionnaire", "name": "Q",
                "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
            ]
            #expect(try world.send(.put, "/v1/apps/app/recipes/\(name)?state=draft", body: recipe).status == 201)
        }
    }

    private func names(_ query: String) throws -> [String?] {
        let answer = try world.send(.get, "/v1/apps/app/audit\(query)")
        return try #require(answer.json["items"].array).map { $0["name"].string }
    }

    @Test func `The newest comes first, and conditions choose`() throws {
        let all = try world.send(.get, "/v1/apps/app/audit").json
        let sequences = try #require(all["items"].array).compactMap { $0["sequence"].integer }
        #expect(sequences == sequences.sorted(by: >) && sequences.last == 1 && all["before"] == .null)
        #expect(try names("?kind=recipe&by=dev") == ["a", "c", "b"])
        #expect(try names("?name=c") == ["c"])
        #expect(try names("?by=nobody").isEmpty)
        let line = try #require(try world.send(.get, "/v1/audit?after=0&limit=1").body.split(separator: 0x0A).first)
        #expect(try JSONValue(parsing: Array(line)) == all["items"].array?.last, "the same record as in the log")
    }

    @Test func `Pages follow each other to the oldest record`() throws {
        var (sequences, before): ([Int64], String) = ([], "")
        repeat {
            let page = try world.send(.get, "/v1/apps/app/audit?limit=1&before=\(before)").json
            sequences += try #require(page["items"].array).compactMap { $0["sequence"].integer }
            before = page["before"].integer.map(String.init) ?? ""
        } while !before.isEmpty && sequences.count < 100
        let all = try world.send(.get, "/v1/audit?before=").json["items"].array ?? []
        #expect(sequences == all.compactMap { $0["sequence"].integer } && sequences.count >= 4)
    }

    @Test func `A search looks at so many records, and says where to go on`() throws {
        var search = AuditSearch(app: "app", limit: 10)
        search.name = "b"
        let newest = try #require(try world.store.versions(of: [.audit]).first)
        let first = try world.store.search(search, bound: 2)
        #expect(first.items.isEmpty && first.before == Int64(newest) - 1)
        search.before = first.before
        #expect(try world.store.search(search, bound: 2).items.map { $0["name"] } == ["b"])
    }

    @Test func `What cannot be is refused`() throws {
        for query in ["kind=x", "limit=0", "limit=1001", "before=x", "before=-1", "after=1", "app=app"] {
            #expect(try world.send(.get, "/v1/apps/app/audit?\(query)").status == 400, "\(query)")
        }
        #expect(try world.send(.get, "/v1/apps/nobody/audit").status == 404)
        #expect(try world.send(.get, "/v1/audit?app=app&limit=2").json["items"].array?.count == 2)
    }
}
