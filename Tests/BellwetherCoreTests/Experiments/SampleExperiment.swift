import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// Nimbus recipes for tests.
enum SampleExperiment {
    /// All fields that the SDK requires, and a `messaging` value. Everyone is enrolled in one of two branches.
    static func fields(slug: Identifier = "e", feature: Identifier = "messaging") -> JSONObject {
        [
            "schemaVersion": "1.12.0", "slug": .string(slug), "id": .string(slug), "appName": "sample",
            "appId": "org.sample", "channel": "release", "userFacingName": "A name",
            "userFacingDescription": "A description", "isEnrollmentPaused": false, "isRollout": false,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": .string("n-\(slug)"), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": [branch("control", feature: feature), branch("treatment", feature: feature)],
            "proposedEnrollment": 7, "targeting": "true",
        ]
    }

    static func branch(_ slug: Identifier, ratio: JSONValue = 1, feature: Identifier = "messaging") -> JSONValue {
        ["slug": .string(slug), "ratio": ratio, "features": [["featureId": .string(feature), "value": [:]]]]
    }

    /// The document with changed fields; null removes a field.
    static func document(_ changes: JSONObject = [:], slug: Identifier = "e", feature: Identifier = "messaging")
        -> JSONValue
    {
        var result = fields(slug: slug, feature: feature)
        for (key, value) in changes { result[key] = value == .null ? .none : .some(value) }
        return .object(result)
    }

    /// The buckets with changed fields; null removes a field.
    static func buckets(_ changes: JSONObject) -> JSONObject {
        var result = fields()["bucketConfig"]?.object ?? [:]
        for (key, value) in changes { result[key] = value == .null ? .none : .some(value) }
        return ["bucketConfig": .object(result)]
    }

    static func experiment(
        _ slug: Identifier = "e", _ changes: JSONObject = [:], feature: Identifier = "messaging"
    ) throws -> Experiment {
        let findings = Findings()
        let experiment = Experiment.read(
            document(changes, slug: slug, feature: feature), slug: slug, revision: 1, manifest: try Sample.manifest(),
            findings: findings)
        return try #require(experiment, "\(findings.faults)")
    }

    /// A recipe whose branches set these messaging values.
    static func messaging(
        _ slug: Identifier, _ values: [JSONValue], isRollout: Bool = false, in manifest: Manifest, revision: Int = 1
    ) throws -> Recipe {
        let branches = values.enumerated().map { index, value -> JSONValue in
            ["slug": .string("b\(index)"), "ratio": 1, "features": [["featureId": "messaging", "value": value]]]
        }
        return try Sample.recipe(
            document(["branches": .array(branches), "isRollout": .bool(isRollout)], slug: slug), slug: slug.text,
            revision: revision, in: manifest)
    }

    /// The branches of a client that is enrolled in live recipes.
    static func branches(_ branches: KeyValuePairs<String, String>) throws -> ClientBranches {
        let live = try branches.map { slug, branch in
            try experiment(Identifier(slug), ["branches": [self.branch(Identifier(branch))]])
        }
        return ClientBranches(ExperimentSet(live: live), .in(branches))
    }
}

extension PackedEnrollments {
    static func `in`(_ branches: KeyValuePairs<String, String>) -> PackedEnrollments {
        PackedEnrollments(
            ClientEnrollments(
                enrollments: branches.map {
                    Enrollment(slug: Identifier($0), status: .enrolled(.qualified, branch: Identifier($1)))
                }))
    }
}
