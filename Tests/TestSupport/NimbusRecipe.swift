public import BellwetherJSON

/// Experiments and rollouts for tests. Everyone is enrolled, unless a change says otherwise.
public enum NimbusRecipe {
    /// An experiment with branches in this order, each with its value of `messaging`.
    public static func experiment(
        _ slug: String, _ branches: KeyValuePairs<String, JSONValue>, _ changes: JSONObject = [:]
    ) -> JSONValue {
        var document: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "id": .string(slug), "userFacingName": "A name",
            "userFacingDescription": "A description", "isEnrollmentPaused": false, "isRollout": false,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": .string("n-\(slug)"), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": .array(
                branches.map { branch, value in
                    [
                        "slug": .string(branch), "ratio": 1,
                        "features": [["featureId": "messaging", "value": value]],
                    ]
                }), "proposedEnrollment": 7,
        ]
        for (key, value) in changes { document[key] = value }
        return .object(document)
    }

    /// A messaging value with one survey that names its experiment.
    public static func survey(_ key: String, _ changes: JSONObject = [:]) -> JSONValue {
        var message: JSONObject = [
            "surface": "microsurvey", "text": "How?", "experiment": "{experiment}",
            "microsurveyConfig": ["options": ["Good", "Bad"]],
        ]
        for (field, value) in changes { message[field] = value }
        return ["messages": .object([key: .object(message)])]
    }
}
