import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// An app whose features are evaluated through Cirrus's interface.
struct FeatureScene {
    let evaluation: FeatureEvaluation

    init(manifest: JSONObject = [:], _ recipes: KeyValuePairs<String, JSONValue>) throws {
        var changes: JSONObject = ["app_id": "org.sample", "channel": "release"]
        for (key, value) in manifest { changes[key] = value }
        let manifest = try Sample.manifest(changes)
        evaluation = FeatureEvaluation(
            app: "sample-app", manifest: manifest,
            live: try recipes.map { try Sample.recipe($1, slug: $0, in: manifest) })
    }

    func enrollments(_ id: String = "client", _ context: JSONObject = [:]) -> [FeatureEnrollment] {
        evaluation.enrollments(userID: Identifier(id), context: context)
    }

    /// The branches as `slug/branch`, with a mark on those of rollouts.
    func branches(_ id: String = "client", _ context: JSONObject = [:]) -> [String] {
        enrollments(id, context).map { "\($0.slug)/\($0.branch)\($0.isRollout ? " (rollout)" : "")" }
    }

    func features(_ id: String = "client", _ context: JSONObject = [:]) -> JSONValue {
        .object(evaluation.features(of: enrollments(id, context)))
    }

    /// The status of one recipe as `Status Reason branch`.
    func words(_ slug: Identifier = "e", _ id: String = "client", _ context: JSONObject = [:]) -> String? {
        evaluation.statuses(userID: Identifier(id), context: context).first { $0.slug == slug }.map { enrollment in
            let status = enrollment.status
            return [status.name, status.reason, status.branch?.text].compactMap(\.self).joined(separator: " ")
        }
    }

    /// A recipe with one branch `on` that sets a feature for everyone, with buckets by `user_id`.
    static func recipe(
        _ slug: Identifier, feature: Identifier = "f", value: JSONValue = [:], rollout: Bool = false,
        _ changes: JSONObject = [:]
    ) -> JSONValue {
        var fields: JSONObject = [
            "bucketConfig": buckets(), "isRollout": .bool(rollout),
            "branches": [
                ["slug": "on", "ratio": 1, "features": [["featureId": .string(feature), "value": value]]]
            ],
        ]
        for (key, value) in changes { fields[key] = value }
        return SampleExperiment.document(fields, slug: slug)
    }

    static func buckets(_ changes: JSONObject = [:]) -> JSONValue {
        var result: JSONObject = [
            "randomizationUnit": "user_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
        ]
        for (key, value) in changes { result[key] = value }
        return .object(result)
    }
}
