import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// Features for services that use the API of Cirrus (docs/reference/http-api.md#cirrus).
@Suite struct CirrusRouteTests {
    private static let manifest: JSONValue = [
        "app_name": "a", "app_id": "org.a", "channel": "release", "default_locale": "en-US", "surfaces": ["card"],
    ]

    static func recipe(
        _ slug: String, feature: String, rollout: Bool = false, branches: [String] = ["on"], _ more: JSONObject = [:]
    ) -> JSONValue {
        var fields: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "appName": "a", "channel": "release",
            "userFacingName": "n", "userFacingDescription": "d", "isEnrollmentPaused": false,
            "isRollout": .bool(rollout), "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "user_id", "namespace": .string(slug), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": .array(
                branches.map { branch in
                    [
                        "slug": .string(branch), "ratio": 1,
                        "features": [["featureId": .string(feature), "value": ["from": .string("\(slug)/\(branch)")]]],
                    ]
                }),
        ]
        for (key, value) in more { fields[key] = value }
        return .object(fields)
    }

    private static let recipes: [String: JSONValue] = [
        "r": recipe("r", feature: "f", rollout: true), "e": recipe("e", feature: "g", branches: ["x", "y"]),
        "t": recipe("t", feature: "h", ["targeting": "plan == 'paid'"]),
    ]

    private func ask(
        _ worker: WorkerUnderTest, _ version: Int = 2, id: String = "c", _ context: JSONObject = [:],
        headers: [(name: String, value: String)] = []
    ) throws -> RecordedResponse {
        try worker.send(
            .post, "/v\(version)/features/", headers: headers,
            body: ["client_id": .string(id), "context": .object(context)])
    }

    @Test func `Features and enrollments are Cirrus'`() throws {
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes)
        let context: JSONObject = ["app_id": "org.a", "plan": "paid"]
        let answer = try ask(worker, 2, context)
        #expect(answer.status == 200)
        #expect(answer.headers.contains("Content-Type: application/json\r\n"))
        let branch = try #require(answer.json["Enrollments"][1]["branch"].string)
        #expect(["x", "y"].contains(branch))
        func enrollment(_ slug: String, _ branch: String, _ type: String) -> JSONValue {
            [
                "nimbus_user_id": "c", "app_id": "org.a", "experiment": .string(slug), "branch": .string(branch),
                "experiment_type": .string(type), "is_preview": false,
            ]
        }
        let features: JSONValue = [
            "f": ["from": "r/on"], "g": ["from": .string("e/\(branch)")], "h": ["from": "t/on"],
        ]
        #expect(
            answer.json == [
                "Features": features,
                "Enrollments": [
                    enrollment("r", "on", "rollout"), enrollment("e", branch, "experiment"),
                    enrollment("t", "on", "experiment"),
                ],
            ])
        #expect(try ask(worker, 1, context).json == features)
    }

    @Test func `A branch stays, and both come to be`() throws {
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes)
        var seen: [String: Set<String>] = [:]
        for _ in 0..<2 {
            for number in 0..<40 {
                let answer = try ask(worker, 1, id: "client-\(number)", ["app_id": "org.a"])
                seen["client-\(number)", default: []].insert(answer.json["g"]["from"].string ?? "?")
                #expect(answer.json["h"] == .null)
            }
        }
        #expect(seen.values.allSatisfy { $0.count == 1 })
        #expect(Set(seen.values.flatMap(\.self)) == ["e/x", "e/y"])
    }

    @Test func `Nothing is kept of a client`() throws {
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes)
        worker.store.fail(.unavailable("told to"))
        #expect(try ask(worker, 2, ["app_id": "org.a"]).status == 200)
        worker.store.fail(nil)
        let telemetry = try worker.send(.get, "/v1/apps/app/telemetry")
        #expect(telemetry.status == 200 && telemetry.body.isEmpty)
    }

    @Test func `The app is the one that the context names`() throws {
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes)
        for name: JSONValue in ["org.a", "app"] {
            #expect(try ask(worker, 1, ["app_id": name]).json["f"] == ["from": "r/on"])
        }
        for context: JSONObject in [[:], ["app_id": "a"], ["app_id": "ORG.A"], ["app_id": 1], ["app_id": ["app"]]] {
            #expect(try ask(worker, 1, context).json == [:])
            #expect(try ask(worker, 2, context).json == ["Features": [:], "Enrollments": []])
        }
    }

    @Test(arguments: [("app", true), ("other", false)])
    func `A setting names the app before the context does`(_ app: String, _ isFound: Bool) throws {
        var settings = APISettings.open
        settings.cirrusApp = app
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes, settings: settings)
        for context: JSONObject in [[:], ["app_id": "app"], ["app_id": "other"]] {
            #expect(try (ask(worker, 1, context).json != [:]) == isFound)
        }
    }

    private func settings(isPublic: Bool) throws -> APISettings {
        var settings = APISettings()
        settings.publicInterfaces = isPublic ? [.cirrus] : [.glean, .remoteSettings]
        settings.tokens = TokenTable(
            try [
                ("mine", "client", "app"), ("theirs", "client", "other"), ("any", "client", "*"),
                ("owner", "owner", "app"), ("admin", "admin", "*"),
            ].map { name, scope, app in
                let digest = Token.digest(of: Array(name.utf8)).map {
                    let text = String($0, radix: 16)
                    return text.count < 2 ? "0" + text : text
                }
                return try Token("\(name):\(scope):\(app):\(digest.joined())")
            })
        return settings
    }

    private static func bearer(_ token: String) -> [(name: String, value: String)] {
        [("Authorization", "Bearer \(token)")]
    }

    @Test(arguments: [true, false])
    func `A token opens it, and says the app`(_ isPublic: Bool) throws {
        var settings = try settings(isPublic: isPublic)
        settings.cirrusApp = "app"
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes, settings: settings)
        for (token, isFound) in [("mine", true), ("theirs", false), ("any", true), ("admin", true)] {
            let answer = try ask(worker, 1, ["app_id": "app"], headers: Self.bearer(token))
            #expect(answer.status == 200)
            #expect((answer.json != [:]) == isFound, "\(token)")
        }
        #expect(try ask(worker, headers: Self.bearer("owner")).status == 403)
        #expect(try ask(worker, headers: Self.bearer("unknown")).status == 401)
        #expect(try ask(worker).status == (isPublic ? 200 : 401))
    }

    @Test func `What changes is seen at once`() throws {
        let worker = try WorkerUnderTest(manifest: Self.manifest, recipes: Self.recipes)
        #expect(try ask(worker, 1, ["app_id": "app"]).json["f"] == ["from": "r/on"])
        let other = try WorkerUnderTest(manifest: Self.manifest, recipes: ["r": Self.recipe("r", feature: "z")])
        worker.worker.receive(Publication(snapshot: other.worker.snapshot, settings: .open))
        #expect(try ask(worker, 1, ["app_id": "app"]).json == ["z": ["from": "r/on"]])
    }
}
