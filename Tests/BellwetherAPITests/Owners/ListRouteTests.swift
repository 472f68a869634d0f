import BellwetherJSON
import BellwetherService
import Gzip
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Lists over HTTP (docs/reference/audiences.md#lists).
@Suite struct ListRouteTests {
    private static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card"], "attributes": ["user_id": "string"],
    ]
    private static let path = "/v1/apps/app/lists"
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest(manifest: Self.manifest) }

    private func send(
        _ method: HTTPMethod, _ target: String, _ body: String, type: String = "text/plain",
        headers: [(name: String, value: String)] = [], on other: WorkerUnderTest? = nil
    ) throws -> RecordedResponse {
        let headers = headers + [(name: "Content-Type", value: type)]
        return (other ?? world).send(
            try Request(method, Self.path + target, headers: headers, body: Array(body.utf8)))
    }

    private func get(_ name: String) throws -> JSONValue { try world.send(.get, Self.path + "/" + name).json }

    private func contains(_ name: String, _ ids: [String]) throws -> JSONValue {
        let asked: JSONValue = ["ids": .array(ids.map { .string($0) })]
        return try world.send(.post, Self.path + "/\(name)/contains", body: asked).json["contains"]
    }

    private static func message(_ trigger: String) -> JSONValue {
        [
            "triggers": ["T": .string(trigger)],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
        ]
    }

    private func publish(_ slug: String, _ document: JSONValue) throws -> RecordedResponse {
        try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: document)
    }

    private func offered(_ query: String) throws -> Int {
        try world.send(.get, "/v1/apps/app/messages?\(query)").json["messages"].array?.count ?? -1
    }

    @Test func `A list is made, changed, read and deleted`() throws {
        let made = try send(.put, "/beta", "a\nb\na\n")
        #expect(made.status == 201 && made.json["of"] == "clients" && made.json["revision"] == 1)
        #expect(made.json["count"] == 2 && made.json["added"] == 2 && made.json["removed"] == 0)
        #expect(made.json["duplicates"] == 1 && made.json["used_by"] == [] && made.json["name"] == "beta")
        let added = try send(.post, "/beta/add", "b\nc\n")
        #expect(added.status == 200 && added.json["count"] == 3 && added.json["added"] == 1)
        let removed = try send(.post, "/beta/remove", "{\"ids\": [\"a\", \"x\"]}", type: "application/json")
        #expect(removed.json["count"] == 2 && removed.json["removed"] == 1 && removed.json["revision"] == 3)
        #expect(try contains("beta", ["a", "b", "c"]) == [false, true, true])
        let same = try send(.put, "/beta", "c\nb\n", type: "text/plain; charset=utf-8")
        #expect(same.status == 200 && same.json["revision"] == 3 && same.json["added"] == 0)
        let replaced = try send(.put, "/beta", "id\nz\n", type: "TEXT/CSV")
        #expect(replaced.json["count"] == 1 && replaced.json["added"] == 1 && replaced.json["removed"] == 2)
        _ = try send(.put, "/alpha?of=users", "\n")
        let all = try world.send(.get, Self.path).json["lists"].array ?? []
        #expect(all.map { $0["name"] } == ["alpha", "beta"] && all.map { $0["of"] } == ["users", "clients"])
        #expect(try get("beta")["revision"] == 4 && get("beta")["added"] == .null)
        #expect(try world.send(.delete, Self.path + "/beta").status == 204)
        #expect(try world.send(.get, Self.path + "/beta").status == 404)
        #expect(try send(.put, "/beta?of=users", "a").status == 201)
    }

    @Test func `What is refused changes nothing`() throws {
        _ = try send(.put, "/beta", "a")
        let other = try send(.put, "/beta?of=users", "b")
        #expect(other.status == 409 && other.json["errors"][0]["code"] == "conflict")
        #expect(try send(.put, "/beta?of=clients", "a").status == 200)
        #expect(try send(.put, "/beta?of=all", "b").json["errors"][0]["code"] == "choice")
        #expect(try send(.put, "/beta?off=clients", "b").json["errors"][0]["code"] == "unknown_parameter")
        #expect(try send(.post, "/beta/add?of=clients", "b").status == 400)
        for name in ["Beta", "in", "1a", String(repeating: "a", count: 65)] {
            let refused = try send(.put, "/\(name)", "a")
            #expect(refused.status == 422 && refused.json["errors"][0]["pointer"] == "/name")
            #expect(refused.json["errors"][0]["code"] == "identifier")
        }
        let bad = try send(.put, "/beta", "ok\n\u{1}\n\u{2}\n")
        #expect(bad.status == 422 && bad.json["bad_lines"] == 2 && bad.json["errors"][1]["pointer"] == "/3")
        for type in ["application/xml", "application/x-www-form-urlencoded", "application/ndjson"] {
            #expect(try send(.put, "/beta", "b", type: type).status == 415)
        }
        #expect(try send(.put, "/beta", "{", type: "application/json").status == 400)
        for action in ["add", "remove"] { #expect(try send(.post, "/none/\(action)", "a").status == 404) }
        #expect(try world.send(.post, Self.path + "/none/contains", body: ["ids": ["a"]]).status == 404)
        #expect(try world.send(.post, Self.path + "/beta/contains", body: ["ids": []]).status == 422)
        #expect(try world.send(.delete, Self.path + "/none").status == 404)
        #expect(try get("beta")["revision"] == 1 && contains("beta", ["a", "b"]) == [true, false])
    }

    @Test func `There are bounds for lists and ids`() throws {
        var settings = APISettings.open
        settings.listIDs = 3
        let small = try WorkerUnderTest(manifest: Self.manifest, settings: settings)
        #expect(try send(.put, "/a", "1\n2", on: small).status == 201)
        let refused = try send(.put, "/b", "1\n2", on: small)
        #expect(refused.status == 422 && refused.json["errors"][0]["code"] == "too_many")
        #expect(refused.json["errors"][0]["pointer"] == "")
        #expect(try send(.put, "/b", "1", on: small).status == 201)
        #expect(try send(.post, "/a/add", "3", on: small).status == 422)
        #expect(try send(.put, "/a", "7\n8", on: small).status == 200)
        for number in 0..<100 { #expect(try send(.put, "/l\(number)", "\n").status == 201) }
        #expect(try send(.put, "/more", "\n").json["errors"][0]["code"] == "too_many")
    }

    @Test func `Preconditions and idempotency keys hold as for recipes`() throws {
        let made = try send(.put, "/beta", "a", headers: [("Idempotency-Key", "k")])
        let tag = try #require(made.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
        #expect(try send(.put, "/beta", "a", headers: [("Idempotency-Key", "k")]).body == made.body)
        #expect(try send(.put, "/beta", "b", headers: [("Idempotency-Key", "k")]).status == 409)
        let known = try world.send(.get, Self.path + "/beta", headers: [("If-None-Match", String(tag))])
        #expect(known.status == 304)
        #expect(try send(.post, "/beta/add", "b", headers: [("If-Match", "\"2\"")]).status == 412)
        #expect(try send(.post, "/beta/add", "b", headers: [("If-Match", String(tag))]).status == 200)
        #expect(try send(.post, "/beta/add", "c", headers: [("If-Match", String(tag))]).status == 412)
        #expect(try send(.put, "/beta", "c", headers: [("If-None-Match", "*")]).status == 412)
        #expect(try send(.post, "/beta/add", "c", headers: [("If-Match", "\"2\"")]).json["revision"] == 3)
    }

    @Test func `Compressed ids are read`() throws {
        let zipped = try #require(Deflation.gzip(Array("a\nb\n".utf8), level: 6))
        let headers = [(name: "Content-Encoding", value: "gzip"), (name: "Content-Type", value: "text/plain")]
        let made = world.send(try Request(.put, Self.path + "/beta", headers: headers, body: zipped))
        #expect(made.status == 201 && made.json["count"] == 2)
    }

    @Test func `A poll follows each change of a list, and of the user`() throws {
        let unknown = try publish("offer", Self.message("list.beta || list.vip"))
        #expect(unknown.json["warnings"].array?.map { $0["code"] } == ["unknown_list", "unknown_list"])
        #expect(try offered("client_id=c") == 0)
        _ = try send(.put, "/beta", "d\n")
        _ = try send(.put, "/vip?of=users", "ada\n")
        #expect(try publish("offer", Self.message("list.vip || list.beta")).json["warnings"] == [])
        for _ in 0..<2 { #expect(try offered("client_id=c") == 0 && offered("client_id=d") == 1) }
        _ = try send(.post, "/beta/add", "c")
        for _ in 0..<2 { #expect(try offered("client_id=c") == 1) }
        _ = try send(.post, "/beta/remove", "c")
        for _ in 0..<2 { #expect(try offered("client_id=c") == 0) }
        #expect(try offered("client_id=c&user_id=ada&list.beta=true") == 0, "an attribute says nothing")
        let identified = try world.send(
            .post, "/v1/apps/app/identify", body: ["client_id": "c", "user_id": "ada"])
        #expect(identified.status < 300)
        for _ in 0..<2 { #expect(try offered("client_id=c") == 1) }
        _ = try send(.put, "/vip", "eva\n")
        #expect(try offered("client_id=c") == 0 && get("vip")["of"] == "users")
    }

    @Test func `Targeting follows a list although the enrollments were settled`() throws {
        _ = try send(.put, "/beta", "x\n")
        let value: JSONValue = ["messages": ["m": ["surface": "card", "text": "x"]]]
        let experiment: JSONValue = [
            "schemaVersion": "1.12.0", "slug": "exp", "userFacingName": "E", "userFacingDescription": "An experiment",
            "isEnrollmentPaused": false, "proposedEnrollment": 7, "targeting": "list.beta",
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "e", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": [["slug": "a", "ratio": 1, "features": [["featureId": "messaging", "value": value]]]],
        ]
        #expect(try publish("exp", experiment).status == 201)
        for _ in 0..<3 { #expect(try offered("client_id=c") == 0) }
        _ = try send(.post, "/beta/add", "c")
        #expect(try offered("client_id=c") == 1)
    }

    @Test func `What is read cannot go, and names its readers`() throws {
        _ = try send(.put, "/beta", "a")
        #expect(try publish("fan", ["kind": "segment", "expression": "list.beta"]).status == 201)
        #expect(try publish("offer", Self.message("segment.fan && list.beta")).status == 201)
        #expect(try get("beta")["used_by"] == ["fan", "offer"])
        #expect(try send(.post, "/beta/add", "b").json["used_by"] == ["fan", "offer"])
        let gone = try world.send(.delete, Self.path + "/beta")
        #expect(gone.status == 409 && gone.json["errors"][0]["code"] == "in_use")
        #expect(gone.json["used_by"] == ["fan", "offer"])
        let survey: JSONValue = [
            "kind": "survey", "name": "S", "predicates": ["p": "list.none && answers.q == 'A'"],
            "questions": [["id": "q", "question": "?", "question_type": "single_select", "options": ["A", "B"]]],
        ]
        let warned = try publish("s", survey).json["warnings"].array ?? []
        #expect(warned.contains { $0["code"] == "unknown_list" && $0["pointer"] == "/predicates/p" })
        let segment = try publish("none", ["kind": "segment", "expression": "list.none"])
        #expect(segment.json["warnings"][0]["code"] == "unknown_list")
    }

    @Test func `An attribute of the name and lists exclude each other`() throws {
        var manifest = Self.manifest.object ?? [:]
        manifest["attributes"] = ["list": "object"]
        _ = try world.send(.put, "/v1/apps/other/manifest", body: Self.manifest)
        let path = "/v1/apps/other/lists/beta"
        func put() throws -> RecordedResponse {
            world.send(
                try Request(.put, path, headers: [("Content-Type", "text/plain")], body: Array("a".utf8)))
        }
        #expect(try put().status == 201)
        let refused = try world.send(.put, "/v1/apps/other/manifest", body: .object(manifest))
        #expect(refused.status == 422 && refused.json["errors"][0]["code"] == "reserved")
        #expect(refused.json["errors"][0]["pointer"] == "/attributes/list")
        #expect(try world.send(.delete, path).status == 204)
        #expect(try world.send(.put, "/v1/apps/other/manifest", body: .object(manifest)).status == 200)
        let list = try put()
        #expect(list.status == 422 && list.json["errors"][0]["code"] == "reserved")
        #expect(list.json["errors"][0]["pointer"] == "/name")
    }

    @Test func `Explain says in which lists a client is`() throws {
        _ = try send(.put, "/beta", "c")
        _ = try send(.put, "/vip?of=users", "ada")
        _ = try publish("fan", ["kind": "segment", "expression": "list.vip"])
        _ = try publish("offer", Self.message("segment.fan || list.beta || list.none"))
        func lists(_ members: JSONObject) throws -> JSONValue {
            var body = members
            body["surface"] = "card"
            return try world.send(.post, "/v1/apps/app/explain", body: .object(body)).json["audience"]["lists"]
        }
        #expect(try lists(["client_id": "c"]) == ["beta": true, "vip": false])
        #expect(try lists(["lists": ["vip"]]) == ["beta": false, "vip": true])
        #expect(try lists([:]) == ["beta": false, "vip": false])
        let both: JSONValue = ["surface": "card", "client_id": "c", "lists": ["vip"]]
        let refused = try world.send(.post, "/v1/apps/app/explain", body: both)
        #expect(refused.status == 400 && refused.json["errors"][0]["code"] == "conflict")
    }

    @Test func `Predicates read lists`() throws {
        _ = try send(.put, "/beta", "c")
        let survey: JSONValue = [
            "kind": "survey", "name": "S", "predicates": ["p": "answers.snack == 'Fruit' && list.beta"],
            "questions": [
                ["id": "snack", "question": "What?", "question_type": "single_select", "options": ["Fruit", "Bread"]],
                [
                    "id": "which", "question": "Which?", "question_type": "single_text_field",
                    "show_if": ["operation": "custom", "ids": ["snack"], "extra": ["predicate": "p"]],
                ],
            ],
        ]
        #expect(try publish("s", survey).status == 201)
        func visible(_ client: String) throws -> JSONValue {
            let body: JSONValue = ["answers": ["snack": "Fruit"], "client_id": .string(client)]
            return try world.send(.post, "/v1/apps/app/surveys/s/evaluate", body: body).json["visible"]
        }
        #expect(try visible("c") == ["snack", "which"] && visible("d") == ["snack"])
        func saved(_ client: String) throws -> Int {
            let body: JSONValue = [
                "client_id": .string(client), "answers": ["snack": "Fruit"], "is_complete": true,
            ]
            return try world.send(.post, "/v1/apps/app/surveys/s/responses", body: body).status
        }
        #expect(try saved("c") == 422 && saved("d") == 201, "a question that is shown needs an answer")
    }

    @Test func `An erasure takes the id out, and keeps revision and entity tag`() throws {
        _ = try publish("offer", Self.message("list.beta || list.vip"))
        _ = try send(.put, "/beta", "c\nd\nada")
        _ = try send(.put, "/vip?of=users", "ada\nc")
        func tag(_ name: String) throws -> String? {
            try world.send(.get, Self.path + "/" + name).headers.split(separator: "\r\n")
                .first { $0.hasPrefix("ETag") }.map(String.init)
        }
        let before = try [tag("beta"), tag("vip")]
        _ = try world.send(.post, "/v1/apps/app/identify", body: ["client_id": "d", "user_id": "ada"])
        #expect(try offered("client_id=c") == 1)
        let copy = try world.send(.get, "/v1/apps/app/clients/c/export")
        #expect(copy.json["lists"] == ["beta"])
        #expect(try world.send(.get, "/v1/apps/app/users/ada/export").json["lists"] == ["vip"])
        #expect(try world.send(.get, "/v1/apps/app/clients/x/export").json["lists"] == .null)
        #expect(try world.send(.delete, "/v1/apps/app/clients/c").status == 204)
        #expect(try offered("client_id=c") == 0)
        #expect(try contains("beta", ["c", "d"]) == [false, true] && contains("vip", ["c"]) == [true])
        #expect(try get("beta")["count"] == 2 && get("beta")["revision"] == 1)
        #expect(try world.send(.delete, "/v1/apps/app/users/ada").status == 204)
        #expect(try contains("beta", ["ada"]) == [true] && contains("vip", ["ada"]) == [false])
        #expect(try get("vip")["count"] == 1 && [tag("beta"), tag("vip")] == before)
        #expect(try send(.post, "/beta/add", "c").json["added"] == 1)
    }

    @Test func `The audit has numbers and no id`() throws {
        _ = try send(.put, "/beta", "needle\nb")
        _ = try send(.post, "/beta/remove", "needle")
        _ = try world.send(.delete, Self.path + "/beta")
        let audit = try world.send(.get, "/v1/apps/app/audit?kind=list")
        let entries = Array((audit.json["items"].array ?? []).reversed())
        #expect(entries.map { $0["action"] } == ["create", "change", "delete"], "\(audit.json.text)")
        #expect(entries.map { $0["before"] } == [.null, 2, 1] && entries.map { $0["after"] } == [2, 1, .null])
        #expect(entries.map { $0["added"] } == [2, 0, 0] && entries.map { $0["removed"] } == [0, 1, 1])
        #expect(entries.map { $0["revision"] } == [1, 2, 2] && entries.allSatisfy { $0["name"] == "beta" })
        #expect(!audit.json.text.contains("needle"))
    }

    @Test func `The bundle has no lists`() throws {
        _ = try publish("offer", Self.message("list.beta"))
        let before = try world.send(.get, "/v1/apps/app/bundle").body
        _ = try send(.put, "/beta", "c")
        #expect(try world.send(.get, "/v1/apps/app/bundle").body == before)
    }
}

/// Lists at two daemons over one store.
@Suite struct SharedListTests {
    private let nodes: [WorkerUnderTest]

    init() throws {
        let store = TestStore(sharing: .asked)
        nodes = try (0..<2).map { _ in try WorkerUnderTest(over: store) }
    }

    private func put(_ name: String, _ body: String, on node: Int) throws -> RecordedResponse {
        nodes[node].send(
            try Request(
                .put, "/v1/apps/app/lists/\(name)", headers: [("Content-Type", "text/plain")], body: Array(body.utf8)))
    }

    private func offered(_ client: String, on node: Int) throws -> Int? {
        try nodes[node].send(.get, "/v1/apps/app/messages?client_id=\(client)").json["messages"].array?.count
    }

    @Test func `A change and an erasure reach the other daemon`() async throws {
        _ = try nodes[0].send(.put, "/v1/apps/app/manifest", body: WorkerUnderTest.manifest)
        let offer: JSONValue = [
            "triggers": ["T": "list.beta"],
            "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
        ]
        _ = try nodes[0].send(.put, "/v1/apps/app/recipes/offer", body: offer)
        #expect(try put("beta", "a\nb", on: 0).status == 201)
        await nodes[1].hear()
        for node in 0..<2 { #expect(try offered("a", on: node) == 1 && offered("c", on: node) == 0) }
        #expect(try put("beta", "b\nc", on: 1).json["revision"] == 2)
        await nodes[0].hear()
        for node in 0..<2 { #expect(try offered("a", on: node) == 0 && offered("c", on: node) == 1) }
        #expect(try nodes[0].send(.delete, "/v1/apps/app/clients/c").status == 204)
        #expect(try offered("c", on: 0) == 0)
        await nodes[1].hear()
        #expect(try offered("c", on: 1) == 0 && offered("b", on: 1) == 1)
        let read = try nodes[1].send(.get, "/v1/apps/app/lists/beta")
        #expect(read.json["count"] == 1 && read.json["revision"] == 2)
        #expect(try put("beta", "b\nc\nd", on: 1).json["added"] == 2)
    }
}
