import BellwetherCore
import BellwetherJSON
import HTTPWire

@testable import BellwetherAPI
@testable import BellwetherService

/// An app with features, and clients that evaluate them through OpenFeature's protocol.
struct FlagWorld {
    static let path = "/ofrep/v1/evaluate/flags"

    static let manifest: JSONValue = [
        "app_name": "a", "app_id": "org.a", "channel": "release", "default_locale": "en-US", "surfaces": ["card"],
        "attributes": ["plan": "string", "seats": "number"],
        "features": [
            "checkout": [
                "variables": [
                    "steps": ["type": "int", "default": 3], "label": ["type": "string", "default": "Buy"],
                    "rate": ["type": "number", "default": 1], "express": ["type": "boolean", "default": false],
                    "layout": ["type": "json", "default": ["columns": 2]], "hint": ["type": "string"],
                ]
            ], "search": ["variables": ["fuzzy": ["type": "boolean", "default": false]]],
            "seen": ["exposure": "on-evaluation", "variables": ["on": ["type": "boolean", "default": false]]],
        ],
    ]

    /// A recipe that includes everyone, with buckets by `user_id`, so that Cirrus accepts it too.
    static func recipe(
        _ slug: String, feature: String, _ branches: KeyValuePairs<String, JSONValue>, _ changes: JSONObject = [:]
    ) -> JSONValue {
        var fields: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "appName": "a", "channel": "release",
            "userFacingName": "n", "userFacingDescription": "d", "isEnrollmentPaused": false, "isRollout": false,
            "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "user_id", "namespace": .string(slug), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": .array(
                branches.map { branch, value in
                    [
                        "slug": .string(branch), "ratio": 1,
                        "features": [["featureId": .string(feature), "value": value]],
                    ]
                }),
        ]
        for (key, value) in changes { fields[key] = value }
        return .object(fields)
    }

    static let recipes: [String: JSONValue] = [
        "steps": recipe("steps", feature: "checkout", ["one": ["steps": 1], "two": ["steps": 2]]),
        "fuzzy": recipe("fuzzy", feature: "search", ["on": ["fuzzy": true]], ["isRollout": true]),
        "seen": recipe("seen", feature: "seen", ["on": ["on": true], "off": [:]]),
    ]

    let worker: WorkerUnderTest

    init(
        recipes: [String: JSONValue] = FlagWorld.recipes, settings: APISettings? = nil,
        caches: CacheLimits = CacheLimits(), heldClients: Int = 100
    ) throws {
        worker = try WorkerUnderTest(
            manifest: Self.manifest, recipes: recipes, settings: try settings ?? Self.settings(), caches: caches,
            heldClients: heldClients)
    }

    /// Tokens whose texts are their names.
    static func settings() throws -> APISettings {
        var settings = APISettings()
        settings.publicInterfaces = [.cirrus]
        settings.tokens = TokenTable(
            try [
                ("mine", "client", "app"), ("theirs", "client", "other"), ("any", "client", "*"),
                ("owner", "owner", "app"), ("pipeline", "pipeline", "app"),
            ].map { name, scope, app in
                try Token("\(name):\(scope):\(app):\(Digest.hex(Token.digest(of: Array(name.utf8))[...]))")
            })
        return settings
    }

    static func bearer(_ token: String) -> [(name: String, value: String)] { [("Authorization", "Bearer \(token)")] }

    /// Evaluates one flag, or all flags.
    func ask(
        _ key: String? = nil, client: JSONValue = "c", context attributes: JSONObject = [:],
        headers: [(name: String, value: String)] = FlagWorld.bearer("mine")
    ) throws -> RecordedResponse {
        var context = attributes
        context["targetingKey"] = client
        return try send(key, body: JSONValue.object(["context": .object(context)]).encoded, headers: headers)
    }

    func send(
        _ key: String? = nil, body: [UInt8], headers: [(name: String, value: String)] = FlagWorld.bearer("mine")
    ) throws -> RecordedResponse {
        worker.send(
            try Request(.post, Self.path + (key.map { "/\($0)" } ?? ""), headers: headers, body: body))
    }

    /// The flag of a bulk response.
    static func flag(_ key: String, of answer: RecordedResponse) -> JSONValue? {
        answer.json["flags"].array?.first { $0["key"].string == key }
    }
}
