import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// An app with declared features, and clients that evaluate them.
struct FlagScene {
    static let features: JSONValue = [
        "checkout": [
            "variables": [
                "steps": ["type": "int", "default": 3], "label": ["type": "string", "default": "Buy"],
                "rate": ["type": "number", "default": 1], "express": ["type": "boolean", "default": false],
                "layout": ["type": "json", "default": ["columns": 2, "colors": ["ink": "black"]]],
                "hint": ["type": "string"],
            ]
        ]
    ]

    let app: CompiledApp
    var state = ClientState()

    init(
        features: JSONValue = FlagScene.features, _ live: KeyValuePairs<String, JSONValue>,
        paused: KeyValuePairs<String, JSONValue> = [:]
    ) throws {
        let manifest = try Sample.manifest(["features": features])
        app = CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: StringTables(defaultLocale: "en-US", locales: [:]),
            recipes: RecipesInForce(
                live: try live.map { try Sample.recipe($1, slug: $0, in: manifest) },
                paused: try paused.map { try Sample.recipe($1, slug: $0, in: manifest) }), revision: 1)
    }

    static func query(_ client: Identifier = "client", _ attributes: [String: JSONValue] = [:]) -> PollQuery {
        PollQuery(clientID: client, surfaces: [], context: Sample.context(attributes), now: Sample.now)
    }

    func decide(_ client: Identifier = "client", _ attributes: [String: JSONValue] = [:]) -> FeatureDecision {
        app.evaluate(app.features.features, for: Self.query(client, attributes), state: state)
    }

    /// Evaluates all features and stores the effects. Returns the names of the records.
    mutating func evaluate(_ client: Identifier = "client", _ attributes: [String: JSONValue] = [:]) -> [String] {
        let decision = decide(client, attributes)
        var journal = ClientJournal(state: state, clientID: client, at: Sample.now)
        journal.apply(decision.effects, revision: app.catalog.revision)
        state = journal.state
        return journal.records.map { "\($0.name) \($0.experiment ?? "")/\($0.branch ?? "")" }
    }

    func flag(
        _ key: String, _ client: Identifier = "client", _ attributes: [String: JSONValue] = [:]
    ) -> FlagEvaluation? {
        app.evaluation(of: Identifier(key), in: decide(client, attributes).branches)
    }

    /// The flag as `value REASON variant source`, with a dash for no value.
    func words(_ key: String, _ client: Identifier = "client", _ attributes: [String: JSONValue] = [:]) -> String? {
        flag(key, client, attributes).map {
            "\($0.value?.text ?? "-") \($0.reason.rawValue) \($0.variant) \($0.source.rawValue)"
        }
    }

    /// A recipe for everyone whose branches set values of a feature; a branch with nil does not set it.
    static func recipe(
        _ slug: Identifier, _ branches: KeyValuePairs<String, JSONValue>, feature: Identifier = "checkout",
        rollout: Bool = false, _ changes: JSONObject = [:]
    ) -> JSONValue {
        var fields: JSONObject = [
            "isRollout": .bool(rollout),
            "branches": .array(
                branches.map { branch, value in
                    let set: JSONValue = ["featureId": .string(feature), "value": value]
                    return ["slug": .string(branch), "ratio": 1, "features": value == .null ? [] : [set]]
                }),
        ]
        for (key, value) in changes { fields[key] = value }
        return SampleExperiment.document(fields, slug: slug)
    }
}
